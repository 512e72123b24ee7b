"""Ubongo's race against the timer as a PettingZoo environment in which all agents act at the same
time."""

from typing import Any

from pytlik.extras import explain_missing_extra

with explain_missing_extra("pettingzoo"):
    import gymnasium
    import numpy as np
    from numpy.typing import NDArray
    from pettingzoo import ParallelEnv

from pytlik.adapters.spaces import make_spaces
from pytlik.adapters.ubongo_moves import MOVE_COUNT, WAIT, NumberedMoves
from pytlik.adapters.ubongo_observation import OBSERVATION_SIZE, observe
from pytlik.adapters.validation import RENDER_MODES, check_options, check_players, check_rendering
from pytlik.chance import from_text
from pytlik.game import Illegal, Opening, Ready, Seat
from pytlik.games import UBONGO
from pytlik.i18n import catalogue
from pytlik.match import Match
from pytlik.matchfile import Player
from pytlik.text.layout import TextFormat
from pytlik.text.ubongo.table import draw_table
from pytlik.ubongo.gem_ledger import points
from pytlik.ubongo.model import SOLVING_PHASES, Options, Phase

Observation = dict[str, NDArray[Any]]
StepResult = tuple[
    dict[str, Observation],
    dict[str, float],
    dict[str, bool],
    dict[str, bool],
    dict[str, dict[str, Any]],
]


class UbongoEnv(ParallelEnv):
    """Agents are `player_0` to `player_3`, clockwise. An observation holds what the seat may know
    (`ubongo_observation.py`) and a mask of the moves that are legal now (`ubongo_moves.py`). An
    illegal move is refused, as by the rules, and wastes the step: `infos` has the reason's code.

    In a step everyone makes one move at the same moment, and then time passes. If several solve in
    the same step, their order is drawn by lot.
    """

    metadata = {  # noqa: RUF012 - PettingZoo wants it so
        "name": "ubongo_v0",
        "render_modes": RENDER_MODES,
        "render_fps": 1,
    }

    def __init__(
        self,
        players: int = 2,
        options: Options = Options(),
        *,
        rounds: int = 1,
        seconds_a_move: float = 1.0,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """The episode ends after `rounds` rounds. As many as the options have make a whole match,
        with a deciding round if needed. After `max_cycles` steps it's truncated."""
        check_players(players, UBONGO.players)
        check_options(options, Options)
        check_rendering(max_cycles, render_mode)
        if not 1 <= rounds <= options.rounds:
            raise ValueError(f"rounds: 1 to {options.rounds} rounds, not {rounds}")
        self.options = options
        self.rounds = rounds
        self.pause = round(1000 * seconds_a_move)
        if self.pause < 1:
            # The sand would never run out.
            raise ValueError(f"seconds_a_move: at least 0.001, not {seconds_a_move}")
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self.observation_spaces, self.action_spaces = make_spaces(
            self.possible_agents, OBSERVATION_SIZE, MOVE_COUNT
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
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a new match. A seed gives the same matches from here on."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        chance = from_text(str(self._random.integers(1 << 62)))
        shares = ("",) * len(self.agents)
        opening = Opening(players=len(self.agents), commitment="", shares=shares)
        self.now = 0
        self.cycles = 0
        events = UBONGO.open(opening, self.options, chance, self.now)
        seats = [Player(agent) for agent in self.agents]
        self.match = Match(UBONGO, seats, events, chance=chance)
        self._begin_round()
        return self._observe(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> StepResult:
        if not self.agents:
            return {}, {}, {}, {}, {}  # nobody acts after the end, or before reset
        acting = [(agent, self.possible_agents.index(agent)) for agent in actions]
        before = self._points()
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        for turn in self._random.permutation(len(acting)):
            agent, seat = acting[turn]
            refused = self._act(seat, int(actions[agent]))
            if refused:
                infos[agent]["refused"] = refused
        self.now += self.pause
        self._expire_deadlines()
        self.cycles += 1
        over = self._is_over()
        cut = not over and self.max_cycles is not None and self.cycles >= self.max_cycles
        if not (over or cut) and self.match.state.phase is Phase.READY:
            self._begin_round()
        rewards = self._points() - before
        if self.match.state.deciding and self.match.state.phase is Phase.OVER:
            rewards[list(self.match.state.winners)] += 1  # what the tie was about
        agents = self.agents
        step = (
            self._observe(),
            {agent: float(reward) for agent, reward in zip(agents, rewards, strict=True)},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut),
            infos,
        )
        if over or cut:
            self.agents = []
        return step

    def render(self) -> str | None:
        """Each player's own card, one below the other."""
        if self.render_mode is None:
            gymnasium.logger.warn("Give UbongoEnv a render_mode: ansi.")
            return None
        translate, look = catalogue("en"), TextFormat(plain=True, width=100, height=40)
        views = map(self.match.view, range(self.match.state.players))
        return "\n\n".join(
            draw_table(view, self.possible_agents, translate, look, now=self.now).plain
            for view in views
        )

    def close(self) -> None:
        """There is nothing to close."""

    def _begin_round(self) -> None:
        """Make everyone ready, and let the countdown pass."""
        for seat in self.match.awaited:
            self.match.act(seat, Ready(), now=self.now)
        self.match.expire()
        self.now = self.match.now
        self._boards = {seat: NumberedMoves(deal) for seat, deal in self.match.state.deals.items()}

    def _act(self, seat: Seat, number: int) -> str | None:
        """Make the move with this number. Returns the reason's code if it's refused."""
        if number == WAIT:
            return None
        board = self._boards.get(seat)
        move = board.move_for_number(number) if board else None
        if move is None:
            return "no_such_move"
        try:
            self.match.act(seat, move, now=self.now)
        except Illegal as refusal:
            return str(refusal.reason)
        return None

    def _expire_deadlines(self) -> None:
        """Let every deadline that is due expire."""
        while (due := self.match.deadline) is not None and due <= self.now:
            self.match.expire()

    def _is_over(self) -> bool:
        phase = self.match.state.phase
        if self.rounds == self.options.rounds:
            return phase is Phase.OVER
        return self.match.state.round == self.rounds and phase not in SOLVING_PHASES

    def _points(self) -> NDArray[np.int64]:
        return np.array([points(gems) for gems in self.match.state.books.held])

    def _observe(self) -> dict[str, Observation]:
        observed = {}
        for seat, agent in enumerate(self.possible_agents):
            view, board = self.match.view(seat), self._boards.get(seat)
            if view.choices.solve and board:
                mask = board.legal_mask(view.placed[seat])
            else:
                mask = np.zeros(MOVE_COUNT, np.int8)
                mask[WAIT] = 1
            observed[agent] = {"observation": observe(view, board, self.now), "action_mask": mask}
        return observed
