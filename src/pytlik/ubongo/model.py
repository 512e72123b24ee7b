"""What is in Ubongo's box, and the state of a match, as frozen values."""

from enum import StrEnum
from typing import Annotated, Final, Literal

import msgspec

from pytlik.game import Seat
from pytlik.ubongo.hexes import Hex, Shape


class Colour(StrEnum):
    """The four colours of pieces and tokens (G2, G3)."""

    RED = "red"
    BLUE = "blue"
    GREEN = "green"
    YELLOW = "yellow"


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A side of a card: an area, and for each colour the numbers of the pieces for it (G1)."""

    area: tuple[Hex, ...]
    sets: dict[Colour, tuple[int, ...]]


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle card; its sides are named by how many pieces they take."""

    id: int
    sides: dict[int, Side]


Pieces = dict[Colour, dict[int, Shape]]
"""For each colour the pieces by their number (G2)."""


class Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck file: the cards, and the pieces that they refer to."""

    pytlik_deck: int
    pieces: Pieces
    cards: tuple[Card, ...]


class Gem(StrEnum):
    """The four kinds of gems (G3)."""

    RUBY = "ruby"
    SAPPHIRE = "sapphire"
    EMERALD = "emerald"
    AMBER = "amber"


POINTS = {Gem.RUBY: 4, Gem.SAPPHIRE: 3, Gem.EMERALD: 2, Gem.AMBER: 1}
"""What a gem is worth (G3)."""


Purse = dict[Gem, int]
"""How many there are of each gem; all four have an entry."""


class Ledger(msgspec.Struct, frozen=True, kw_only=True):
    """Where the gems are: in the display, in the bag, and with each seat."""

    display: Purse
    bag: Purse
    held: tuple[Purse, ...]


ROUNDS: Final = 9
"""How many rounds a match has, unless the table wants a shorter one (G5)."""

SideName = Literal[3, 4, 5]
"""A side of a card, by how many pieces it takes."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may choose. The defaults are the rules of the spec."""

    pieces: SideName = 3
    """G4: which side of the cards is played."""
    handicap: tuple[SideName, ...] = ()
    """G4: a side for each seat instead, or nothing."""
    same_puzzle: bool = False
    """Everyone solves the same card with the same pieces."""
    seconds: Annotated[int, msgspec.Meta(ge=30, le=600)] | None = 60
    """G3: how long the sand runs; None for no timer."""
    patience: Annotated[int, msgspec.Meta(ge=30, le=86_400)] | None = 600
    """G15: after how many seconds a deciding round is shared; None for never."""
    rounds: Literal[3, 5, 9] = ROUNDS
    """G5: how many rounds are played, and how many sapphires and ambers are laid out."""


class Deal(msgspec.Struct, frozen=True, kw_only=True):
    """What a player has to solve: a card's side, with the pieces of the player's colour."""

    card: int
    side: SideName
    colour: Colour
    area: tuple[Hex, ...]
    pieces: dict[int, Shape]


class Phase(StrEnum):
    READY = "ready"
    """Waiting until everyone is ready for the next round."""
    COUNTDOWN = "countdown"
    SOLVING = "solving"
    SECOND_CHANCE = "second_chance"
    OVER = "over"


SOLVING_PHASES = (Phase.SOLVING, Phase.SECOND_CHANCE)
"""The phases in which pieces can be placed."""


class Solution(msgspec.Struct, frozen=True, kw_only=True):
    """A solved card, and when it was solved (G10)."""

    seat: Seat
    time: int
    """When it counts as solved: its arrival, less the credited delay."""
    arrived: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The whole truth about a match. Only the engine sees it: everyone else gets a View."""

    options: Options
    players: int
    books: Ledger
    playing: tuple[Seat, ...]
    """Everyone, or in a deciding round those who are tied."""
    deciding: bool = False
    """The last round has ended in a tie (G15)."""
    pieces: Pieces = {}
    cards: tuple[Card, ...] = ()
    """The pile, from the top."""
    round: int = 0
    """The current round, or the last one; a deciding round comes after the last."""
    phase: Phase = Phase.READY
    ready: frozenset[Seat] = frozenset()
    starts: int | None = None
    """When the countdown will be over."""
    began: int | None = None
    """When the round's cards were shown."""
    resumes: int | None = None
    """When everyone went on after the last pause of the round, or will."""
    sand: int | None = None
    patience: int | None = None
    deals: dict[Seat, Deal] = {}
    """The cards of the current round, or of the last one."""
    placed: dict[Seat, dict[int, Shape]] = {}
    solutions: tuple[Solution, ...] = ()
    """In the order of their arrival."""
    settled: tuple[Seat, ...] = ()
    """Who solved, in the order that counts."""
    gave_up: frozenset[Seat] = frozenset()
    winners: tuple[Seat, ...] = ()
    """Of the match."""

    @property
    def solved(self) -> frozenset[Seat]:
        return frozenset(solution.seat for solution in self.solutions)

    def side(self, seat: Seat) -> SideName:
        return self.options.handicap[seat] if self.options.handicap else self.options.pieces
