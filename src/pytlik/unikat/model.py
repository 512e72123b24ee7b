"""Tiles, board, options and state, as frozen values."""

from collections.abc import ItemsView, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from itertools import product
from typing import Annotated, Literal, NamedTuple

import msgspec

from pytlik.game import Seat
from pytlik.score_sheet import Sheet, StarterRule

HAND_SIZE = 10
DISPLAY_SIZE = 3

FEATURES = ("shape", "colour", "size", "background")


class Tile(StrEnum):
    """One of the 81 tiles: a digit for each feature (U1)."""

    _ignore_ = ["code"]  # noqa: RUF012 - enum reads this list and removes it
    for code in map("".join, product("012", repeat=4)):
        vars()["T" + code] = code

    def __repr__(self) -> str:
        return f"Tile({self.value!r})"

    def differing_features(self, other: "Tile") -> tuple[str, ...]:
        """The features in which two tiles differ."""
        pairs = zip(FEATURES, self.value, other.value, strict=True)
        return tuple(name for name, mine, theirs in pairs if mine != theirs)


TILES: tuple[Tile, ...] = tuple(Tile)

PARTNERS: Mapping[Tile, frozenset[Tile]] = {
    tile: frozenset(other for other in TILES if len(tile.differing_features(other)) == 1)
    for tile in TILES
}
"""For each tile, the 8 tiles that may touch it: they differ in exactly one feature (U8)."""


class Cell(NamedTuple):
    """A place on the table, which has no border (U7)."""

    x: int
    y: int

    def __repr__(self) -> str:
        return f"Cell({self.x}, {self.y})"

    @lru_cache(maxsize=1 << 14)  # noqa: B019 - cells are small values, and asked often
    def neighbours(self) -> "tuple[Cell, Cell, Cell, Cell]":
        x, y = self
        return Cell(x, y - 1), Cell(x + 1, y), Cell(x, y + 1), Cell(x - 1, y)


class Placement(NamedTuple):
    """A tile and where it is laid."""

    tile: Tile
    x: int
    y: int

    def __repr__(self) -> str:
        return f"Placement({self.tile!r}, {self.x}, {self.y})"

    @property
    def cell(self) -> Cell:
        return Cell(self.x, self.y)


Chain = tuple[Placement, ...]
Hand = tuple[Tile, ...]


class Stone(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A tile on the table, with its fields in the order in which positions write them."""

    x: int
    y: int
    tile: Tile


class Board(Mapping[Cell, Tile]):
    """The tiles on the table in the order of laying. Immutable."""

    __slots__ = ("_tiles", "edge", "stones")
    _tiles: dict[Cell, Tile]

    def __init__(self, placements: Iterable[Placement] = (), before: "Board | None" = None) -> None:
        """The placements, laid after those of another board."""
        placements = tuple(placements)
        tiles: dict[Cell, Tile] = dict(before.items()) if before else {}
        edge: dict[Cell, frozenset[Tile]] = dict(before.edge) if before else {}
        for tile, x, y in placements:
            cell = Cell(x, y)
            tiles[cell] = tile
            edge.pop(cell, None)
            partners = PARTNERS[tile]
            for near in cell.neighbours():
                if near not in tiles:
                    edge[near] = edge[near] & partners if near in edge else partners
        self._tiles = tiles
        self.edge: Mapping[Cell, frozenset[Tile]] = edge
        """The empty cells next to a tile, each with the tiles that fit there (U8)."""
        new = tuple(Stone(x, y, tile) for tile, x, y in placements)
        self.stones: tuple[Stone, ...] = (*before.stones, *new) if before else new

    def __getitem__(self, cell: Cell) -> Tile:
        return self._tiles[cell]

    # Mapping would provide the next few methods, but many times slower.
    def __contains__(self, cell: object) -> bool:
        return cell in self._tiles

    def items(self) -> ItemsView[Cell, Tile]:
        return self._tiles.items()

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._tiles)

    def __len__(self) -> int:
        return len(self._tiles)

    def __hash__(self) -> int:
        return hash(frozenset(self._tiles.items()))

    def __repr__(self) -> str:
        return f"Board({list(self.placements())})"

    def placements(self) -> Iterator[Placement]:
        return (Placement(tile, cell.x, cell.y) for cell, tile in self._tiles.items())

    def with_chain(self, chain: Iterable[Placement]) -> "Board":
        return Board(chain, self)

    @property
    def last(self) -> Cell:
        """The cell of the tile laid last."""
        return next(reversed(self._tiles))

    def touching(self, cell: Cell) -> dict[Cell, Tile]:
        """The tiles next to a cell (U7)."""
        return {near: self._tiles[near] for near in cell.neighbours() if near in self._tiles}


class Phase(StrEnum):
    ACTION = "action"
    BONUS = "bonus"
    DRAW = "draw"
    OVER = "over"


Ended = Literal["last tile", "blocked"]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may choose. The defaults are the rules of the spec."""

    rounds: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    """U17."""
    starter: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None
    """U4: the seat that starts; drawn at random if there is none."""
    next_starter: StarterRule = "same"
    """U4: who starts the rounds after the first."""
    extra_action: Literal["anywhere", "continue"] = "anywhere"
    """U10: where the tiles of an extra action may start."""
    blocked: tuple[
        Annotated[int, msgspec.Meta(ge=1, le=1000)], Annotated[int, msgspec.Meta(ge=1, le=1000)]
    ] = (2, 20)
    """U16: turns per player without a lay that end the round, with an empty bag and with any."""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The whole truth about a match. Only the rules see it; everyone else gets a View."""

    options: Options
    players: int
    sheet: Sheet = ()
    round: int = 0
    starter: Seat = 0
    board: Board = Board()
    hands: tuple[Hand, ...] = ()
    known: tuple[frozenset[Tile], ...] = ()
    """For each hand, the tiles that everyone has seen going into it (U18)."""
    display: tuple[Tile, ...] = ()
    bag: tuple[Tile, ...] = ()
    """In drawing order."""
    to_move: Seat = 0
    phase: Phase = Phase.OVER
    laid: bool = False
    """Whether a chain was laid in this turn (U16)."""
    quiet_turns: int = 0
    """Finished turns in a row without a lay (U16)."""
    latest: Chain = ()
    """What was laid in the latest turn with a lay."""
    winners: tuple[Seat, ...] = ()
    """Of the round."""
    ended: Ended | None = None
    ready: frozenset[Seat] = frozenset()
    """Who is ready for the next round."""

    @property
    def hand(self) -> Hand:
        return self.hands[self.to_move]

    @property
    def finished(self) -> bool:
        """Whether the whole match is over, not just a round."""
        return len(self.sheet) == self.options.rounds
