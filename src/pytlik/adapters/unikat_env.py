"""A round of Unikat as a PettingZoo environment, whose steps are single steps of a turn."""

from typing import Any

from pytlik.extras import explain_missing_extra

with explain_missing_extra("pettingzoo"):
    import gymnasium
    import numpy as np
    from numpy.typing import NDArray
    from pettingzoo import AECEnv

from pytlik.adapters.spaces import make_spaces
from pytlik.adapters.unikat_observation import OBSERVATION_SIZE, ObservedRound
from pytlik.adapters.unikat_render import render_round
from pytlik.adapters.unikat_returns import round_returns
from pytlik.adapters.unikat_steps import STEP_COUNT
from pytlik.adapters.validation import (
    RENDER_MODES,
    check_options,
    check_players,
    check_rendering,
    check_starter,
)
from pytlik.unikat.engine.kernel_bridge import new_round
from pytlik.unikat.model import Options
from pytlik.unikat.rules import PLAYERS

Observation = dict[str, NDArray[Any]]


class UnikatEnv(AECEnv):
    """Agents are `player_0` to `player_3`, clockwise. An observation holds what the seat may know
    (`unikat_observation.py`) and a mask of the steps that are legal now (`unikat_steps.py`)."""

    metadata = {  # noqa: RUF012 - PettingZoo wants it so
        "name": "unikat_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        players: int = 2,
        options: Options = Options(),
        *,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Only the options about a single round matter. After `max_cycles` steps the
        round is truncated, and nobody has won."""
        super().__init__()
        check_players(players, PLAYERS)
        check_options(options, Options)
        check_starter(options.starter, players)
        check_rendering(max_cycles, render_mode)
        self.options = options
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces, self.action_spaces = make_spaces(
            self.possible_agents, OBSERVATION_SIZE, STEP_COUNT
        )
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - part of PettingZoo's interface
    ) -> None:
        """Deal a new round. A seed gives the same rounds from here on."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        players, starter = len(self.possible_agents), self.options.starter
        round_ = new_round(self.options)
        round_.seed(int(self._random.integers(1 << 62)))
        drawn_starter = int(self._random.integers(players))
        round_.deal(players, drawn_starter if starter is None else starter)
        self.play = ObservedRound(round_, self.options)
        self.steps = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[round_.to_move]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an agent that has not finished must act")
        round_ = self.play.round
        self.play.apply_step(int(action))
        self.steps += 1
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if round_.is_over:
            shares = round_returns(len(self.agents), round_.winners)
            self.rewards = dict(zip(self.agents, shares, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.max_cycles is not None and self.steps >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[round_.to_move]

    def observe(self, agent: str) -> Observation:
        seat = self._seats[agent]
        if seat == self.play.round.to_move:
            mask = np.frombuffer(self.play.round.legal_mask(), np.int8)
        else:
            mask = np.zeros(STEP_COUNT, np.int8)
        return {"observation": self.play.observe(seat), "action_mask": mask}

    def render(self) -> str | None:
        """The table as the agent to move sees it."""
        if self.render_mode is None:
            gymnasium.logger.warn("Give UnikatEnv a render_mode: ansi.")
            return None
        return render_round(self.play.round, self.options)

    def close(self) -> None:
        """There is nothing to close."""
