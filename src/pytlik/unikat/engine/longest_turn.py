"""The most tiles that a seat can lay in its turn, with the extra action of a double turn (U10).

The kernel searches; this module translates from and to the rules' values.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pytlik.unikat.engine import kernel
from pytlik.unikat.engine.kernel import Round
from pytlik.unikat.engine.kernel_bridge import from_view, placements_of_steps
from pytlik.unikat.model import Chain
from pytlik.unikat.view import View

MAX_SEARCH_NODES = 1_000_000
"""Enough for an exact answer in any position that games have led to."""


class Turn(NamedTuple):
    """What a turn can lay: a chain, and another one if the first earns a double turn."""

    first: Chain
    second: Chain
    exact: bool
    """Whether it is certain that no turn lays more."""

    @property
    def tiles(self) -> int:
        return len(self.first) + len(self.second)


def longest_turn(view: View, nodes: int = MAX_SEARCH_NODES) -> Turn:
    """A turn, or the rest of one, that lays as many tiles as possible. After `nodes` nodes the
    search stops with the best that it has found."""
    if not view.choices.lay:
        return Turn((), (), exact=True)
    round_ = from_view(view, 0)
    first, second, exact = kernel.longest_turn(round_, nodes)
    return turn_of_steps(round_, first, second, exact=exact)


def longest_chain(view: View) -> Chain:
    """The most tiles that one action can lay."""
    if not view.choices.lay:
        return ()
    round_ = from_view(view, 0)
    return placements_of_steps(round_, kernel.longest_chain(round_, MAX_SEARCH_NODES))


def different_turns(view: View, count: int, limit: int = 3000) -> list[Turn]:
    """Turns that differ in what their first chain leaves in the hand, most tiles first. At most
    `limit` chains are searched."""
    round_ = from_view(view, 0)
    cells = dict.fromkeys(cell for cells in view.choices.lay.values() for cell in cells)
    starts = [(cell.x, cell.y) for cell in cells]
    found = kernel.different_turns(round_, starts, 2 * count, limit, MAX_SEARCH_NODES)
    turns = [turn_of_steps(round_, first, second, exact=exact) for first, second, exact in found]
    return sorted(turns, key=lambda turn: -turn.tiles)[:count]


def turn_of_steps(
    round_: Round, first: Sequence[int], second: Sequence[int], *, exact: bool
) -> Turn:
    chain = placements_of_steps(round_, (*first, *second))
    length = sum(step < kernel.GIVE for step in first)
    return Turn(chain[:length], chain[length:], exact)


def count_layouts(view: View, tiles: int, most: int) -> int:
    """The number of ways the table can look after a turn that lays `tiles` tiles, which must be the
    most that it can lay. Counting stops at `most`."""
    return kernel.count_layouts(from_view(view, 0), tiles, most)
