"""The most tiles that a seat can lay in its turn, with the extra action of a double turn (U10).

Tiles are bits of a number, and the table says for each cell which tiles of the hand may touch what
lies there. A chain is a path in the graph of the tiles that may touch each other: how long a path
can be if places don't matter is quickly known, and bounds the search over places.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from pytlik.unikat.model import PARTNERS, Cell, Chain, Hand, Phase, Placement, Tile
from pytlik.unikat.view import View

NODES = 1_000_000

Steps = tuple[tuple[int, Cell], ...]
"""A chain, with a tile's number in the hand for the tile."""


class Turn(NamedTuple):
    """What a turn can lay: a chain, and another one if the first earns a double turn."""

    first: Chain
    second: Chain
    exact: bool
    """Whether all that is possible was seen, or ruled out."""

    @property
    def tiles(self) -> int:
        return len(self.first) + len(self.second)


def longest_turn(view: View, nodes: int = NODES) -> Turn:
    """A turn that lays as many tiles as possible; where it has begun, of what is still to come.

    After so many nodes the search is given up, with the best that it has found so far.
    """
    search = _Search(view, nodes)
    left, exact = search.everything, True
    try:
        # A single chain is found soon, and its length cuts most of the search for two.
        search.lay(search.starts, left, chain=(), before=())
        if view.phase is Phase.ACTION:
            search.turn(search.starts, left, chain=(), begins=search.begins, bonus=False)
    except _Spent:
        exact = False
    first, second = map(search.placements, search.best)
    return Turn(first, second, exact)


def completed(view: View, chain: Chain) -> Turn:
    """The turn that begins with this chain, which must be legal, and goes on with most tiles."""
    search = _Search(view, NODES)
    before = tuple((view.hand.index(placed.tile), placed.cell) for placed in chain)
    left, bonus = search.everything, False
    for tile, cell in before:
        bonus = bonus or search.touched(cell) > 1
        search.table[cell] = search.touch[tile]
        left ^= 1 << tile
    exact = True
    if bonus and view.phase is Phase.ACTION:
        try:
            search.lay(search.second_starts(before), left, chain=(), before=before)
        except _Spent:
            exact = False
    return Turn(chain, search.placements(search.best[1]), exact)


def different_turns(view: View, count: int, nodes: int = 3000) -> list[Turn]:
    """Turns that differ in what their first chain leaves in the hand, most tiles first."""
    search = _Search(view, nodes)
    found = dict[int, tuple[int, Steps]]()
    try:
        for chain, left, bonus in search.chains(search.starts, search.everything, chain=()):
            bound = len(chain) + (search.paths(search.everything, left) if bonus else 0)
            if bound > found.get(left, (0, ()))[0]:
                found[left] = bound, chain
    except _Spent:
        pass
    promising = sorted(found.values(), key=lambda bound_chain: -bound_chain[0])[: 2 * count]
    turns = [completed(view, search.placements(chain)) for _, chain in promising]
    return sorted(turns, key=lambda turn: -turn.tiles)[:count]


def longest_chain(view: View) -> Chain:
    """The most tiles that one action can lay."""
    search = _Search(view, NODES)
    search.lay(search.starts, search.everything, chain=(), before=())
    return search.placements(search.best[0])


def layouts(view: View, tiles: int, most: int) -> int:
    """In how many ways the table can look after a turn that lays so many tiles, which must be the
    most that it can lay. Not counted further than `most`."""
    search = _Search(view, NODES)
    found = set[frozenset[tuple[int, Cell]]]()
    for steps in search.turns_of(tiles):
        found.add(frozenset(steps))
        if len(found) == most:
            break
    return len(found)


class _Spent(Exception):
    """The search has had its number of nodes."""


class _Search:
    def __init__(self, view: View, nodes: int) -> None:
        self.hand = view.hand
        self.everything = (1 << len(view.hand)) - 1
        self.nodes = nodes
        self.best: tuple[Steps, Steps] = ((), ())
        self.found = 0
        self.seen = set[tuple[int, Cell, int, bool]]()
        self.touch = [_partners(view.hand, tile) for tile in view.hand]
        self.table = {
            Cell(stone.x, stone.y): _partners(view.hand, stone.tile) for stone in view.board
        }
        begin = (cell for cells in view.choices.lay.values() for cell in cells)
        self.starts = tuple(dict.fromkeys(begin))
        self.begins = sum(1 << view.hand.index(tile) for tile in view.choices.lay)
        self.continues = view.options.extra_action == "continue"
        self.path = cache(self._path)
        self.paths = cache(self._paths)
        self.two_paths = cache(self._two_paths)

    def _path(self, end: int, left: int) -> int:
        """The most tiles of `left` with which a chain can go on after tile `end`."""
        return self.paths(self.touch[end], left)

    def _paths(self, begins: int, left: int) -> int:
        """The most tiles of `left` in a chain that begins with one of `begins`."""
        ways = _ones(begins & left)
        return max((1 + self.path(tile, left ^ 1 << tile) for tile in ways), default=0)

    def _two_paths(self, end: int, begins: int, left: int) -> int:
        """The most tiles with which a chain can go on after `end` and another follow, which
        begins with one of `begins` or next to the chain."""
        ways = _ones(self.touch[end] & left)
        longer = (
            1 + self.two_paths(tile, begins | self.touch[tile], left ^ 1 << tile) for tile in ways
        )
        return max((self.paths(begins, left), *longer))

    def steps(self, cells: Iterable[Cell], left: int) -> Iterator[tuple[int, Cell, bool]]:
        """The tiles of `left` that may be laid on one of the cells, and if that earns a bonus."""
        table = self.table
        for cell in cells:
            if cell in table:
                continue
            fits, touched = left, 0
            for near in cell.neighbours():
                if near in table:
                    fits &= table[near]
                    touched += 1
            for tile in _ones(fits):
                yield tile, cell, touched > 1

    def touched(self, cell: Cell) -> int:
        return sum(near in self.table for near in cell.neighbours())

    def placements(self, chain: Steps) -> Chain:
        return tuple(Placement(self.hand[tile], cell.x, cell.y) for tile, cell in chain)

    def spend(self) -> None:
        self.nodes -= 1
        if self.nodes < 0:
            raise _Spent

    def note(self, first: Steps, second: Steps) -> None:
        self.spend()
        if len(first) + len(second) > self.found:
            self.best = first, second
            self.found = len(first) + len(second)

    def lay(self, cells: Iterable[Cell], left: int, *, chain: Steps, before: Steps) -> None:
        """Look for the longest chain, as the only one or after the one that was laid before."""
        self.note(before or chain, chain if before else ())
        ways = [
            (-self.path(tile, left ^ 1 << tile), tile, cell)
            for tile, cell, _ in self.steps(cells, left)
        ]
        for bound, tile, cell in sorted(ways):
            if len(before) + len(chain) + 1 - bound <= self.found:
                return
            self.table[cell] = self.touch[tile]
            longer = (*chain, (tile, cell))
            self.lay(cell.neighbours(), left ^ 1 << tile, chain=longer, before=before)
            del self.table[cell]

    def turn(
        self, cells: Iterable[Cell], left: int, *, chain: Steps, begins: int, bonus: bool
    ) -> None:
        """Look for the chain that, with a second one if it earns that, lays most."""
        if bonus and len(chain) + self.paths(begins, left) > self.found:
            self.lay(self.second_starts(chain), left, chain=(), before=chain)
        ways = [
            (
                -self.two_paths(tile, begins | self.touch[tile], left ^ 1 << tile),
                tile,
                cell,
                bonus or earns,
            )
            for tile, cell, earns in self.steps(cells, left)
        ]
        self.note(chain, ())
        for bound, tile, cell, earned in sorted(ways):
            if len(chain) + 1 - bound <= self.found:
                return
            self.table[cell] = self.touch[tile]
            self.turn(
                cell.neighbours(),
                left ^ 1 << tile,
                chain=(*chain, (tile, cell)),
                begins=begins | self.touch[tile],
                bonus=earned,
            )
            del self.table[cell]

    def turns_of(self, tiles: int) -> Iterator[Steps]:
        """All turns that lay so many tiles, the chains of a double turn as one."""
        return self._turns_of(tiles, self.starts, self.everything, (), self.begins, bonus=False)

    def _turns_of(
        self,
        tiles: int,
        cells: Iterable[Cell],
        left: int,
        chain: Steps,
        begins: int,
        *,
        bonus: bool,
    ) -> Iterator[Steps]:
        if len(chain) == tiles:
            yield chain
            return
        if bonus and len(chain) + self.paths(begins, left) >= tiles:
            yield from self._chains_of(tiles, self.second_starts(chain), left, chain)
        for tile, cell, earns in [*self.steps(cells, left)]:
            rest, more = left ^ 1 << tile, begins | self.touch[tile]
            if len(chain) + 1 + self.two_paths(tile, more, rest) < tiles:
                continue
            self.table[cell] = self.touch[tile]
            longer = (*chain, (tile, cell))
            yield from self._turns_of(
                tiles, cell.neighbours(), rest, longer, more, bonus=bonus or earns
            )
            del self.table[cell]

    def _chains_of(
        self, tiles: int, cells: Iterable[Cell], left: int, chain: Steps
    ) -> Iterator[Steps]:
        if len(chain) == tiles:
            yield chain
            return
        for tile, cell, _ in [*self.steps(cells, left)]:
            rest = left ^ 1 << tile
            if len(chain) + 1 + self.path(tile, rest) < tiles:
                continue
            self.table[cell] = self.touch[tile]
            yield from self._chains_of(tiles, cell.neighbours(), rest, (*chain, (tile, cell)))
            del self.table[cell]

    def chains(
        self, cells: Iterable[Cell], left: int, *, chain: Steps, bonus: bool = False
    ) -> Iterator[tuple[Steps, int, bool]]:
        """Chains with what they leave and whether they earn a bonus. Of those that are alike in
        this and in where and with what they end only the first is gone on with."""
        for tile, cell, earns in self.steps(cells, left):
            rest, earned = left ^ 1 << tile, bonus or earns
            if (tile, cell, rest, earned) in self.seen:
                continue
            self.seen.add((tile, cell, rest, earned))
            self.spend()
            longer = (*chain, (tile, cell))
            yield longer, rest, earned
            self.table[cell] = self.touch[tile]
            yield from self.chains(cell.neighbours(), rest, chain=longer, bonus=earned)
            del self.table[cell]

    def second_starts(self, chain: Steps) -> Iterable[Cell]:
        """Where the second chain may begin (U10)."""
        if self.continues:
            return chain[-1][1].neighbours()
        beside = (near for _, cell in chain for near in cell.neighbours())
        return dict.fromkeys((*self.starts, *beside))


def _partners(hand: Hand, tile: Tile) -> int:
    """Which tiles of a hand may touch a tile."""
    return sum(1 << place for place, other in enumerate(hand) if other in PARTNERS[tile])


def _ones(bits: int) -> Iterator[int]:
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1
