"""Ubongo's actions and events."""

from typing import Annotated, Literal

import msgspec

from pytlik.game import Action as BaseAction
from pytlik.game import Event as BaseEvent
from pytlik.game import Expire, Hidden, Ready, Seat, Shift
from pytlik.ubongo.hexes import Hex, Shape
from pytlik.ubongo.model import Card, Deal, Gem, Options, Pieces


class Place(BaseAction, frozen=True):
    """Put a piece onto these cells; if it already lies on the card, it is moved."""

    piece: int
    cells: Annotated[tuple[Hex, ...], msgspec.Meta(max_length=12)]


class Lift(BaseAction, frozen=True):
    piece: int


class GiveUp(BaseAction, frozen=True):
    """Stop solving in this round."""


Action = Place | Lift | GiveUp | Ready | Expire | Shift


class MatchOpened(BaseEvent, frozen=True, kw_only=True):
    game: Literal["ubongo"] = "ubongo"
    players: Annotated[int, msgspec.Meta(ge=2, le=4)]
    options: Options
    commitment: str
    shares: tuple[str, ...]


class DeckShuffled(BaseEvent, frozen=True, kw_only=True):
    """The pieces in use, and the cards in the order in which they will come."""

    pieces: Pieces
    cards: tuple[Card, ...] | Hidden


class SeatReady(BaseEvent, frozen=True, kw_only=True):
    seat: Seat


class CountdownBegan(BaseEvent, frozen=True, kw_only=True):
    round: int
    starts: int


class RoundBegan(BaseEvent, frozen=True, kw_only=True):
    """Everyone sees their card, and the timer is turned (G6, G7)."""

    round: int
    deals: dict[Seat, Deal]
    cards: int
    """How many cards were taken from the pile."""
    sand: int | None
    """When the sand will have run out."""
    patience: int | None
    """When the table's patience with a deciding round ends (G15)."""


class PiecePlaced(BaseEvent, frozen=True, kw_only=True):
    seat: Seat
    piece: int
    cells: Shape
    lag: int
    """The connection's measured one-way delay, as far as it may be credited."""


class PieceLifted(BaseEvent, frozen=True, kw_only=True):
    seat: Seat
    piece: int
    lag: int


class PieceMoved(BaseEvent, frozen=True, kw_only=True):
    """What others see when a piece is placed or lifted (G16). It is never stored."""

    seat: Seat


class CardSolved(BaseEvent, frozen=True, kw_only=True):
    seat: Seat
    time: int
    lag: int


class SolutionSettled(BaseEvent, frozen=True, kw_only=True):
    """Nobody can turn out to have been earlier (G10). The first has rank 0."""

    seat: Seat
    rank: int


class GemTaken(BaseEvent, frozen=True, kw_only=True):
    seat: Seat
    gem: Gem
    source: Literal["display", "bag"]


class GemBagged(BaseEvent, frozen=True, kw_only=True):
    """A gem goes from the display into the bag (G11, G12)."""

    gem: Gem


class SeatGaveUp(BaseEvent, frozen=True, kw_only=True):
    seat: Seat
    lag: int


class SandRanOut(BaseEvent, frozen=True, kw_only=True):
    pass


class PatienceEnded(BaseEvent, frozen=True, kw_only=True):
    pass


class SecondChanceBegan(BaseEvent, frozen=True, kw_only=True):
    sand: int


class ClocksShifted(BaseEvent, frozen=True, kw_only=True):
    """All deadlines and starting times are moved by this many milliseconds: forwards after a pause
    or downtime; back where people didn't wait for bots, as if that time had passed."""

    by: int
    resumes: int | None = None
    """When everyone goes on, if there is a countdown first; it is part of `by`."""


class RoundEnded(BaseEvent, frozen=True, kw_only=True):
    round: int


class TieFound(BaseEvent, frozen=True, kw_only=True):
    """These seats go to a deciding round (G15)."""

    seats: tuple[Seat, ...]


class MatchEnded(BaseEvent, frozen=True, kw_only=True):
    winners: tuple[Seat, ...]
    points: tuple[int, ...]


Event = (
    MatchOpened
    | DeckShuffled
    | SeatReady
    | CountdownBegan
    | RoundBegan
    | PiecePlaced
    | PieceLifted
    | PieceMoved
    | CardSolved
    | SolutionSettled
    | GemTaken
    | GemBagged
    | SeatGaveUp
    | SandRanOut
    | PatienceEnded
    | SecondChanceBegan
    | ClocksShifted
    | RoundEnded
    | TieFound
    | MatchEnded
)
