"""OpenSpiel's bots at our tables."""

from itertools import count

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="needs pytlik[openspiel]")

from pytlik.adapters import bots_from_openspiel
from pytlik.adapters.bots_from_openspiel import BOTS, KernelRolloutEvaluator
from pytlik.arena import league
from pytlik.arena.league import Contest
from pytlik.chance import from_text
from pytlik.game import Budget, Malformed
from pytlik.unikat.action_checks import check
from pytlik.unikat.messages import Lay, Swap
from pytlik.unikat.model import Options
from pytlik.unikat.view import view
from tests.unikat.drawn_tables import table_from_drawing

FEW_SIMULATIONS = Budget(simulations=3)
SHORT_MATCH_OPTIONS = {"blocked": [1, 1]}


@pytest.mark.parametrize("name", BOTS)
def test_openspiel_bots_play_whole_matches_in_the_arena(name: str) -> None:
    contest = Contest(
        game="unikat",
        bots=("random", name),
        games=2,
        options=SHORT_MATCH_OPTIONS,
        budget=FEW_SIMULATIONS,
    )
    line = league.run(contest, processes=1).lines[0]
    assert (line.games, line.against) == (2, name)


def test_unknown_openspiel_bot_is_refused() -> None:
    with pytest.raises(Malformed, match=r"unikat has .*openspiel-ismcts"):
        league.check_contest(Contest(game="unikat", bots=("hard", "openspiel-something")))


@pytest.mark.parametrize("name", BOTS)
def test_choices_are_repeatable_with_counted_simulations(name: str) -> None:
    table = table_from_drawing(
        "0000", hands=["0001 0002 1111", "2222 2221"], display="1000", bag="2000 0200"
    )
    seen = view(table.state, 0)
    actions = {BOTS[name](seen, from_text("a").stream("b"), FEW_SIMULATIONS) for _ in range(3)}
    assert len(actions) == 1
    action = actions.pop()
    assert isinstance(action, Lay | Swap)
    check(table.state, 0, action)


@pytest.mark.parametrize("name", ["openspiel-ismcts", "openspiel-ismcts-kernel"])
def test_search_finds_an_immediate_win(name: str) -> None:
    table = table_from_drawing(
        "0000", hands=["0001", "2222 2221 2212"], display="1011", bag="2011 0211 1211 2211"
    )
    action = BOTS[name](view(table.state, 0), from_text("a").stream("b"), Budget(simulations=100))
    assert isinstance(action, Lay)


def test_search_uses_the_options_of_the_table() -> None:
    options = Options(extra_action="continue", blocked=(3, 7))
    setup = bots_from_openspiel.make_game(3, options).setup
    assert (setup.players, setup.options) == (3, options)


def test_shared_win_is_worth_nothing_to_two_players() -> None:
    """The round is blocked, and both hold one tile."""
    options = Options(blocked=(1, 1))
    table = table_from_drawing("0000", known=["", "2221"], display="", bag="", options=options)
    state = bots_from_openspiel.make_game(2, options).state_of(view(table.state, 0))
    evaluator = KernelRolloutEvaluator(2, np.random.RandomState(1))
    assert evaluator.evaluate(state) == pytest.approx([0, 0])


def test_time_is_shared_among_the_steps_of_an_action(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock that advances by a hundredth of a second each time it's read."""
    looks = count()
    monkeypatch.setattr(bots_from_openspiel, "perf_counter", lambda: next(looks) / 100)
    table = table_from_drawing(
        "0000",
        hands=["0001 0002 0010 0020 0100 0200 1000", "2222 2221 2212"],
        display="1011",
        bag="2011 0211 1211 2211",
        options=Options(blocked=(1, 1)),
    )
    action = BOTS["openspiel-ismcts-kernel"](
        view(table.state, 0), from_text("a").stream("b"), Budget(seconds=1)
    )
    check(table.state, 0, action)
    # All but a few readings are simulations. The last step leaves at most half of the time unused.
    assert 50 <= next(looks) <= 105
