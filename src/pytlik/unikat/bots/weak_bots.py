"""The three weaker levels, and a bot that the strong ones are compared with. They differ in what
they see, as people do while they learn the game.

`first-steps` sees one tile and one place at a time and misses a lot; `easy` builds a chain and
never looks back; `medium` finds the longest chain and keeps what goes together, but holds nothing
back. `cover` holds tiles back, and counts chains.
"""

from collections.abc import Sequence
from functools import cache

from pytlik.chance import Stream
from pytlik.game import Budget
from pytlik.unikat.bots.strong_bots import best_candidates, build_evaluator
from pytlik.unikat.engine.evaluation import RoundEvaluator, Weights
from pytlik.unikat.engine.evaluation.features import MOST_CHAINS, MOST_TILES
from pytlik.unikat.engine.kernel_bridge import action_of, from_view
from pytlik.unikat.legal import extensions
from pytlik.unikat.messages import BAG, Decline, Draw, Lay, Pass, Swap, TurnAction
from pytlik.unikat.model import PARTNERS, Cell, Chain, Placement, Tile
from pytlik.unikat.view import View

MAX_SEARCH_NODES = 1000
"""Limit of each search for chains."""

# ---------------------------------------------------------------------------------- first steps


def first_steps(view: View, stream: Stream, _: Budget) -> TurnAction:
    """Lay the first tile that it sees a place for, and now and then a second one. It sees only some
    places, forgets the extra action of a double turn, and swaps and draws at random."""
    choices = view.choices
    if choices.decline:
        return Decline()
    if choices.draw:
        return Draw(stream.choice(choices.take))
    places = [Placement(tile, *cell) for tile, cells in choices.lay.items() for cell in cells]
    seen = [placed for placed in places if stream.below(3)]
    if seen and stream.below(8):
        first = stream.choice(seen)
        second = chain_extensions(view, (first,))
        return Lay((first, stream.choice(second)) if second and not stream.below(3) else (first,))
    if choices.swap:
        return Swap(stream.choice(view.hand), stream.choice(choices.take))
    return Lay((stream.choice(places),)) if places else Pass()


def chain_extensions(view: View, chain: Chain) -> list[Placement]:
    """The ways to extend a chain."""
    table = {Cell(stone.x, stone.y): stone.tile for stone in view.board}
    table |= {placed.cell: placed.tile for placed in chain}
    rest = frozenset(view.hand).difference(placed.tile for placed in chain)
    return extensions(table, chain[-1].cell, rest)


# ----------------------------------------------------------------------------------------- easy


def easy(view: View, stream: Stream, _: Budget) -> TurnAction:
    """Grow a random chain from every place where a tile fits, and lay the longest. Draw and swap
    for tiles that fit on the table now."""
    choices = view.choices
    if choices.lay:
        places = [Placement(tile, *cell) for tile, cells in choices.lay.items() for cell in cells]
        return Lay(max((grow_chain(view, place, stream) for place in places), key=len))
    if choices.decline:
        return Decline()
    if choices.draw:
        return Draw(choose_take_fitting_table(view, choices.take, stream))
    if choices.swap:
        return Swap(stream.choice(view.hand), choose_take_fitting_table(view, choices.take, stream))
    return Pass()


def grow_chain(view: View, first: Placement, stream: Stream) -> Chain:
    chain: Chain = (first,)
    while more := chain_extensions(view, chain):
        chain = (*chain, stream.choice(more))
    return chain


def choose_take_fitting_table(view: View, takes: Sequence[str], stream: Stream) -> str:
    """A tile of the display that matches one on the table, or else one from the bag. If neither is
    possible, any tile of the display."""
    table = {stone.tile for stone in view.board}
    good = [take for take in takes if take != BAG and PARTNERS[Tile(take)] & table]
    return stream.choice(good or ((BAG,) if BAG in takes else takes))


# ----------------------------------------------------------------------------- medium and cover


def medium(view: View, _: Stream, __: Budget) -> TurnAction:
    """Lay as many tiles as possible, and keep a hand of few chains."""
    round_ = from_view(view, 0)
    return action_of(round_, best_candidates(round_, medium_evaluator(), 1)[0])


def fewest_chains_bot(view: View, _: Stream, __: Budget) -> TurnAction:
    """Hold tiles back until few chains cover the hand: the best strategy known before there was an
    evaluation, and a yardstick for it."""
    round_ = from_view(view, 0)
    return action_of(round_, best_candidates(round_, fewest_chains_evaluator(), 1)[0])


@cache
def medium_evaluator() -> RoundEvaluator:
    """Compare the tiles that are left, and if these are equal, the chains."""
    # A tile from the bag is one more tile, and usually a chain of its own.
    return build_counting_evaluator(tile=-1.0, chain=-0.01, unseen=-1.007, growing_hand_penalty=1.0)


@cache
def fewest_chains_evaluator() -> RoundEvaluator:
    """A lay must save a chain for about every three tiles, since only one tile is drawn after
    it."""
    return build_counting_evaluator(tile=0.3, chain=-1.0, unseen=-0.4, growing_hand_penalty=0.0)


def build_counting_evaluator(
    *, tile: float, chain: float, unseen: float, growing_hand_penalty: float
) -> RoundEvaluator:
    """An evaluator that only counts. It has a value for each tile, for each of the fewest chains
    that cover the hand, for a tile to come from the bag, and for a swap with the bag that a draw
    follows."""

    def weigh_features(unseen_tiles: int) -> dict[str, list[float]]:
        return {
            "tiles_and_chains": [
                tiles * tile + chains * chain + unseen_tiles * unseen
                for tiles in range(MOST_TILES + 1)
                for chains in range(MOST_CHAINS + 1)
            ],
            # Keeps these bots from swapping their last tile.
            "empty_hand": [11 * tile + 5 * chain + unseen_tiles * unseen],
        }

    weights = Weights(weigh_features(0), weigh_features(1), growing_hand_penalty)
    return build_evaluator(weights, MAX_SEARCH_NODES)
