"""Bots that solve as a person does: after a time that fits the puzzle, with tries on the way.

A bot is a function of what its seat may know and of a stream of chance, and a line in BOTS. It
says at the start of a round what it will do, and when.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import exp

from pytlik.chance import Stream
from pytlik.game import Illegal, Reason
from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Shape, moved, orientations
from pytlik.ubongo.messages import Action, Lift, Place
from pytlik.ubongo.model import Deal
from pytlik.ubongo.view import View

Step = tuple[int, Action]
"""A moment, in milliseconds of the server's clock, and what is done then."""
Schedule = tuple[Step, ...]
Bot = Callable[[View, Stream], Schedule]

FIRST_LOOK = 2_500
"""Nobody sees and lays in less than this (ms)."""
A_TRY = 4_000
SKILL = 0.7
"""A puzzle of t tries takes A_TRY * t ** SKILL ms: the more tries there would be, the more of them
a person sees to be wrong untried. Three pieces take half a minute, four a minute and a half."""
MOST_TRIES = 3
"""How many wrong places are really tried out, for all to hear; most are only thought of."""


def plan(view: View, stream: Stream, *, pace: float) -> Schedule:
    """Place piece after piece of a solution, the last one when a person would have found it."""
    if view.seat is None or view.seat not in view.deals or view.began is None:
        raise Illegal(Reason.WRONG_PHASE, phase=view.phase)
    deal = view.deals[view.seat]
    numbers = stream.shuffled(deal.pieces)
    solution = solver.first(deal.area, [deal.pieces[number] for number in numbers])
    if solution is None:
        return ()  # no card of a deck that was checked
    takes = solving_time(deal, stream, pace)
    steps = list(detours(deal, stream))
    steps += [Place(*placed) for placed in zip(numbers, solution, strict=True)]
    return tuple(zip(moments(view.began, takes, len(steps), stream), steps, strict=True))


def solving_time(deal: Deal, stream: Stream, pace: float) -> int:
    """From the tries that the puzzle takes in the mean, with a person's ups and downs (ms)."""
    tries = solver.effort(deal.area, list(deal.pieces.values()))
    # Four numbers add up to nearly a bell: half to double the time is usual, much more is rare.
    mood = sum(stream.below(2001) - 1000 for _ in range(4)) / 2000
    return FIRST_LOOK + int(A_TRY * tries**SKILL * pace * exp(mood)) + stream.below(1000)


def moments(began: int, takes: int, count: int, stream: Stream) -> Iterator[int]:
    """Ascending moments for so many steps; the last one is the end of it."""
    rest = takes - FIRST_LOOK
    cuts = sorted(stream.below(rest) for _ in range(count - 1))
    yield from (began + FIRST_LOOK + cut for cut in cuts)
    yield began + takes


def detours(deal: Deal, stream: Stream) -> Iterator[Action]:
    """Pieces that are laid somewhere and lifted again, before the right idea comes."""
    for _ in range(stream.below(MOST_TRIES + 1)):
        number = stream.choice(tuple(deal.pieces))
        places = list(fitting(deal, deal.pieces[number]))
        yield Place(number, stream.choice(places))
        yield Lift(number)


def fitting(deal: Deal, piece: Shape) -> Iterator[Shape]:
    """Everywhere that a piece fits into the empty area."""
    area = set(deal.area)
    for form in orientations(piece):
        for cell in deal.area:
            if area.issuperset(lying := moved(form, cell)):
                yield lying


BOTS: dict[str, Bot] = {
    "slow": partial(plan, pace=2.0),
    "steady": partial(plan, pace=1.0),
    "quick": partial(plan, pace=0.5),
}

# The graded bots are still to come: until then a level is only a pace.
LEVELS: dict[str, Bot] = {
    "first-steps": partial(plan, pace=3.0),
    "easy": BOTS["slow"],
    "medium": BOTS["steady"],
    "hard": BOTS["quick"],
    "master": partial(plan, pace=0.3),
}
