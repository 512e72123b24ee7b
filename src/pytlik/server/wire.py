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


class Asked(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=snake_case
):
    """What a client sends."""


class Act(Asked, frozen=True):
    """Do this for a seat that is mine. Sent again with the same id it is answered again, and done
    once."""

    id: CommandId
    seat: Seat
    action: msgspec.Raw


class Sit(Asked, frozen=True):
    """Show me what this seat sees, which is mine; null: what everyone sees."""

    seat: Seat | None


class Sync(Asked, frozen=True):
    """This is what I have. If it is not what there is, send me one whole update."""

    seq: int
    hash: str


class Pong(Asked, frozen=True):
    """The answer to a ping, at once: so the connection's delay is measured."""

    n: int


class React(Asked, frozen=True):
    reaction: Literal["clap", "laugh", "wow", "think", "hurry", "heart"]


class Chat(Asked, frozen=True):
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=280)]


ClientMessage = Act | Sit | Sync | Pong | React | Chat


class Said(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=snake_case):
    """What the server sends."""


class ChairInfo(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    kind: Literal["free", "person", "bot"]
    level: str | None
    """Of the bot that acts here."""
    here: bool
    """Whether the person is connected."""
    stand_in: bool
    muted: bool
    lag: int | None
    """The measured one-way delay in milliseconds (G10)."""


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What everyone at a table, and everyone with its link, may know of it."""

    id: str
    version: int
    game: str
    options: Any
    agreement: Any
    chairs: tuple[ChairInfo, ...]
    match: int
    phase: Literal["lobby", "playing", "over"]
    commitment: str
    pausing: tuple[Seat, ...]
    paused: int | None


class Hello(Said, frozen=True, kw_only=True):
    """The first message: which protocol, and who you are here."""

    v: Literal[1] = 1
    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool
    now: int


class Update(Said, frozen=True, kw_only=True):
    """What has happened, as your seat may see it, and all that it may know now."""

    match: str
    seq: int
    seat: Seat | None
    events: tuple[Any, ...]
    view: msgspec.Raw
    hash: str
    """Of the view's bytes: send it back in a sync."""
    now: int


class Done(Said, frozen=True, kw_only=True):
    """It is on disk; the log has reached `seq` with it."""

    id: str
    seq: int


class Refused(Said, frozen=True, kw_only=True):
    id: str | None
    reason: str
    detail: dict[str, Any] = {}


class TableChanged(Said, frozen=True, kw_only=True):
    table: TableInfo
    yours: tuple[Seat, ...]
    host: bool


class TableGone(Said, frozen=True, kw_only=True):
    pass


class Ping(Said, frozen=True, kw_only=True):
    n: int


class Reacted(Said, frozen=True, kw_only=True):
    seat: Seat
    reaction: str


class Chatted(Said, frozen=True, kw_only=True):
    seat: Seat
    text: str


ServerMessage = (
    Hello | Update | Done | Refused | TableChanged | TableGone | Ping | Reacted | Chatted
)
