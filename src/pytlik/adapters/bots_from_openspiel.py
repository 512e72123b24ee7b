"""OpenSpiel's bots in our form: functions of a View, a random stream and a budget.

They choose single steps, so an action takes several of their decisions, which share its time: a
step that others may follow gets half of what is left.
"""

from collections.abc import Callable
from functools import cache
from time import perf_counter
from typing import Any

from pytlik.extras import explain_missing_extra

with explain_missing_extra("openspiel"):
    import numpy as np
    from open_spiel.python.algorithms import ismcts, mcts
    from open_spiel.python.bots import uniform_random

from pytlik.adapters.openspiel import UnikatGame, UnikatState
from pytlik.chance import Stream
from pytlik.game import Budget
from pytlik.unikat.engine.kernel import CHAIN, DRAW, TAKING
from pytlik.unikat.engine.kernel_bridge import action_of
from pytlik.unikat.messages import TurnAction
from pytlik.unikat.model import Options
from pytlik.unikat.view import View

ChooseStep = Callable[[UnikatState, float, int | None], int]
"""Chooses a step in a state, within a number of seconds or of simulations."""

UCT_EXPLORATION = 2.0
"""The UCT constant from OpenSpiel's examples."""


@cache
def make_game(players: int, options: Options) -> UnikatGame:
    return UnikatGame(
        {
            "players": players,
            "extra_action": options.extra_action,
            "blocked_empty": options.blocked[0],
            "blocked_any": options.blocked[1],
        }
    )


class TimedSearch(ismcts.ISMCTSBot):
    """OpenSpiel's information-set MCTS with a deadline; by itself it only counts simulations."""

    deadline = 0.0

    def run_search(self, state: UnikatState) -> Any:
        if self._max_simulations or len(state.legal_actions()) == 1:
            return super().run_search(state)
        self.reset()
        self._root_node = self.create_new_node(state)
        # The first only expands the root: without a second nothing would have been tried.
        count = 0
        while count < 2 or perf_counter() < self.deadline:
            self.run_simulation(self.sample_root_state(state))
            count += 1
        return self.get_final_policy(state, self._root_node)


class KernelRolloutEvaluator(mcts.RandomRolloutEvaluator):
    """Random rounds to the end, as OpenSpiel's own evaluator plays them, but by the kernel."""

    def evaluate(self, state: UnikatState) -> Any:
        players = state.chance_round.kernel_round.players
        total = np.zeros(players)
        for _ in range(self.n_rollouts):
            round_ = state.chance_round.kernel_round.copy()
            round_.seed(int(self._random_state.randint(1 << 62)))
            round_.play_randomly()
            for winner in round_.winners:
                total[winner] += 1 / len(round_.winners)
        # Convert shares of the win to the scale of `returns`.
        return (total / self.n_rollouts * players - 1) / (players - 1)


def random_state(stream: Stream) -> np.random.RandomState:
    return np.random.RandomState(stream.below(1 << 32))


def make_mcts_step(
    view: View, stream: Stream, evaluator: type[mcts.RandomRolloutEvaluator]
) -> ChooseStep:
    """Choose steps with OpenSpiel's information-set MCTS."""
    random = random_state(stream)
    own = random_state(stream)

    def step(state: UnikatState, seconds: float, simulations: int | None) -> int:
        bot = TimedSearch(
            make_game(view.players, view.options),
            evaluator(1, random),
            UCT_EXPLORATION,
            simulations or 0,
            random_state=own,
        )
        # Its own resampler would draw from a generator that can't be seeded.
        bot.set_resampler(lambda root, seat: root.resample_from_infostate(seat, own.random_sample))
        bot.deadline = perf_counter() + seconds
        return int(bot.step(state))

    return step


def choose_action(view: View, budget: Budget, step: ChooseStep) -> TurnAction:
    """Choose a whole action, step by step."""
    began = perf_counter()
    state = make_game(view.players, view.options).state_of(view)
    start = state.chance_round.start
    assert start is not None
    steps: list[int] = []
    while not steps or is_mid_action(state):
        left = budget.seconds - (perf_counter() - began)
        last = state.chance_round.kernel_round.phase in (TAKING, DRAW)
        steps.append(step(state, left if last else left / 2, budget.simulations))
        state.apply_action(steps[-1])
    return action_of(start, steps)


def is_mid_action(state: UnikatState) -> bool:
    """Is a lay or a swap under way?"""
    return not state.is_chance_node() and state.chance_round.kernel_round.phase in (CHAIN, TAKING)


def information_set_mcts(view: View, stream: Stream, budget: Budget) -> TurnAction:
    """OpenSpiel's IS-MCTS with its own random rollouts."""
    return choose_action(view, budget, make_mcts_step(view, stream, mcts.RandomRolloutEvaluator))


def mcts_with_kernel_rollouts(view: View, stream: Stream, budget: Budget) -> TurnAction:
    """OpenSpiel's IS-MCTS with random rollouts by our kernel: many more in the same time."""
    return choose_action(view, budget, make_mcts_step(view, stream, KernelRolloutEvaluator))


def random_steps(view: View, stream: Stream, budget: Budget) -> TurnAction:
    """OpenSpiel's bot that does random legal steps."""
    assert view.seat is not None
    bot = uniform_random.UniformRandomBot(view.seat, random_state(stream))

    def step(state: UnikatState, _seconds: float, _simulations: int | None) -> int:
        return int(bot.step(state))

    return choose_action(view, budget, step)


BOTS = {
    "openspiel-ismcts": information_set_mcts,
    "openspiel-ismcts-kernel": mcts_with_kernel_rollouts,
    "openspiel-random": random_steps,
}
