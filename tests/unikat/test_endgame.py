"""Exact play when the end is in sight: what is certain is found, and nothing else is claimed."""

import pytest

from pytlik.chance import Stream, from_text
from pytlik.game import Budget
from pytlik.unikat.bots import LEVELS
from pytlik.unikat.bots.endgame import all_actions, all_known, find_proven_action
from pytlik.unikat.engine import kernel
from pytlik.unikat.engine.kernel_bridge import action_of, from_state, from_view
from pytlik.unikat.engine.longest_turn import longest_turn
from pytlik.unikat.legal import legal
from pytlik.unikat.messages import Action, Draw, Lay
from pytlik.unikat.model import TILES, Options
from pytlik.unikat.view import view
from tests.unikat.drawn_tables import Scene, table, view_of

TWO_ROUNDS = Options(starter=0, rounds=2)


def stream() -> Stream:
    return from_text("endgame").stream("bot")


def certain(scene: Scene, *, for_points: bool = False, actions: int = 5000) -> Action | None:
    round_ = from_view(view_of(scene), 0)
    steps = find_proven_action(round_, for_points=for_points, max_actions=actions)
    return action_of(round_, steps) if steps else None


TWO_TURNS = table(
    "0000 0010 0011",
    hands=["0001 1111", "2222 2221"],
    known=["", "2222 2221"],
    display="0111 2112",
    bag="",
)
"""0001 can be laid now; 1111 only after 0111, which the display has and the other can't lay."""


def test_a_win_is_proven_whatever_the_other_does() -> None:
    scene = TWO_TURNS
    while scene.state.to_move == 0:
        scene = scene.do(LEVELS["master"](view_of(scene), stream(), Budget(simulations=1)))
    replies = [from_state(scene.state)]
    ends = 0
    for round_ in replies:
        if round_.to_move == 1:
            replies += [after for _, after in all_actions(round_)]
        else:
            first, second, _ = kernel.longest_turn(round_, 1_000_000)
            for step in (*first, *second):
                round_.step(step)
            assert round_.winners == (0,)
            ends += 1
    assert ends > 1


def test_each_step_of_it_is_certain() -> None:
    scene = TWO_TURNS
    while not scene.state.winners:
        if scene.state.to_move == 0:
            action = certain(scene)
            assert action
        else:
            action = LEVELS["medium"](view_of(scene), stream(), Budget())
        scene = scene.do(action)
    assert scene.state.winners == (0,)


LOST = table(
    "0000",
    hands=["0010 0020 1222 2111", "0001"],
    known=["", "0001"],
    display="2112 1221",
    bag="",
)
"""Nobody can cover all four sides of 0000: the other lays 0001 next."""


def test_a_round_that_is_lost_is_played_as_if_the_other_could_err() -> None:
    assert certain(LOST) is None
    assert LEVELS["master"](view_of(LOST), stream(), Budget(simulations=8)) in {*legal(LOST.state)}


def test_for_points_the_tiles_left_are_as_few_as_can_be() -> None:
    action = certain(LOST, for_points=True)
    assert isinstance(action, Lay)
    assert len(action.tiles) == longest_turn(view_of(LOST)).tiles == 2
    played = LOST.changed(options=TWO_ROUNDS)
    assert LEVELS["master"](view_of(played), stream(), Budget(simulations=1)) == action


def test_what_is_too_long_is_given_up() -> None:
    assert certain(TWO_TURNS, actions=5) is None


def test_of_two_draws_the_one_that_wins_is_found() -> None:
    scene = TWO_TURNS.do(certain(TWO_TURNS) or Draw("bag"))
    assert certain(scene) == Draw("0111")


@pytest.mark.parametrize(
    ("scene", "known"),
    [
        (TWO_TURNS, True),
        (table("0000", hands=["0001", "2222"], known=["", "2222"]), False),
        (table("0000", hands=["0001", "2222"], bag=""), False),
        (table("0000", hands=["0001", "2222", "2221"], known=["", "2222", "2221"], bag=""), False),
    ],
    ids=["nothing hidden", "a bag", "a hidden tile", "three players"],
)
def test_when_all_is_known(scene: Scene, known: bool) -> None:
    assert all_known(view_of(scene)) == known


def test_what_lies_nowhere_is_in_the_other_hand() -> None:
    rest = [tile for tile in TILES if tile not in ("0000", "0001", "2222", "2221")]
    scene = table("0000", hands=["0001", "2222 2221"], display=" ".join(rest), bag="")
    assert all_known(view_of(scene))
    assert not all_known(view(scene.state, None))
