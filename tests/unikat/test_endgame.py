"""Exact play near the end: certain wins are found, and nothing uncertain is claimed."""

import pytest

from pytlik.chance import Stream, from_text
from pytlik.game import Budget
from pytlik.unikat.bots import LEVELS
from pytlik.unikat.bots.endgame import all_actions, find_proven_action, knows_every_tile
from pytlik.unikat.engine import kernel
from pytlik.unikat.engine.kernel_bridge import action_of, from_state, from_view
from pytlik.unikat.engine.longest_turn import longest_turn
from pytlik.unikat.legal import legal
from pytlik.unikat.messages import Action, Draw, Lay
from pytlik.unikat.model import TILES, Options
from pytlik.unikat.view import view
from tests.unikat.drawn_tables import DrawnTable, table_from_drawing, view_of_mover

TWO_ROUNDS = Options(starter=0, rounds=2)


def bot_stream() -> Stream:
    return from_text("endgame").stream("bot")


def proven_action(
    table: DrawnTable, *, for_points: bool = False, actions: int = 5000
) -> Action | None:
    round_ = from_view(view_of_mover(table), 0)
    steps = find_proven_action(round_, for_points=for_points, max_actions=actions)
    return action_of(round_, steps) if steps else None


WON_IN_TWO_TURNS = table_from_drawing(
    "0000 0010 0011",
    hands=["0001 1111", "2222 2221"],
    known=["", "2222 2221"],
    display="0111 2112",
    bag="",
)
"""0001 can be laid now; 1111 only after 0111, which is in the display. The other can't lay it."""


def test_proven_win_holds_against_every_reply() -> None:
    table = WON_IN_TWO_TURNS
    while table.state.to_move == 0:
        table = table.do(
            LEVELS["master"](view_of_mover(table), bot_stream(), Budget(simulations=1))
        )
    replies = [from_state(table.state)]
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


def test_each_step_of_a_proven_win_is_proven() -> None:
    table = WON_IN_TWO_TURNS
    while not table.state.winners:
        if table.state.to_move == 0:
            action = proven_action(table)
            assert action
        else:
            action = LEVELS["medium"](view_of_mover(table), bot_stream(), Budget())
        table = table.do(action)
    assert table.state.winners == (0,)


LOST_SCENE = table_from_drawing(
    "0000",
    hands=["0010 0020 1222 2111", "0001"],
    known=["", "0001"],
    display="2112 1221",
    bag="",
)
"""Nobody can cover all four sides of 0000: the other lays 0001 next."""


def test_lost_round_has_no_proven_action() -> None:
    assert proven_action(LOST_SCENE) is None
    assert LEVELS["master"](view_of_mover(LOST_SCENE), bot_stream(), Budget(simulations=8)) in {
        *legal(LOST_SCENE.state)
    }


def test_lost_round_for_points_keeps_the_fewest_tiles() -> None:
    action = proven_action(LOST_SCENE, for_points=True)
    assert isinstance(action, Lay)
    assert len(action.tiles) == longest_turn(view_of_mover(LOST_SCENE)).tiles == 2
    played = LOST_SCENE.with_changes(options=TWO_ROUNDS)
    assert LEVELS["master"](view_of_mover(played), bot_stream(), Budget(simulations=1)) == action


def test_search_gives_up_at_its_limit() -> None:
    assert proven_action(WON_IN_TWO_TURNS, actions=5) is None


def test_winning_draw_is_found() -> None:
    table = WON_IN_TWO_TURNS.do(proven_action(WON_IN_TWO_TURNS) or Draw("bag"))
    assert proven_action(table) == Draw("0111")


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (WON_IN_TWO_TURNS, True),
        (table_from_drawing("0000", hands=["0001", "2222"], known=["", "2222"]), False),
        (table_from_drawing("0000", hands=["0001", "2222"], bag=""), False),
        (
            table_from_drawing(
                "0000", hands=["0001", "2222", "2221"], known=["", "2222", "2221"], bag=""
            ),
            False,
        ),
    ],
    ids=["nothing hidden", "a bag", "a hidden tile", "three players"],
)
def test_knows_every_tile(table: DrawnTable, expected: bool) -> None:
    assert knows_every_tile(view_of_mover(table)) == expected


def test_tiles_seen_nowhere_are_in_the_other_hand() -> None:
    rest = [tile for tile in TILES if tile not in ("0000", "0001", "2222", "2221")]
    table = table_from_drawing("0000", hands=["0001", "2222 2221"], display=" ".join(rest), bag="")
    assert knows_every_tile(view_of_mover(table))
    assert not knows_every_tile(view(table.state, None))
