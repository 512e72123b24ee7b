"""The messages on a table's socket, both ways. `docs/protocol.md` is generated from these types.

A client says what it wants; the server says what has happened. Every update carries the whole view,
so a client that missed something needs only the next update.
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
    """Act for one of your seats. If you send it again with the same id, it's answered again and
    done once."""

    id: CommandId
    """Choose your own."""
    seat: Seat
    action: msgspec.Raw
    """One of the game's actions."""
    match: CommandId | None = None
    """As in the update that you're answering, so that a late action isn't done in a later match;
    null for whichever is being played."""


class Sit(FromClient, frozen=True):
    """Ask for the view of one of your seats, or for what everyone sees."""

    seat: Seat | None


class Sync(FromClient, frozen=True):
    """Say what you have. If it isn't the newest, you get one complete update."""

    seq: int
    hash: str
    """Both as in the last update."""


class Pong(FromClient, frozen=True):
    """Answer a ping at once: this is how the connection's delay is measured."""

    n: int
    """As in the ping."""


class React(FromClient, frozen=True):
    """Show everyone at the table a reaction for a moment."""

    reaction: Literal["clap", "laugh", "wow", "think", "hurry", "heart"]


class Chat(FromClient, frozen=True):
    """Say something, if the table has chat: one line of plain text."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=280)]


ClientMessage = Act | Sit | Sync | Pong | React | Chat


class FromServer(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=snake_case):
    """What the server sends."""


class ChairInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A seat, and who sits there."""

    name: str
    """Empty for a free seat, for a bot, and for a person who had their name removed."""
    kind: Literal["free", "person", "bot"]
    level: str | None
    """The level of the bot that plays here."""
    here: bool
    """Whether the person is connected."""
    wins: int
    """How many matches this player has won since sitting down; a shared win counts."""
    stand_in: bool
    """Whether a bot plays for the person, or until someone takes the free seat."""
    stand_in_at: int | None = None
    """When a bot takes over for a person who is away, or a little later; null if none does."""
    muted: bool
    against: tuple[Seat, ...]
    """Seats whose people want this person to leave; if everyone agrees, they have to."""
    for_bot: tuple[Seat, ...]
    """Seats whose people want a bot to play while this person is away; if everyone agrees, it
    does."""
    lag: int | None
    """The measured one-way delay in milliseconds (G10), the smallest of the person's connections;
    null until it's known."""


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What everyone at a table, and everyone with its link, may know about it."""

    id: str
    version: int
    """Counts the changes."""
    game: str
    options: Any
    """The game's Options."""
    agreement: Any
    """What else the host has decided: an Agreement."""
    fewest_players: int
    """How many it takes to play this game."""
    most_players: int
    """How many chairs there can be."""
    chairs: tuple[ChairInfo, ...]
    host_seat: Seat | None
    """The host's seat, the first if they have several; null if the host doesn't sit here."""
    match: int
    """The number of the current or next match, from 1."""
    phase: Literal["lobby", "playing", "over"]
    commitment: str
    """The fingerprint of the secret that the deal is made from."""
    first_game: bool = False
    """Whether this is a newcomer's first match, whose deal is always the same: it doesn't claim to
    be fair, only one person plays it, and it isn't counted in `wins`."""
    again: tuple[Seat, ...]
    """Who wants another match after one; it starts when everyone present does."""
    pausing: tuple[Seat, ...]
    """Who wants a pause, or wants to end it during one."""
    paused: int | None
    """When the pause started; null if there is none."""
    locked: bool
    """Whether nobody new may sit down."""
    circle: str | None = None
    """The circle in which this table's matches count. Such a table is never listed."""


SeatChange = Literal["sat_down", "left", "removed", "stand_in", "back", "moved", "refused_pause"]
"""Someone took a seat, left it, or was removed from it; a bot plays for them, or they play again;
they moved to another device; or they don't want the pause that others asked for."""


class Hello(FromServer, frozen=True, kw_only=True):
    """The first message: which protocol, and who you are here."""

    v: Literal[1] = 1
    table: TableInfo
    yours: tuple[Seat, ...]
    """The seats you hold."""
    host: bool
    """Whether you are the table's host."""
    talk: "tuple[Line, ...]"
    """The latest lines."""
    now: int
    """The server's clock, in milliseconds since 1970."""


class Update(FromServer, frozen=True, kw_only=True):
    """What happened, as your seat may see it, and everything it may know now."""

    match: str
    seq: int
    """How many events there are in the match."""
    seat: Seat | None
    """Whose view this is; null for what everyone sees."""
    events: tuple[Any, ...]
    """The game's events since the last update, as this seat may see them, so that you can show what
    happened. Empty if there's only the view to go by."""
    view: msgspec.Raw
    """The game's View: what this seat may know, and what it may do now (`choices`)."""
    hash: str
    """The hash of the view's bytes: send it back in a sync."""
    awaited: tuple[Seat, ...]
    """The seats that have something to do now."""
    now: int


class Done(FromServer, frozen=True, kw_only=True):
    """It's on disk, and the log has reached `seq`."""

    id: str
    seq: int


class Refused(FromServer, frozen=True, kw_only=True):
    """It wasn't done, and nothing has changed."""

    id: str | None
    """The id of the refused act; null for any other message."""
    reason: str
    """A code, as in the list of reasons."""
    detail: dict[str, Any] = {}
    """What the sentence for this reason needs."""


class TableChanged(FromServer, frozen=True, kw_only=True):
    """Someone came, went, sat down or decided something."""

    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool


class TableGone(FromServer, frozen=True, kw_only=True):
    """The table was deleted. Nothing follows."""


class Ping(FromServer, frozen=True, kw_only=True):
    """Send it back in a pong, at once."""

    n: int


class Line(FromServer, frozen=True, kw_only=True):
    """Something said at the table (a text or a quick reaction), or something that happened to a
    seat during a match. If someone's words or name are removed later, the line comes again with the
    same number, and its text or name is empty."""

    number: int
    seat: Seat
    text: str | None = None
    reaction: str | None = None
    change: SeatChange | None = None
    """What happened to the seat; then there's neither a text nor a reaction."""
    name: str | None = None
    """Whose seat it was, for a change."""


ServerMessage = Hello | Update | Done | Refused | TableChanged | TableGone | Ping | Line
