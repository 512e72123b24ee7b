"""Bots that solve as people do: in a time that fits the puzzle and their level, with pieces laid,
found to be wrong and taken back on the way.

A bot is a function of what its seat may know and of a stream of chance, and a line in LEVELS. It
says at the start of a round what it will do, and when; the same stream gives the same plan.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import exp, sqrt
from typing import NamedTuple

from pytlik.chance import Stream
from pytlik.game import Illegal, Reason
from pytlik.ubongo import kernel, solver
from pytlik.ubongo.hexes import Hex, Shape, neighbours
from pytlik.ubongo.hourglass import CREDIT
from pytlik.ubongo.messages import Action, Lift, Place
from pytlik.ubongo.model import Deal
from pytlik.ubongo.view import View

Step = tuple[int, Action]
"""A moment, in milliseconds of the server's clock, and what is done then."""
Schedule = tuple[Step, ...]
Bot = Callable[[View, Stream], Schedule]
Placed = dict[int, Shape]

FIRST_LOOK = 2_500
"""Nobody sees and lays in less than this (ms)."""
A_HAND = 700
"""Nor lays one piece after the other in less than this (ms)."""
A_TRY = 5_000
SKILL = 0.6
"""A puzzle of t tries takes A_TRY * t ** SKILL ms: the more tries there would be, the more of them
a person sees to be wrong untried."""
AN_IDEA = 9_000
"""So long somebody thinks, in the mean, between one idea that is tried out and the next (ms)."""
MOST_IDEAS = 14
TURNING = CREDIT + 400
"""When the sand has run out all hands are still, until it is clear that it is turned again (ms)."""
LONGEST = 180_000
"""Without a timer nobody is to wait for ever: after this a bot thinks five times as fast (ms)."""


class Level(NamedTuple):
    pace: float
    """How long it takes, as a multiple of what A_TRY and SKILL say."""
    spread: float
    """How much better and worse moments differ: the deviation of the time's logarithm."""


GRADES = {
    "first-steps": Level(pace=1.8, spread=0.6),
    "easy": Level(pace=1.2, spread=0.55),
    "medium": Level(pace=0.8, spread=0.5),
    "hard": Level(pace=0.52, spread=0.45),
    "master": Level(pace=0.32, spread=0.4),
}


def plan(view: View, stream: Stream, *, level: Level) -> Schedule:
    """Some ideas that come to nothing, then the solution, the last piece when a person would have
    found it. Of a time that is longer than two hourglasses only what falls into them is left."""
    if view.seat is None or view.seat not in view.deals or view.began is None:
        raise Illegal(Reason.WRONG_PHASE, phase=view.phase)
    deal = view.deals[view.seat]
    numbers = stream.shuffled(deal.pieces)
    solution = kernel.first(deal.area, [deal.pieces[number] for number in numbers])
    if solution is None:
        return ()  # no card of a deck that was checked
    takes = solving_time(deal, stream, level)
    actions = list(course(deal, dict(zip(numbers, solution, strict=True)), takes, stream))
    thought = moments(takes, len(actions), stream)
    seconds = None if view.sand is None else view.options.seconds
    return tuple(
        (view.began + moment, action)
        for moment, action in zip(on_the_clock(thought, seconds), actions, strict=False)
    )


def solving_time(deal: Deal, stream: Stream, level: Level) -> int:
    """From the tries that the puzzle takes in the mean, with a person's ups and downs (ms)."""
    tries = kernel.effort(deal.area, list(deal.pieces.values()))
    # Six numbers add up to nearly a bell.
    mood = sum(stream.below(2001) - 1000 for _ in range(6)) / 1000 / sqrt(2)
    thinking = A_TRY * tries**SKILL * level.pace * exp(level.spread * mood)
    return FIRST_LOOK + A_HAND * len(deal.pieces) + int(thinking) + stream.below(500)


def moments(takes: int, count: int, stream: Stream) -> list[int]:
    """Ascending moments for so many steps, counted from the round's beginning; the last one is the
    end of it."""
    gaps = [A_HAND + stream.below(3 * A_HAND) for _ in range(count)]
    rest = takes - FIRST_LOOK
    so_far, found = 0, []
    for gap in gaps:
        so_far += gap
        found.append(FIRST_LOOK + rest * so_far // sum(gaps))
    return found


def on_the_clock(thought: list[int], seconds: int | None) -> Iterator[int]:
    """When that is, with the timer turned in between (G12), or without one (G3, G15)."""
    for moment in thought:
        if seconds is None:
            yield moment if moment <= LONGEST else LONGEST + (moment - LONGEST) // 5
        elif moment < 1000 * seconds:
            yield moment
        elif moment < 2000 * seconds - TURNING:
            yield moment + TURNING
        else:
            return


# ------------------------------------------------------------------------------- wrong and right


def course(
    deal: Deal, solution: Mapping[int, Shape], takes: int, stream: Stream
) -> Iterator[Action]:
    """All that is laid and lifted until the puzzle is solved."""
    placed: Placed = {}
    places = {number: fitting(deal, piece) for number, piece in deal.pieces.items()}
    ideas = min(MOST_IDEAS, (takes - FIRST_LOOK) // AN_IDEA)
    for _ in range(stream.below(ideas + 1) + ideas // 2 if ideas else stream.below(2)):
        yield from an_idea(deal, places, placed, stream)
    for number, lying in solution.items():
        # What does not lie as it has to is in the way.
        if number in placed and placed[number] != lying:
            yield Lift(number)
    for number, lying in solution.items():
        if placed.get(number) != lying:
            yield Place(number, lying)


def an_idea(
    deal: Deal, places: Mapping[int, list[Shape]], placed: Placed, stream: Stream
) -> Iterator[Action]:
    """Lay pieces until the next one does not fit, often only the last: then take some back."""
    for number in stream.shuffled(sorted(deal.pieces.keys() - placed.keys())):
        free = set(deal.area).difference(*placed.values())
        fits = [cells for cells in places[number] if free.issuperset(cells)]
        left = deal.pieces.keys() - placed.keys() - {number}
        if len(left) == 1:
            # That would be the solution, and it is not seen yet.
            last = {frozenset(cells) for cells in places[next(iter(left))]}
            fits = [cells for cells in fits if free.difference(cells) not in last]
        if not fits or not left:
            break
        tempting = min((stream.choice(fits) for _ in range(3)), key=partial(touched, free))
        placed[number] = tempting
        yield Place(number, tempting)
    back = stream.shuffled(sorted(placed))
    for number in back[: 1 + stream.below(len(back))] if back else ():
        del placed[number]
        yield Lift(number)


def touched(free: set[Hex], cells: Shape) -> int:
    """How many free cells lie beside these: people lay pieces where they touch few."""
    beside = {cell for own in cells for cell in neighbours(own)}
    return len(beside.intersection(free).difference(cells))


def fitting(deal: Deal, piece: Shape) -> list[Shape]:
    """Everywhere that a piece fits into the empty area."""
    bits, (masks,) = solver.placements(deal.area, [piece])
    return [tuple(cell for bit, cell in bits.items() if bit & mask) for mask in masks]


LEVELS: dict[str, Bot] = {name: partial(plan, level=level) for name, level in GRADES.items()}


# ------------------------------------------------------------------------------ what is to be done


def pending(schedule: Schedule, lying: Placed, now: int) -> Step | None:
    """What a bot does next, and when (0: at once), with its pieces as they lie now. It depends on
    nothing that would have to be remembered: whoever is late, or sits down for somebody else in the
    middle of a round, brings the card to where the plan is by now."""
    wanted: Placed = {}
    later: Step | None = None
    for step in schedule:
        moment, action = step
        if moment > now:
            later = step
            break
        if isinstance(action, Place):
            wanted[action.piece] = tuple(sorted(action.cells))
        elif isinstance(action, Lift):
            wanted.pop(action.piece, None)
    for number, cells in lying.items():
        if wanted.get(number) != cells:
            return 0, Lift(number)
    for number, cells in wanted.items():
        if number not in lying:
            return 0, Place(number, cells)
    return later
