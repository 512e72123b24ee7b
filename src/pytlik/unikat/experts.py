"""The two strong bots: one that judges its hand, and one that also imagines how the round goes on.

Both know only what their seat sees: the kernel's round is made from a View, with guesses for what
it hides.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from time import perf_counter

from pytlik.chance import WORD, Stream
from pytlik.game import Budget
from pytlik.match import totals
from pytlik.unikat import judgment
from pytlik.unikat.endgame import all_known, proven
from pytlik.unikat.judgment import AFTER, BEFORE, Judge, chance_of
from pytlik.unikat.kernel import BAG, BONUS, DRAW, OVER, Round
from pytlik.unikat.messages import TurnAction
from pytlik.unikat.model import HAND_SIZE
from pytlik.unikat.steps import action_of, from_view
from pytlik.unikat.view import View

NODES = 4000
"""For each search of chains: a few milliseconds. Few turns need it."""

RATED = 8
"""Of so many options, the best at first sight, the next step is looked at too."""

Steps = list[int]
Rated = tuple[Steps, float]
"""What to do, as steps of the kernel, and how good it is."""


@cache
def judge(players: int, aim: str) -> Judge:
    """Somebody who judges by the chance to "win" the round, or by the "points" to expect."""
    text = files("pytlik.unikat").joinpath("judgment.json").read_text(encoding="utf-8")
    found = Judge()
    found.set_weights(json.loads(text)[aim][str(players)])
    found.set_limit(NODES)
    return found


def judge_of(view: View) -> Judge:
    """In a match of several rounds the tiles left count, and not only who is first (U17)."""
    return judge(view.players, "points" if view.options.rounds > 1 else "win")


# ------------------------------------------------------------------------------------- judging


def hard(view: View, _: Stream, __: Budget) -> TurnAction:
    """What leaves the best hand."""
    round_ = from_view(view, 0)
    steps, _value = rated_options(round_, judge_of(view), RATED)[0]
    return action_of(round_, steps)


def rated_options(round_: Round, mind: Judge, count: int) -> list[Rated]:
    """The best that can be done now, the best first, rated by what could be done next."""
    found = [(steps, rated(round_, steps, mind)) for steps in options(round_, mind, count)]
    return sorted(found, key=lambda steps_value: -steps_value[1])


def options(round_: Round, mind: Judge, count: int) -> list[Steps]:
    """The best at first sight."""
    values = [mind.seen_option(number)[3] for number in range(mind.consider(round_))]
    order = sorted(range(len(values)), key=lambda number: -values[number])
    return [mind.steps(round_, number) for number in order[:count]]


def rated(round_: Round, steps: Steps, mind: Judge) -> float:
    """The judgment of doing something; the higher the better."""
    seat = round_.to_move
    after = round_.copy()
    for step in steps:
        if step == BAG:
            value = float(mind.described(after, seat, BEFORE)[2])
            grows = len(steps) > 1 and len(after.hands[seat]) < HAND_SIZE - 1
            return value - mind.grows if grows else value
        after.step(step)
    if after.phase == OVER:
        return judgment.WON
    if after.to_move == seat and after.phase in (BONUS, DRAW):
        mind.consider(after)
        return float(mind.seen_option(mind.best())[3])
    return float(mind.described(after, seat, AFTER)[2])


def win_chance(round_: Round, steps: Steps) -> float:
    """From 0 to 1: how likely the one to move wins the round so."""
    return round(float(chance_of(rated(round_, steps, judge(round_.players, "win")))), 4)


# ------------------------------------------------------------------------------------ imagining

CANDIDATES = 8
TRUST = 8
"""How many imagined rounds the first judgment is worth."""


def master(view: View, stream: Stream, budget: Budget) -> TurnAction:
    """What turns out best where the round is imagined to go on, many times and each time with
    other guesses; the same guesses for all that is compared. The worse half is dropped again and
    again, so that most time goes into what is nearly as good."""
    round_ = from_view(view, stream.below(WORD))
    mind = judge_of(view)
    candidates = rated_options(round_, mind, CANDIDATES)
    if len(candidates) > 1 and candidates[0][1] < judgment.WON:
        if all_known(view) and (steps := proven(round_, for_points=view.options.rounds > 1)):
            return action_of(round_, steps)
        search = Search(view, round_, mind, stream)
        return action_of(round_, search.best(candidates, budget))
    return action_of(round_, candidates[0][0])


class Search:
    """A round imagined again and again, for one decision."""

    def __init__(self, view: View, round_: Round, mind: Judge, stream: Stream) -> None:
        assert view.seat is not None
        self.seat = view.seat
        self.round = round_
        self.mind = mind
        self.stream = stream
        self.to_come = view.options.rounds - view.round
        self.single = view.options.rounds == 1
        self.points = totals(view.sheet, view.players)

    def best(self, candidates: list[Rated], budget: Budget) -> Steps:
        left = [
            Candidate(steps, TRUST * self.believed(value), TRUST) for steps, value in candidates
        ]
        stages = (len(left) - 1).bit_length()
        began = perf_counter()
        for stage in range(1, stages + 1):
            done = 0
            while not (
                done >= budget.simulations // stages
                if budget.simulations is not None
                else perf_counter() - began > budget.seconds * stage / stages
            ):
                self.mind.guess(self.round, self.stream.below(WORD), self.seat)
                for candidate in left:
                    # Uncompiled one round for each would already be too long.
                    if budget.simulations is None and perf_counter() - began > budget.seconds:
                        break
                    candidate.sum += self.imagined(candidate.steps)
                    candidate.count += 1
                done += len(left)
            left.sort(key=lambda candidate: -candidate.sum / candidate.count)
            left = left[: (len(left) + 1) // 2]
        return left[0].steps

    def imagined(self, steps: Steps) -> float:
        """How good one course of the round is for the seat, from 0 to 1."""
        self.mind.imagine(steps)
        winners, counts = self.mind.imagined
        if self.single:
            return (winners >> self.seat & 1) / winners.bit_count()
        minus = [points + count for points, count in zip(self.points, counts, strict=True)]
        mine = minus.pop(self.seat)
        return self.prospect(min(minus) - mine)

    def believed(self, value: float) -> float:
        if self.single:
            return float(chance_of(value))
        others = [points for seat, points in enumerate(self.points) if seat != self.seat]
        return self.prospect(min(others) - self.points[self.seat] + value)

    def prospect(self, lead: float) -> float:
        """What so many points ahead after this round are worth, from 0 to 1: the fewer rounds are
        to come the more it only counts who is ahead."""
        return float(chance_of(lead / (0.5 + 4 * self.to_come**0.5)))


@dataclass
class Candidate:
    steps: Steps
    sum: float
    count: int
