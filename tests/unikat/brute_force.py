"""What the searches must find, by brute force with the readable rules."""

from collections.abc import Iterable, Iterator
from functools import cache

from pytlik.chance import from_text
from pytlik.game import replay
from pytlik.unikat.legal import chains
from pytlik.unikat.messages import Lay
from pytlik.unikat.model import PARTNERS, TILES, Chain, Phase, State
from pytlik.unikat.rules import apply, decide

CHANCE = from_text("brute force")


def all_laid_turns(state: State) -> Iterator[Chain]:
    """The tiles of every possible turn, with both chains of a double turn as one."""
    for first in chains(state):
        yield first
        events = decide(state, state.to_move, Lay(first), CHANCE, 0)
        after = replay(apply, events, state)
        if state.phase is Phase.ACTION and after.phase is Phase.BONUS:
            yield from ((*first, *second) for second in chains(after))


def most_tiles_in_a_turn(state: State) -> int:
    return max(map(len, all_laid_turns(state)), default=0)


def count_layouts(state: State, tiles: int) -> int:
    """In how many ways the board can look after a turn that lays this number of tiles."""
    return len({frozenset(turn) for turn in all_laid_turns(state) if len(turn) == tiles})


def fewest_chains(tiles: Iterable[int]) -> int:
    """The fewest chains that lay all these tiles, given as the kernel's numbers, if places don't
    matter."""

    @cache
    def cost(left: frozenset[int], end: int) -> int:
        """The fewest further chains, if one that ends with tile `end` can be continued."""
        return min(
            (
                cost(left - {tile}, tile) + (TILES[tile] not in PARTNERS[TILES[end]])
                for tile in left
            ),
            default=0,
        )

    hand = frozenset(tiles)
    return min((1 + cost(hand - {tile}, tile) for tile in hand), default=0)
