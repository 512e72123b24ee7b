"""Who can sit down, and how good something is: the five levels, one bot that plays anything, two
that always lay as many tiles as they can, of which one also swaps and draws with a purpose, and one
that holds tiles back until few chains cover its hand.

A bot is a function of what its seat may know and of a stream of chance, and a line in BOTS.
"""

from collections.abc import Callable, Iterable, Iterator

from pytlik.chance import Stream
from pytlik.game import Budget, Illegal, Ready, Reason
from pytlik.unikat import longest
from pytlik.unikat.beginners import cover, easy, first_steps, medium
from pytlik.unikat.experts import hard, judge, master, options, win_chance
from pytlik.unikat.legal import fitting
from pytlik.unikat.messages import BAG, Action, Decline, Draw, Lay, Pass, Swap
from pytlik.unikat.model import PARTNERS, Cell, Phase, Placement, Tile
from pytlik.unikat.steps import action_of, from_view, steps_of
from pytlik.unikat.view import View

Bot = Callable[[View, Stream, Budget], Action]

NODES = 5_000
"""How long the bot may search: some 50 ms. Few turns need it."""

BUDGET = Budget()

Rated = tuple[Action, float]


def random_bot(view: View, stream: Stream, _: Budget = BUDGET) -> Action:
    """Any kind of action, and then any way to do it."""
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
    """A first tile, then at each step one more or none: all chains may be too many to see."""
    table = {Cell(stone.x, stone.y): stone.tile for stone in view.board}
    hand = list(view.hand)
    places = [Placement(tile, *cell) for tile, cells in view.choices.lay.items() for cell in cells]
    chain = [stream.choice(places)]
    while True:
        last = chain[-1]
        table[last.cell] = last.tile
        hand.remove(last.tile)
        places = [
            Placement(tile, *cell)
            for cell in last.cell.neighbours()
            if cell not in table
            for tile in sorted(fitting(table, cell, frozenset(hand)))
        ]
        step = stream.below(len(places) + 1)
        if step == len(places):
            return Lay(tuple(chain))
        chain.append(places[step])


def hasty(view: View, stream: Stream, budget: Budget = BUDGET) -> Action:
    """Always the longest chain, and anything at all where none can be laid."""
    return (
        Lay(longest.longest_chain(view)) if view.choices.lay else random_bot(view, stream, budget)
    )


def longest_chain(view: View, _: Stream, __: Budget = BUDGET) -> Action:
    """The turn that lays most tiles; where none can be laid, what makes the hand fit better."""
    choices = view.choices
    if choices.lay:
        return Lay(longest.longest_turn(view, NODES).first)
    if choices.decline:
        return next(useful_swaps(view), Decline())
    if choices.swap:
        return next(swaps(view))
    if choices.draw:
        return next(draws(view))
    if choices.pass_:
        return Pass()
    if choices.ready:
        return Ready()
    raise nothing_to_do(view)


def seated(bot: Bot) -> Bot:
    """A bot as it sits at a table: asked when it has nothing to do, it says so."""

    def choose(view: View, stream: Stream, budget: Budget = BUDGET) -> Action:
        choices = view.choices
        if choices.ready:
            return Ready()
        if not (choices.lay or choices.swap or choices.draw or choices.decline or choices.pass_):
            raise nothing_to_do(view)
        return bot(view, stream, budget)

    return choose


BOTS: dict[str, Bot] = {
    "random": random_bot,
    "hasty": hasty,
    "longest": longest_chain,
    "cover": seated(cover),
}

LEVELS: dict[str, Bot] = {
    "first-steps": seated(first_steps),
    "easy": seated(easy),
    "medium": seated(medium),
    "hard": seated(hard),
    "master": seated(master),
}


def nothing_to_do(view: View) -> Illegal:
    over = view.phase is Phase.OVER
    return Illegal(Reason.WRONG_PHASE if over else Reason.NOT_YOUR_TURN)


# ------------------------------------------------------------------------- what fits into a hand


def links(tile: Tile, hand: Iterable[Tile]) -> int:
    """How many tiles of a hand may touch a tile."""
    return len(PARTNERS[tile].intersection(hand))


def takes(view: View, hand: Iterable[Tile]) -> Iterator[tuple[str, int]]:
    """What can be taken and how many tiles of the hand it may touch, most first. The bag stands
    before what fits nothing."""
    hand = frozenset(hand)
    shown = [(tile, links(tile, hand)) for tile in view.display]
    shown.sort(key=lambda tile_links: -tile_links[1])
    yield from (taken for taken in shown if taken[1])
    if view.bag:
        yield BAG, 0
    yield from (taken for taken in shown if not taken[1])


def swaps(view: View) -> Iterator[Swap]:
    """Tiles to give, those first that fit the hand least, with the best to take for each."""
    for give in sorted(view.hand, key=lambda tile: links(tile, view.hand)):
        yield Swap(give, next(takes(view, set(view.hand) - {give}))[0])


def useful_swaps(view: View) -> Iterator[Swap]:
    """Only those that bring a tile which fits the hand better than the one given."""
    for swap in swaps(view):
        rest = set(view.hand) - {swap.give}
        if swap.take != BAG and links(Tile(swap.take), rest) > links(swap.give, rest):
            yield swap


def draws(view: View) -> Iterator[Draw]:
    return (Draw(take) for take, _ in takes(view, view.hand))


# --------------------------------------------------------------------------- how good is a turn


def rate(view: View, action: Action) -> Rated:
    """An action with the chance to win the round after it, from 0 to 1, as `hard` judges."""
    assert not isinstance(action, Ready)
    round_ = from_view(view, 0)
    return action, win_chance(round_, steps_of(round_, action))


def alternatives(view: View, action: Action, count: int) -> list[Rated]:
    """Other things to do, the best first; of all lays that leave the same tiles only one."""
    round_ = from_view(view, 0)
    same = laid(action)
    found: dict[object, Rated] = {}
    for steps in options(round_, judge(view.players), 4 * count + 4):
        other = action_of(round_, steps)
        if other == action or (same and laid(other) == same):
            continue
        rated = other, win_chance(round_, steps)
        key = laid(other) or other
        if key not in found or found[key][1] < rated[1]:
            found[key] = rated
    return sorted(found.values(), key=lambda action_value: -action_value[1])[:count]


def laid(action: Action) -> frozenset[Tile]:
    """The tiles that an action lays."""
    tiles = action.tiles if isinstance(action, Lay) else ()
    return frozenset(placed.tile for placed in tiles)
