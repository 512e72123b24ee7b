"""A round of Unikat as the OpenSpiel game `python_unikat` (docs/research.md).

Importing this module registers it. Actions are single steps of a turn (`unikat_steps.py`); chance
deals and draws. An observation is what a seat sees now (`unikat_observation.py`); an information
state is everything that it has seen and done (`unikat_chance_round.py`).
"""

from collections.abc import Callable
from typing import Any

from pytlik.extras import explain_missing_extra

with explain_missing_extra("openspiel"):
    import numpy as np
    import pyspiel

from pytlik.adapters import unikat_seat_knowledge as seat_knowledge
from pytlik.adapters.unikat_chance_round import (
    CHANCE,
    NOBODY,
    ChanceRound,
    ImpossibleDeal,
    RoundSetup,
    steps_and_tiles_from_log,
)
from pytlik.adapters.unikat_observation import LAYOUT, OBSERVATION_SIZE
from pytlik.adapters.unikat_returns import round_returns
from pytlik.adapters.unikat_steps import NAMES, NUMBERS, STEP_COUNT
from pytlik.adapters.validation import check_options, check_players, check_starter
from pytlik.unikat.engine.kernel_bridge import from_view
from pytlik.unikat.model import TILES, Options
from pytlik.unikat.rules import PLAYERS
from pytlik.unikat.view import View

DEFAULT_OPTIONS = Options()

GAME_TYPE = pyspiel.GameType(
    short_name="python_unikat",
    long_name="Unikat",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=PLAYERS[-1],
    min_num_players=PLAYERS[0],
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={
        "players": PLAYERS[0],
        "starter": 0,
        "extra_action": DEFAULT_OPTIONS.extra_action,
        "blocked_empty": DEFAULT_OPTIONS.blocked[0],
        "blocked_any": DEFAULT_OPTIONS.blocked[1],
        "story": 1024,
    },
)

WORDS = {
    **NUMBERS,
    **{
        word: STEP_COUNT + number
        for number, word in enumerate(
            [
                *(f"{sign}{tile}" for sign in "=*@" for tile in TILES),
                "bonus",
                *(f"p{seat}" for seat in range(PLAYERS[-1])),
            ]
        )
    },
}
"""The words of a story by number: steps; a tile from the bag that came into the seat's own hand,
into the display or onto the table; an extra action earned; whose turn it is."""


def max_round_steps(setup: RoundSetup) -> int:
    """An upper bound for the steps of a round. There are 80 tiles to lay. A turn that lays some has
    at most four steps besides them: the end of the chain, a swap, a draw. Before each and at the
    end there are fewer turns without a lay than would end the round (U16), each with a swap and a
    draw."""
    lays = len(TILES) - 1
    quiet = setup.players * setup.options.blocked[1]
    return lays * 5 + (lays + 1) * quiet * 3


def phase_of(state: "UnikatState") -> int | None:
    """The kernel's phase; None before the deal is done."""
    round_ = state.chance_round.round
    return round_.phase if round_ else None


class UnikatGame(pyspiel.Game):
    """A round of Unikat."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        facts = {
            name: given.get(name, default)
            for name, default in GAME_TYPE.parameter_specification.items()
        }
        players = facts["players"]
        blocked = (facts["blocked_empty"], facts["blocked_any"])
        options = Options(extra_action=facts["extra_action"], blocked=blocked)
        check_players(players, PLAYERS)
        check_starter(facts["starter"], players)
        check_options(options, Options)
        if facts["story"] < 1:
            raise ValueError(f"story: at least one word, not {facts['story']}")
        self.story = facts["story"]
        """How many of a story's latest words the tensor of an information state has. There could be
        20,000 for two players; twenty random rounds had 258 to 506. The string has all of them."""
        self.setup = RoundSetup(players, facts["starter"], options)
        info = pyspiel.GameInfo(
            num_distinct_actions=STEP_COUNT,
            max_chance_outcomes=len(TILES),
            num_players=players,
            min_utility=-1 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=max_round_steps(self.setup),
        )
        super().__init__(GAME_TYPE, info, given)

    def new_initial_state(self) -> "UnikatState":
        return UnikatState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Each tile comes out of the bag once."""
        return len(TILES)

    def make_py_observer(
        self,
        iig_obs_type: Any = None,
        params: Any = None,  # noqa: ARG002 - asked for by OpenSpiel
    ) -> "UnikatObserver":
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return UnikatObserver(kind, self.story)

    def state_of(self, view: View) -> "UnikatState":
        """A state that starts with what a seat sees; whatever the seat may not know is made up."""
        state = UnikatState(self)
        setup = RoundSetup(view.players, view.starter, view.options)
        state.chance_round = ChanceRound(setup, from_view(view, 0))
        return state


class UnikatState(pyspiel.State):
    """A round at one moment. All of it is in `chance_round`."""

    def __init__(self, game: UnikatGame) -> None:
        super().__init__(game)
        self.chance_round = ChanceRound(game.setup)

    def current_player(self) -> int:
        mover = self.chance_round.to_move
        if mover == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if mover == NOBODY else mover

    def is_terminal(self) -> bool:
        return self.chance_round.to_move == NOBODY

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - only who is to move
        return sorted(self.chance_round.kernel_round.legal())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        tiles = self.chance_round.possible_tiles()
        return [(tile, 1 / len(tiles)) for tile in tiles]

    def _apply_action(self, action: int) -> None:
        self.chance_round.apply_step_or_tile(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return TILES[action] if player == pyspiel.PlayerId.CHANCE else NAMES[action]

    def returns(self) -> list[float]:
        round_, players = self.chance_round.round, self.chance_round.setup.players
        if round_ is None or not round_.is_over:
            return [0.0] * players
        return round_returns(players, round_.winners)

    def __str__(self) -> str:
        return seat_knowledge.describe_full_state(self.chance_round)

    def resample_from_infostate(
        self, player: int, probability_sampler: Callable[[], float]
    ) -> "UnikatState":
        """A random state that looks the same to a player, given all that it has seen and done; all
        such states are equally likely. Its history can be played from the beginning."""
        while True:
            state = UnikatState(self.get_game())
            state.chance_round, log = seat_knowledge.resample_hidden_tiles(
                self.chance_round, player, probability_sampler
            )
            try:
                for step_or_tile in steps_and_tiles_from_log(state.chance_round, log):
                    state.apply_action(step_or_tile)
            except ImpossibleDeal:
                continue
            # In the middle of someone else's chain, the new state must be in the middle of it too.
            if phase_of(state) == phase_of(self):
                return state


class UnikatObserver:
    """What players see, for OpenSpiel's `make_observation`."""

    def __init__(self, kind: Any, words: int) -> None:
        self.perfect_recall = kind.perfect_recall
        self.public = kind.public_info
        self.private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if self.perfect_recall and not (self.public and self.private):
            raise ValueError("a story has both what is open and what is the player's own")
        self.tensor = np.zeros(OBSERVATION_SIZE + (words if self.perfect_recall else 0), np.float32)
        self.dict = {"observation": self.tensor[:OBSERVATION_SIZE]}
        if self.perfect_recall:
            self.dict["story"] = self.tensor[OBSERVATION_SIZE:]

    def set_from(self, state: UnikatState, player: int) -> None:
        self.tensor.fill(0)
        row = seat_knowledge.observe_for_seat(state.chance_round, player)
        if row is not None:
            self.tensor[:OBSERVATION_SIZE] = row
            hand = LAYOUT["hand"]
            if not self.private:
                self.tensor[hand] = 0
            if not self.public:
                self.tensor[hand.stop : OBSERVATION_SIZE] = 0
        if self.perfect_recall:
            told = self.dict["story"]
            story = state.chance_round.histories[player].rpartition(";")[2].split()[-len(told) :]
            told[: len(story)] = [WORDS[word] + 1 for word in story]

    def string_from(self, state: UnikatState, player: int) -> str:
        if self.perfect_recall:
            return state.chance_round.histories[player]
        return seat_knowledge.describe_for_seat(
            state.chance_round, player, public=self.public, private=self.private
        )


pyspiel.register_game(GAME_TYPE, UnikatGame)
