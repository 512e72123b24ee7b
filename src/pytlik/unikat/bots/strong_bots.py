"""The two strong levels: one evaluates what each action leaves, and the other also simulates the
rest of the round.

Both know only what their seat sees: the kernel's round is built from a View, with guesses for what
that hides.
"""

from dataclasses import dataclass
from functools import cache
from time import perf_counter

from pytlik.chance import WORD_LIMIT, Stream
from pytlik.game import Budget
from pytlik.unikat.bots.endgame import find_proven_action, knows_every_tile
from pytlik.unikat.bots.match_value import MatchValue
from pytlik.unikat.engine.evaluation import (
    AFTER_TURN,
    BEFORE_DRAW,
    WON,
    RoundEvaluator,
    Weights,
    load_weights,
    win_probability,
)
from pytlik.unikat.engine.kernel import BAG, BONUS, DRAW, OVER, Round
from pytlik.unikat.engine.kernel_bridge import action_of, from_view
from pytlik.unikat.messages import TurnAction
from pytlik.unikat.model import HAND_SIZE
from pytlik.unikat.view import View

MAX_SEARCH_NODES = 4000
"""Limit of each search for chains, which takes a few milliseconds. Few turns reach it."""

MAX_CANDIDATES = 8
"""How many of the actions that look best are evaluated again, one step deeper."""

MAX_CANDIDATES_FOR_POINTS = 40
"""The same in a match of several rounds, where every tile left in the hand costs a point."""

Steps = list[int]
"""An action, as steps of the kernel."""


@cache
def evaluator_for(players: int) -> RoundEvaluator:
    """The evaluator with the learned weights."""
    return build_evaluator(load_weights()[players], MAX_SEARCH_NODES)


def build_evaluator(weights: Weights, nodes: int) -> RoundEvaluator:
    evaluator = RoundEvaluator()
    evaluator.set_weights(weights.flat_weights(), weights.growing_hand_penalty)
    evaluator.set_node_limit(nodes)
    return evaluator


# ---------------------------------------------------------------------------------------- hard


def hard(view: View, _: Stream, __: Budget) -> TurnAction:
    """Leave the best hand."""
    round_ = from_view(view, 0)
    steps, _value = evaluate_candidates(view, round_)[0]
    return action_of(round_, steps)


def evaluate_candidates(view: View, round_: Round) -> list[tuple[Steps, float]]:
    """Candidate actions with their values, best first."""
    evaluator = evaluator_for(view.players)
    match_value = MatchValue(view)
    found = list[tuple[Steps, float]]()
    # For points, the best lay may be one that hardly helps to win the round.
    count = MAX_CANDIDATES if match_value.only_round else MAX_CANDIDATES_FOR_POINTS
    for steps in best_candidates(round_, evaluator, count):
        chance = float(win_probability(evaluate_action(round_, steps, evaluator)))
        found.append((steps, match_value.of_win_chance(chance, count_tiles_left(round_, steps))))
    return sorted(found, key=lambda steps_value: -steps_value[1])[:MAX_CANDIDATES]


def count_tiles_left(round_: Round, steps: Steps) -> int:
    """How many tiles the hand has at the end of the turn, if no more are laid."""
    seat = round_.to_move
    after = round_.copy()
    for step in steps:
        after.step(step)
    count = len(after.hands[seat])
    return count + 1 if after.to_move == seat and not after.is_over and count < HAND_SIZE else count


def best_candidates(round_: Round, evaluator: RoundEvaluator, count: int) -> list[Steps]:
    """The actions that look best without looking a step ahead, best first."""
    candidates = range(evaluator.find_candidates(round_))
    values = [evaluator.candidate_at(number)[3] for number in candidates]
    order = sorted(candidates, key=lambda number: -values[number])
    return [evaluator.candidate_steps(round_, number) for number in order[:count]]


def evaluate_action(round_: Round, steps: Steps, evaluator: RoundEvaluator) -> float:
    """The value of an action, looking one step ahead; the higher the better."""
    seat = round_.to_move
    after = round_.copy()
    for step in steps:
        if step == BAG:
            value = float(evaluator.hand_features(after, seat, BEFORE_DRAW)[2])
            grows = len(steps) > 1 and len(after.hands[seat]) < HAND_SIZE - 1
            return value - evaluator.growing_hand_penalty if grows else value
        after.step(step)
    if after.phase == OVER:
        return WON
    if after.to_move == seat and after.phase in (BONUS, DRAW):
        evaluator.find_candidates(after)
        return float(evaluator.candidate_at(evaluator.best_candidate())[3])
    return float(evaluator.hand_features(after, seat, AFTER_TURN)[2])


# -------------------------------------------------------------------------------------- master

PRIOR_WEIGHT_IN_SIMULATIONS = 8
"""How many simulations the first evaluation counts as."""


def master(view: View, stream: Stream, budget: Budget) -> TurnAction:
    """Simulate the rest of the round after each candidate, many times with different guesses, and
    choose the one that turns out best. All candidates get the same guesses. The worse half is
    dropped repeatedly, so that most of the time goes into the best ones. Once nothing is hidden, a
    proof replaces the guesses."""
    began = perf_counter()
    round_ = from_view(view, stream.below(WORD_LIMIT))
    found = evaluate_candidates(view, round_)
    if len(found) == 1 or lays_last_tile(round_, found[0][0]):
        return action_of(round_, found[0][0])
    if knows_every_tile(view):
        steps = find_proven_action(round_, for_points=view.options.rounds > 1)
        if steps:
            return action_of(round_, steps)
    return action_of(
        round_, RoundSearch(view, round_, stream).find_best_steps(found, budget, began)
    )


def lays_last_tile(round_: Round, steps: Steps) -> bool:
    """Do these steps, perhaps with a second lay, lay the last tile?"""
    return evaluate_action(round_, steps, evaluator_for(round_.players)) == WON


@dataclass
class CandidateAction:
    steps: Steps
    sum: float
    count: int

    @property
    def mean(self) -> float:
        return self.sum / self.count


class RoundSearch:
    """Simulates the rest of a round many times, for one decision."""

    def __init__(self, view: View, round_: Round, stream: Stream) -> None:
        self.round = round_
        self.evaluator = evaluator_for(view.players)
        self.match_value = MatchValue(view)
        self.stream = stream

    def find_best_steps(
        self, candidates: list[tuple[Steps, float]], budget: Budget, began: float
    ) -> Steps:
        prior = PRIOR_WEIGHT_IN_SIMULATIONS
        left = [CandidateAction(steps, prior * value, prior) for steps, value in candidates]
        stages = (len(left) - 1).bit_length()
        for stage in range(1, stages + 1):
            done = 0
            while not (
                done >= budget.simulations // stages
                if budget.simulations is not None
                else perf_counter() - began > budget.seconds * stage / stages
            ):
                self.evaluator.guess(
                    self.round, self.stream.below(WORD_LIMIT), self.match_value.seat
                )
                for candidate in left:
                    # Uncompiled, even one simulation of each would take too long.
                    if budget.simulations is None and perf_counter() - began > budget.seconds:
                        break
                    candidate.sum += self.simulate(candidate.steps)
                    candidate.count += 1
                done += len(left)
            left.sort(key=lambda candidate: -candidate.mean)
            left = left[: (len(left) + 1) // 2]
        return left[0].steps

    def simulate(self, steps: Steps) -> float:
        """Play the latest guess to the end. Returns the value for the seat, from 0 to 1."""
        winners, counts = self.evaluator.play_guess(steps)
        return self.match_value.of_round_end(winners, counts)
