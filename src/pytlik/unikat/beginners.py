"""The three weaker bots, and one that the strong ones are measured by. They differ in what they
see, as people do who learn the game.

`first-steps` sees one tile and one place at a time and misses much; `easy` builds a chain and never
looks back; `medium` finds the longest chain and keeps what goes together, but holds nothing back.
`cover` holds back, and counts chains.
"""

from collections.abc import Sequence
from functools import cache

from pytlik.chance import Stream
from pytlik.game import Budget
from pytlik.unikat.experts import options
from pytlik.unikat.judgment import AFTER, BEFORE, FEATURES, GROWS, Judge
from pytlik.unikat.legal import fitting
from pytlik.unikat.messages import BAG, Decline, Draw, Lay, Pass, Swap, TurnAction
from pytlik.unikat.model import PARTNERS, Cell, Chain, Placement, Tile
from pytlik.unikat.steps import action_of, from_view
from pytlik.unikat.view import View

# ---------------------------------------------------------------------------------- first steps


def first_steps(view: View, stream: Stream, _: Budget) -> TurnAction:
    """Lays the first tile that it sees a place for, now and then a second one, and sees only some
    of them; forgets the extra action of a double turn, and swaps and draws by chance."""
    choices = view.choices
    if choices.decline:
        return Decline()
    if choices.draw:
        return Draw(stream.choice(choices.take))
    places = [Placement(tile, *cell) for tile, cells in choices.lay.items() for cell in cells]
    seen = [placed for placed in places if stream.below(3)]
    if seen and stream.below(8):
        first = stream.choice(seen)
        second = following(view, (first,))
        return Lay((first, stream.choice(second)) if second and not stream.below(3) else (first,))
    if choices.swap:
        return Swap(stream.choice(view.hand), stream.choice(choices.take))
    return Lay((stream.choice(places),)) if places else Pass()


def following(view: View, chain: Chain) -> list[Placement]:
    """What may be laid next to the last tile of a chain."""
    table = {Cell(stone.x, stone.y): stone.tile for stone in view.board}
    table |= {placed.cell: placed.tile for placed in chain}
    rest = frozenset(view.hand).difference(placed.tile for placed in chain)
    return [
        Placement(tile, *cell)
        for cell in chain[-1].cell.neighbours()
        if cell not in table
        for tile in sorted(fitting(table, cell, rest))
    ]


# ----------------------------------------------------------------------------------------- easy


def easy(view: View, stream: Stream, _: Budget) -> TurnAction:
    """From every place goes on with any tile that fits, and takes the longest chain that comes of
    it. Draws and swaps for what fits on the table now."""
    choices = view.choices
    if choices.lay:
        places = [Placement(tile, *cell) for tile, cells in choices.lay.items() for cell in cells]
        return Lay(max((grown(view, place, stream) for place in places), key=len))
    if choices.decline:
        return Decline()
    if choices.draw:
        return Draw(fitting_take(view, choices.take, stream))
    if choices.swap:
        return Swap(stream.choice(view.hand), fitting_take(view, choices.take, stream))
    return Pass()


def grown(view: View, first: Placement, stream: Stream) -> Chain:
    chain: Chain = (first,)
    while more := following(view, chain):
        chain = (*chain, stream.choice(more))
    return chain


def fitting_take(view: View, takes: Sequence[str], stream: Stream) -> str:
    """A tile of the display that could be laid, or one from the bag."""
    table = {stone.tile for stone in view.board}
    good = [take for take in takes if take != BAG and PARTNERS[Tile(take)] & table]
    return stream.choice(good or (BAG,) if BAG in takes else takes)


# --------------------------------------------------------------------------------------- medium


def medium(view: View, _: Stream, __: Budget) -> TurnAction:
    """Lays as many tiles as it can, and keeps a hand of few chains."""
    round_ = from_view(view, 0)
    return action_of(round_, options(round_, eager(), 1)[0])


@cache
def eager() -> Judge:
    """Judges by the tiles that are left, and where they are as many by the chains."""
    # A tile that comes unseen is one tile more, and mostly a chain of its own.
    return counting(tile=-1.0, chain=-0.01, unseen=-1.007, grows=1.0)


def counting(*, tile: float, chain: float, unseen: float, grows: float) -> Judge:
    """Judges by nothing but the numbers of tiles and of chains that cover them: what each counts,
    what a tile that comes unseen, and by how much a swap is worse that a draw follows."""
    weights = [0.0] * (2 * FEATURES)
    for moment in (AFTER, BEFORE):
        for tiles in range(12):
            for chains in range(9):
                value = tiles * tile + chains * chain + moment * unseen
                weights[moment * FEATURES + tiles * 9 + chains] = value
    weights[GROWS] = grows
    found = Judge()
    found.set_weights(weights)
    found.set_limit(1000)
    return found


# ----------------------------------------------------------------------------------- path cover


def cover(view: View, _: Stream, __: Budget) -> TurnAction:
    """Wants a hand that few chains cover, and holds tiles back until they do: what the experiments
    before this game had bots found to be the best, and what others are measured by."""
    round_ = from_view(view, 0)
    return action_of(round_, options(round_, patient(), 1)[0])


@cache
def patient() -> Judge:
    """A lay must save a chain for about every three tiles, since only one tile is drawn for it."""
    return counting(tile=0.3, chain=-1.0, unseen=-0.4, grows=0.0)
