"""What can be asked for in Unikat, and what can happen."""

from typing import Annotated, Literal

import msgspec

from pytlik.game import Action as BaseAction
from pytlik.game import Event as BaseEvent
from pytlik.game import Hidden, Malformed, Ready, Reason, Seat
from pytlik.unikat.model import Chain, Ended, Hand, Options, Tile

BAG = "bag"

# \Z and not $, which would let a line break pass.
Take = Annotated[str, msgspec.Meta(pattern=r"^(?:[0-2]{4}|bag)\Z")]
"""What is taken: a tile of the display, or "bag"."""


Source = Literal["display", "bag"]


class Lay(BaseAction, frozen=True):
    tiles: Chain


class Swap(BaseAction, frozen=True):
    give: Tile
    take: Take


class Decline(BaseAction, frozen=True):
    """The extra action of a double turn is not wanted."""


class Draw(BaseAction, frozen=True):
    take: Take


class Pass(BaseAction, frozen=True):
    """Nothing can be laid or swapped (U6)."""


TurnAction = Lay | Swap | Decline | Draw | Pass
"""What belongs to a turn: all that a position knows."""

Action = TurnAction | Ready


class MatchOpened(BaseEvent, frozen=True, kw_only=True):
    game: Literal["unikat"] = "unikat"
    players: Annotated[int, msgspec.Meta(ge=2, le=4)]
    options: Options
    commitment: str
    shares: tuple[str, ...]


class RoundDealt(BaseEvent, frozen=True, kw_only=True):
    """Where all 81 tiles are, in the order in which they came and will come out of the bag (U3)."""

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

IN_TURNS = (
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
"""What happens in turns: the next deal leaves nothing of it."""


def shown(tile: Tile | Hidden) -> Tile:
    """The tile, where it must be known: a stored event hides nothing, a masked one may."""
    if isinstance(tile, Hidden):
        raise Malformed(Reason.BAD_FILE, problem="hidden tile")
    return tile
