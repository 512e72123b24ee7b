"""Baseline bots: one acts at random, and two always lay as many tiles as they can. One of those
also swaps and draws with a purpose."""

from collections.abc import Callable, Iterable, Iterator

from pytlik.chance import Stream
from pytlik.game import Budget, Ready
from pytlik.unikat.bots.bot import DEFAULT_BUDGET, nothing_to_do
from pytlik.unikat.engine.longest_turn import longest_chain, longest_turn
from pytlik.unikat.legal import extensions
from pytlik.unikat.messages import BAG, Action, Decline, Draw, Lay, Pass, Swap, TurnAction
from pytlik.unikat.model import PARTNERS, Cell, Placement, Tile
from pytlik.unikat.view import View

MAX_SEARCH_NODES = 5_000
"""Limit of the search for the longest turn. Few turns reach it."""


def random_bot(view: View, stream: Stream, _: Budget = DEFAULT_BUDGET) -> Action:
    """Choose a random kind of action, then a random way to do it."""
    choices = view.choices
    kinds: list[Callable[[], Action]] = []
    if choices.lay:
        kinds.append(lambda: random_lay(view, stream))
    if choices.swap:
        kinds.append(lambda: Swap(stream.choice(view.hand), stream.choice(choices.take)))
    if choices.draw:
        kinds.append(lambda: Draw(stream.choice(choices.take)))
    if choices.decline:
        kinds.append(Decline)
    if choices.pass_:
        kinds.append(Pass)
    if choices.ready:
        kinds.append(Ready)
    if not kinds:
        raise nothing_to_do(view)
    return stream.choice(kinds)()


def random_lay(view: View, stream: Stream) -> Lay:
    """Choose a random first tile, then at each step another one or none: there may be too many
    chains to list them all."""
    table = {Cell(stone.x, stone.y): stone.tile for stone in view.board}
    hand = set(view.hand)
    places = [Placement(tile, *cell) for tile, cells in view.choices.lay.items() for cell in cells]
    chain = [stream.choice(places)]
    while True:
        last = chain[-1]
        table[last.cell] = last.tile
        hand.remove(last.tile)
        places = extensions(table, last.cell, frozenset(hand))
        step = stream.below(len(places) + 1)
        if step == len(places):
            return Lay(tuple(chain))
        chain.append(places[step])


def longest_chain_bot(view: View, stream: Stream, budget: Budget = DEFAULT_BUDGET) -> Action:
    """Lay the longest chain, or act at random if none can be laid."""
    if view.choices.lay:
        return Lay(longest_chain(view))
    return random_bot(view, stream, budget)


def longest_turn_bot(view: View, _: Stream, __: Budget = DEFAULT_BUDGET) -> TurnAction:
    """Play the turn that lays the most tiles; if none can be laid, make the hand fit better."""
    choices = view.choices
    if choices.lay:
        return Lay(longest_turn(view, MAX_SEARCH_NODES).first)
    if choices.decline:
        return next(useful_swaps(view), Decline())
    if choices.swap:
        return next(rank_swaps(view))
    if choices.draw:
        return Draw(next(rank_takes(view, view.hand)))
    return Pass()


# ----------------------------------------------------------------------------- what fits a hand


def count_partners(tile: Tile, hand: Iterable[Tile]) -> int:
    """How many tiles of the hand may touch this tile."""
    return len(PARTNERS[tile].intersection(hand))


def rank_takes(view: View, hand: Iterable[Tile]) -> Iterator[str]:
    """What can be taken, best first: tiles that may touch the most tiles of the hand, then the bag,
    then tiles that fit nothing."""
    hand = frozenset(hand)
    shown = sorted(view.display, key=lambda tile: -count_partners(tile, hand))
    yield from (tile for tile in shown if count_partners(tile, hand))
    if view.bag:
        yield BAG
    yield from (tile for tile in shown if not count_partners(tile, hand))


def rank_swaps(view: View) -> Iterator[Swap]:
    """A swap of each tile for the best one to take, beginning with the tile that fits the hand
    least."""
    for give in sorted(view.hand, key=lambda tile: count_partners(tile, view.hand)):
        yield Swap(give, next(rank_takes(view, set(view.hand) - {give})))


def useful_swaps(view: View) -> Iterator[Swap]:
    """Only the swaps for a tile that fits the hand better than the one given."""
    for swap in rank_swaps(view):
        rest = set(view.hand) - {swap.give}
        if swap.take == BAG:
            continue
        if count_partners(Tile(swap.take), rest) > count_partners(swap.give, rest):
            yield swap
