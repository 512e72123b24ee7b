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
from pytlik.unikat.endgame import all_known, proven
from pytlik.unikat.judgment import AFTER, BEFORE, WON, Judge, chance_of
from pytlik.unikat.kernel import BAG, BONUS, DRAW, OVER, Round
from pytlik.unikat.messages import TurnAction
from pytlik.unikat.model import HAND_SIZE
from pytlik.unikat.stakes import Stakes
from pytlik.unikat.steps import action_of, from_view
from pytlik.unikat.view import View

NODES = 4000
"""For each search of chains: a few milliseconds. Few turns need it."""

RATED = 8
"""Of so many options, the best at first sight, the next step is looked at too."""

RATED_FOR_POINTS = 40

Steps = list[int]
Rated = tuple[Steps, float]
"""What to do, as steps of the kernel, and how good it is."""


@cache
def judge(players: int) -> Judge:
    """Somebody who judges by the chance to win the round."""
    text = files("pytlik.unikat").joinpath("judgment.json").read_text(encoding="utf-8")
    found = Judge()
    found.set_weights(json.loads(text)[str(players)])
    found.set_limit(NODES)
    return found


# ------------------------------------------------------------------------------------- judging


def hard(view: View, _: Stream, __: Budget) -> TurnAction:
    """What leaves the best hand."""
    round_ = from_view(view, 0)
    steps, _value = candidates(view, round_)[0]
    return action_of(round_, steps)


def candidates(view: View, round_: Round) -> list[Rated]:
    """The best that can be done now by what it is worth to the seat, the best first."""
    mind = judge(view.players)
    stakes = Stakes(view)
    found = list[Rated]()
    # Who plays for points may lay what a chance to be first would not even look at.
    for steps in options(round_, mind, RATED if stakes.only_round else RATED_FOR_POINTS):
        chance = float(chance_of(rated(round_, steps, mind)))
        found.append((steps, stakes.of_chance(chance, left_after(round_, steps))))
    return sorted(found, key=lambda steps_worth: -steps_worth[1])[:RATED]


def left_after(round_: Round, steps: Steps) -> int:
    """How many tiles the hand has at the end of the turn, if no more are laid."""
    seat = round_.to_move
    after = round_.copy()
    for step in steps:
        after.step(step)
    count = len(after.hands[seat])
    return count + 1 if after.to_move == seat and not after.over and count < HAND_SIZE else count


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
        return WON
    if after.to_move == seat and after.phase in (BONUS, DRAW):
        mind.consider(after)
        return float(mind.seen_option(mind.best())[3])
    return float(mind.described(after, seat, AFTER)[2])


def win_chance(round_: Round, steps: Steps) -> float:
    """From 0 to 1: how likely the one to move wins the round so."""
    return round(float(chance_of(rated(round_, steps, judge(round_.players)))), 4)


# ------------------------------------------------------------------------------------ imagining

TRUST = 8
"""How many imagined rounds the first judgment is worth."""


def master(view: View, stream: Stream, budget: Budget) -> TurnAction:
    """What turns out best where the round is imagined to go on, many times and each time with
    other guesses; the same guesses for all that is compared. The worse half is dropped again and
    again, so that most time goes into what is nearly as good. Where nothing is hidden any more
    nothing is guessed either."""
    began = perf_counter()
    round_ = from_view(view, stream.below(WORD))
    found = candidates(view, round_)
    if len(found) == 1 or wins(round_, found[0][0]):
        return action_of(round_, found[0][0])
    if all_known(view) and (steps := proven(round_, for_points=view.options.rounds > 1)):
        return action_of(round_, steps)
    return action_of(round_, Search(view, round_, stream).best(found, budget, began))


def wins(round_: Round, steps: Steps) -> bool:
    """Whether nothing more than these steps is needed to lay the last tile."""
    return rated(round_, steps, judge(round_.players)) == WON


class Search:
    """A round imagined again and again, for one decision."""

    def __init__(self, view: View, round_: Round, stream: Stream) -> None:
        self.round = round_
        self.mind = judge(view.players)
        self.stakes = Stakes(view)
        self.stream = stream

    def best(self, candidates: list[Rated], budget: Budget, began: float) -> Steps:
        left = [Candidate(steps, TRUST * worth, TRUST) for steps, worth in candidates]
        stages = (len(left) - 1).bit_length()
        for stage in range(1, stages + 1):
            done = 0
            while not (
                done >= budget.simulations // stages
                if budget.simulations is not None
                else perf_counter() - began > budget.seconds * stage / stages
            ):
                self.mind.guess(self.round, self.stream.below(WORD), self.stakes.seat)
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
        return self.stakes.of_end(winners, counts)


@dataclass
class Candidate:
    steps: Steps
    sum: float
    count: int
