"""Bots that solve as people do: in a time that fits the puzzle and their level, laying pieces and
taking them back on the way.

A bot gets a view and a random stream, and plans the whole round at its start: what it will do, and
when. The same stream gives the same plan. `LEVELS` has all of them.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import exp, sqrt
from typing import NamedTuple

from pytlik.chance import Stream
from pytlik.game import Illegal, Reason
from pytlik.ubongo import kernel, solver
from pytlik.ubongo.hexes import Hex, Shape, neighbours
from pytlik.ubongo.messages import Action, Lift, Place
from pytlik.ubongo.model import Deal
from pytlik.ubongo.timing import MAX_CREDIT_MS
from pytlik.ubongo.view import View

Step = tuple[int, Action]
"""An action, and when it is done, in milliseconds of the server's clock."""
Schedule = tuple[Step, ...]
Bot = Callable[[View, Stream], Schedule]
PlacedPieces = dict[int, Shape]

FIRST_LOOK_MS = 2_500
"""Time before a bot lays its first piece."""
MIN_STEP_MS = 700
"""Shortest time between one piece and the next."""
TRY_MS = 5_000
TRY_EXPONENT = 0.6
"""A puzzle of t tries takes TRY_MS * t ** TRY_EXPONENT: the more tries there would be, the more of
them a person rules out at a glance."""
MEAN_IDEA_GAP_MS = 9_000
"""Mean time between one idea that a bot tries out and the next."""
MAX_IDEAS = 14
HOURGLASS_TURN_PAUSE_MS = MAX_CREDIT_MS + 400
"""How long a bot waits after the sand has run out, until it's certain that the hourglass is turned
again (G12)."""
UNTIMED_SPEED_UP_AFTER_MS = 180_000
"""Without a timer, a bot thinks five times as fast after this, so that nobody waits for ever."""


class LevelTiming(NamedTuple):
    time_factor: float
    """The time to solve a puzzle, as a multiple of the one from TRY_MS and TRY_EXPONENT."""
    spread: float
    """How much the time varies: the standard deviation of its logarithm."""


LEVEL_TIMINGS = {
    "first-steps": LevelTiming(time_factor=1.8, spread=0.6),
    "easy": LevelTiming(time_factor=1.2, spread=0.55),
    "medium": LevelTiming(time_factor=0.8, spread=0.5),
    "hard": LevelTiming(time_factor=0.52, spread=0.45),
    "master": LevelTiming(time_factor=0.32, spread=0.4),
}


def plan(view: View, stream: Stream, *, timing: LevelTiming) -> Schedule:
    """Plan some ideas that lead nowhere, then the solution, with the last piece laid when a person
    would have found it. Anything after the sand has run out twice is left out."""
    if view.seat is None or view.seat not in view.deals or view.began is None:
        raise Illegal(Reason.WRONG_PHASE, phase=view.phase)
    deal = view.deals[view.seat]
    numbers = stream.shuffled(deal.pieces)
    solution = kernel.first(deal.area, [deal.pieces[number] for number in numbers])
    if solution is None:
        return ()  # a deck that passes the check has no such card
    duration = _solving_time_ms(deal, stream, timing)
    solved = dict(zip(numbers, solution, strict=True))
    actions = list(_plan_actions(deal, solved, duration, stream))
    moments = _spread_moments(duration, len(actions), stream)
    seconds = None if view.sand is None else view.options.seconds
    return tuple(
        (view.began + moment, action)
        for moment, action in zip(_adjust_to_timer(moments, seconds), actions, strict=False)
    )


def _solving_time_ms(deal: Deal, stream: Stream, timing: LevelTiming) -> int:
    """The time that a person would need for the puzzle's average number of tries, with ups and
    downs."""
    tries = kernel.effort(deal.area, list(deal.pieces.values()))
    # The sum of six is close to a normal distribution.
    mood = sum(stream.below(2001) - 1000 for _ in range(6)) / 1000 / sqrt(2)
    thinking = TRY_MS * tries**TRY_EXPONENT * timing.time_factor * exp(timing.spread * mood)
    return FIRST_LOOK_MS + MIN_STEP_MS * len(deal.pieces) + int(thinking) + stream.below(500)


def _spread_moments(duration: int, count: int, stream: Stream) -> list[int]:
    """When each of `count` steps is done, counted from the round's start; the last one after
    `duration`."""
    gaps = [MIN_STEP_MS + stream.below(3 * MIN_STEP_MS) for _ in range(count)]
    rest = duration - FIRST_LOOK_MS
    so_far, moments = 0, []
    for gap in gaps:
        so_far += gap
        moments.append(FIRST_LOOK_MS + rest * so_far // sum(gaps))
    return moments


def _adjust_to_timer(moments: list[int], seconds: int | None) -> Iterator[int]:
    """The same moments with a pause while the hourglass is turned (G12); without a timer, late
    moments come faster (G3, G15)."""
    for moment in moments:
        if seconds is None:
            late = max(0, moment - UNTIMED_SPEED_UP_AFTER_MS)
            yield moment - late + late // 5
        elif moment < 1000 * seconds:
            yield moment
        elif moment < 2000 * seconds - HOURGLASS_TURN_PAUSE_MS:
            yield moment + HOURGLASS_TURN_PAUSE_MS
        else:
            return


# ------------------------------------------------------------------------- ideas and the solution


def _plan_actions(
    deal: Deal, solution: Mapping[int, Shape], duration: int, stream: Stream
) -> Iterator[Action]:
    """The actions that place and lift pieces until the puzzle is solved."""
    placed: PlacedPieces = {}
    places = {number: find_places(deal, piece) for number, piece in deal.pieces.items()}
    ideas = min(MAX_IDEAS, (duration - FIRST_LOOK_MS) // MEAN_IDEA_GAP_MS)
    for _ in range(stream.below(ideas + 1) + ideas // 2 if ideas else stream.below(2)):
        yield from _try_idea(deal, places, placed, stream)
    for number, lying in solution.items():
        # A misplaced piece may be in the way.
        if number in placed and placed[number] != lying:
            yield Lift(number)
    for number, lying in solution.items():
        if placed.get(number) != lying:
            yield Place(number, lying)


def _try_idea(
    deal: Deal, places: Mapping[int, list[Shape]], placed: PlacedPieces, stream: Stream
) -> Iterator[Action]:
    """Lay pieces until one doesn't fit, often only the last one; then take some back."""
    for number in stream.shuffled(sorted(deal.pieces.keys() - placed.keys())):
        free = set(deal.area).difference(*placed.values())
        fits = [cells for cells in places[number] if free.issuperset(cells)]
        left = deal.pieces.keys() - placed.keys() - {number}
        if len(left) == 1:
            # Leave out what would solve the puzzle: this idea is a wrong one.
            last = {frozenset(cells) for cells in places[next(iter(left))]}
            fits = [cells for cells in fits if free.difference(cells) not in last]
        if not fits or not left:
            break
        tempting = min(
            (stream.choice(fits) for _ in range(3)), key=partial(_count_touched_free_cells, free)
        )
        placed[number] = tempting
        yield Place(number, tempting)
    back = stream.shuffled(sorted(placed))
    for number in back[: 1 + stream.below(len(back))] if back else ():
        del placed[number]
        yield Lift(number)


def _count_touched_free_cells(free: set[Hex], cells: Shape) -> int:
    """How many free cells these touch. People prefer places where a piece touches few."""
    beside = {cell for own in cells for cell in neighbours(own)}
    return len(beside.intersection(free).difference(cells))


def find_places(deal: Deal, piece: Shape) -> list[Shape]:
    """All places for a piece in the empty area."""
    bits, (masks,) = solver.placements(deal.area, [piece])
    return [tuple(cell for bit, cell in bits.items() if bit & mask) for mask in masks]


LEVELS: dict[str, Bot] = {
    name: partial(plan, timing=timing) for name, timing in LEVEL_TIMINGS.items()
}


# -------------------------------------------------------------------------------------- next step


def next_step(schedule: Schedule, placed: PlacedPieces, now: int) -> Step | None:
    """The bot's next action and when it's due (0: at once), with its pieces placed like this.

    Nothing has to be remembered: a bot that is late, or takes over in the middle of a round, brings
    the card to where the plan is by now.
    """
    wanted: PlacedPieces = {}
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
    for number, cells in placed.items():
        if wanted.get(number) != cells:
            return 0, Lift(number)
    for number, cells in wanted.items():
        if number not in placed:
            return 0, Place(number, cells)
    return later
