"""Actions, which players request, and events, which happen."""

from typing import Annotated, Literal

import msgspec

from pytlik.game import Action as BaseAction
from pytlik.game import Event as BaseEvent
from pytlik.game import Hidden, Malformed, Ready, Reason, Seat
from pytlik.unikat.model import Chain, Ended, Hand, Options, Tile

BAG = "bag"

# \Z, because $ would allow a line break at the end.
Take = Annotated[str, msgspec.Meta(pattern=r"^(?:[0-2]{4}|bag)\Z")]
"""What is taken: a tile of the display, or "bag"."""


Source = Literal["display", "bag"]


class Lay(BaseAction, frozen=True):
    tiles: Chain


class Swap(BaseAction, frozen=True):
    give: Tile
    take: Take


class Decline(BaseAction, frozen=True):
    """Do without the extra action of a double turn."""


class Draw(BaseAction, frozen=True):
    take: Take


class Pass(BaseAction, frozen=True):
    """End a turn in which nothing can be laid or swapped (U6)."""


TurnAction = Lay | Swap | Decline | Draw | Pass
"""The actions within a round, the only ones that a position allows."""

Action = TurnAction | Ready


class MatchOpened(BaseEvent, frozen=True, kw_only=True):
    game: Literal["unikat"] = "unikat"
    players: Annotated[int, msgspec.Meta(ge=2, le=4)]
    options: Options
    commitment: str
    shares: tuple[str, ...]


class RoundDealt(BaseEvent, frozen=True, kw_only=True):
    """Where all 81 tiles are, in the order in which they leave the bag (U3)."""

    round: int
    starter: Seat
    hands: tuple[tuple[Tile | Hidden, ...], ...]
    display: tuple[Tile, ...]
    start: Tile
    bag: tuple[Tile | Hidden, ...]


class ChainLaid(BaseEvent, frozen=True, kw_only=True):
    seat: Seat
    tiles: Chain


class BonusEarned(BaseEvent, frozen=True, kw_only=True):
    seat: Seat


class BonusDeclined(BaseEvent, frozen=True, kw_only=True):
    seat: Seat


class TileSwapped(BaseEvent, frozen=True, kw_only=True):
    seat: Seat
    give: Tile
    take: Tile | Hidden
    source: Source


class DrawOwed(BaseEvent, frozen=True, kw_only=True):
    """The turn ends with fewer than ten tiles: one must be taken (U13)."""

    seat: Seat


class TileDrawn(BaseEvent, frozen=True, kw_only=True):
    seat: Seat
    tile: Tile | Hidden
    source: Source


class DisplayFilled(BaseEvent, frozen=True, kw_only=True):
    tiles: tuple[Tile, ...]


class TurnPassed(BaseEvent, frozen=True, kw_only=True):
    seat: Seat


class TurnEnded(BaseEvent, frozen=True, kw_only=True):
    seat: Seat
    next: Seat


class RoundEnded(BaseEvent, frozen=True, kw_only=True):
    winners: tuple[Seat, ...]
    ended: Ended
    hands: tuple[Hand, ...]


class SeatReady(BaseEvent, frozen=True, kw_only=True):
    seat: Seat


class MatchEnded(BaseEvent, frozen=True, kw_only=True):
    winners: tuple[Seat, ...]
    points: tuple[int, ...]


Event = (
    MatchOpened
    | RoundDealt
    | ChainLaid
    | BonusEarned
    | BonusDeclined
    | TileSwapped
    | DrawOwed
    | TileDrawn
    | DisplayFilled
    | TurnPassed
    | TurnEnded
    | RoundEnded
    | SeatReady
    | MatchEnded
)

TURN_EVENTS = (
    ChainLaid,
    BonusEarned,
    BonusDeclined,
    TileSwapped,
    DrawOwed,
    TileDrawn,
    DisplayFilled,
    TurnPassed,
    TurnEnded,
)
"""Events within turns: the next deal undoes all their effects."""


def require_visible(tile: Tile | Hidden) -> Tile:
    """The tile, which must not be hidden: stored events hide nothing, masked ones may."""
    if isinstance(tile, Hidden):
        raise Malformed(Reason.BAD_FILE, problem="hidden tile")
    return tile
