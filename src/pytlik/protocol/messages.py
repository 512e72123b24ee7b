"""The messages on a table's socket, both ways. `docs/protocol.md` is generated from these types.

A client says what it wants; the server says what has happened. Every update carries the whole view,
so whoever missed something needs the next update and nothing else.
"""

from typing import Annotated, Any, Literal

import msgspec

from pytlik.game import Seat, snake_case

# What every store can hold. \Z and not $, which would let a line break pass.
CommandId = Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[!-~]+\Z")]
"""Visible ASCII without spaces."""


class FromClient(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=snake_case
):
    """What a client sends."""


class Act(FromClient, frozen=True):
    """Do this for a seat that is mine. Sent again with the same id it is answered again, and done
    once."""

    id: CommandId
    """Any of your own."""
    seat: Seat
    action: msgspec.Raw
    """One of the game's actions."""
    match: CommandId | None = None
    """As in the update that it answers, so that it is not done in a later match if it comes late;
    null: whichever is being played."""


class Sit(FromClient, frozen=True):
    """Show me what this seat sees, which is mine; null: what everyone sees."""

    seat: Seat | None


class Sync(FromClient, frozen=True):
    """This is what I have. If it is not what there is, send me one whole update."""

    seq: int
    hash: str
    """Both as in the last update."""


class Pong(FromClient, frozen=True):
    """The answer to a ping, at once: so the connection's delay is measured."""

    n: int
    """As in the ping."""


class React(FromClient, frozen=True):
    """Something that everyone at the table sees for a moment."""

    reaction: Literal["clap", "laugh", "wow", "think", "hurry", "heart"]


class Chat(FromClient, frozen=True):
    """Something to say, where the table has agreed on chat: one line of plain text."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=280)]


ClientMessage = Act | Sit | Sync | Pong | React | Chat


class FromServer(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=snake_case):
    """What the server sends."""


class ChairInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A seat, and who sits there."""

    name: str
    """Empty for a free seat, for a bot, and for a person who has taken their name back."""
    kind: Literal["free", "person", "bot"]
    level: str | None
    """Of the bot that acts here."""
    here: bool
    """Whether the person is connected."""
    wins: int
    """How many matches whoever sits here has won since they sat down; a shared win counts."""
    stand_in: bool
    """Whether a bot plays for the person, or until somebody takes the free seat."""
    stand_in_at: int | None = None
    """When a bot begins to play for a person who is away, or a little later; null if none does."""
    muted: bool
    against: tuple[Seat, ...]
    """Seats whose people want this person to leave; if everyone agrees, they have to."""
    lag: int | None
    """The measured one-way delay in milliseconds (G10), the least of the person's connections; null
    as long as it isn't known."""


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What everyone at a table, and everyone with its link, may know of it."""

    id: str
    version: int
    """Counts the changes."""
    game: str
    options: Any
    """Of the game: its Options."""
    agreement: Any
    """All else that the host has decided: an Agreement."""
    fewest_players: int
    """How many it takes to play this game."""
    most_players: int
    """How many chairs there can be."""
    chairs: tuple[ChairInfo, ...]
    host_seat: Seat | None
    """The host's seat, the first if they have several; null if the host doesn't sit here."""
    match: int
    """The number of the match that is played or will be next, from 1."""
    phase: Literal["lobby", "playing", "over"]
    commitment: str
    """To the secret that the deal is made from."""
    first_game: bool = False
    """Whether this is a newcomer's first match, whose deal is always the same: it doesn't claim to
    be fair, only one person plays it, and it isn't counted in `wins`."""
    again: tuple[Seat, ...]
    """Who wants another match, when one is over; it begins when everyone who is here does."""
    pausing: tuple[Seat, ...]
    """Who wants a pause, or wants to go on when there is one."""
    paused: int | None
    """Since when there is a pause."""
    locked: bool
    """Whether nobody new may sit down."""


SeatChange = Literal["sat_down", "left", "removed", "stand_in", "back", "moved", "refused_pause"]
"""Somebody took a seat, left it, or was removed from it; a bot plays for them, or they play again;
they play on from another device; or they don't want the pause that others asked for."""


class Hello(FromServer, frozen=True, kw_only=True):
    """The first message: which protocol, and who you are here."""

    v: Literal[1] = 1
    table: TableInfo
    yours: tuple[Seat, ...]
    """The seats that you hold."""
    host: bool
    """Whether you are the table's host."""
    talk: "tuple[Line, ...]"
    """What was said last."""
    now: int
    """The server's clock, in milliseconds since 1970."""


class Update(FromServer, frozen=True, kw_only=True):
    """What has happened, as your seat may see it, and all that it may know now."""

    match: str
    seq: int
    """How many events there are in the match."""
    seat: Seat | None
    """Whose view this is; null: what everyone sees."""
    events: tuple[Any, ...]
    """What is new since the last update, to be shown as it happened: the game's events, as this
    seat may see them; empty where the view is all there is to go by."""
    view: msgspec.Raw
    """The match as this seat may know it, with what it may do now (`choices`): see the game."""
    hash: str
    """Of the view's bytes: send it back in a sync."""
    awaited: tuple[Seat, ...]
    """The seats that have something to do now."""
    now: int


class Done(FromServer, frozen=True, kw_only=True):
    """It is on disk; the log has reached `seq` with it."""

    id: str
    seq: int


class Refused(FromServer, frozen=True, kw_only=True):
    """It was not done, and nothing has changed."""

    id: str | None
    """Of the act that is refused; null for any other message."""
    reason: str
    """A code."""
    detail: dict[str, Any] = {}
    """What a sentence about it needs."""


class TableChanged(FromServer, frozen=True, kw_only=True):
    """Somebody has come, gone, sat down or decided something."""

    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool


class TableGone(FromServer, frozen=True, kw_only=True):
    """The table was deleted. Nothing follows."""


class Ping(FromServer, frozen=True, kw_only=True):
    """Send it back in a pong, at once."""

    n: int


class Line(FromServer, frozen=True, kw_only=True):
    """What somebody has said at the table, a text or one of the quick reactions; or what has
    happened to a seat during a match. It comes again, with the same number, if somebody has taken
    back what they said: then the text or the name is empty."""

    number: int
    seat: Seat
    text: str | None = None
    reaction: str | None = None
    change: SeatChange | None = None
    """What has happened to the seat; then there is neither a text nor a reaction."""
    name: str | None = None
    """Whose seat it was, for a change."""


ServerMessage = Hello | Update | Done | Refused | TableChanged | TableGone | Ping | Line
