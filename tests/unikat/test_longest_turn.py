"""The search for the turn that lays the most tiles, compiled and uncompiled."""

from types import ModuleType

import msgspec
import pytest
from msgspec.structs import replace

from pytlik.chance import from_text
from pytlik.unikat.engine import kernel
from pytlik.unikat.engine import longest_turn as compiled_longest
from pytlik.unikat.model import Options, Phase, State, Tile
from pytlik.unikat.view import view
from tests.unikat.brute_force import count_layouts, most_tiles_in_a_turn
from tests.unikat.drawn_tables import make_lay, table_from_drawing, view_of_mover
from tests.unikat.kernel_agreement import kernel_facts, uncompiled_engine
from tests.unikat.shared_positions import shared_states
from tests.unikat.simple_players import choose_any_action, play_match

needs_compiled_kernel = pytest.mark.skipif(not kernel.COMPILED, reason="no C compiler worked here")
DENSE_HAND = "2220 2221 2210 2211 2212 2200"
EXTRA_ACTION_OPTIONS = ["anywhere", "continue"]


@pytest.fixture(
    scope="module",
    params=[pytest.param("compiled", marks=needs_compiled_kernel), pytest.param("uncompiled")],
)
def longest_turn_module(request: pytest.FixtureRequest) -> ModuleType:
    return compiled_longest if request.param == "compiled" else uncompiled_engine()["longest_turn"]


def with_options(state: State, extra_action: str) -> State:
    return replace(state, options=msgspec.convert({"extra_action": extra_action}, Options))


@pytest.mark.parametrize("extra_action", EXTRA_ACTION_OPTIONS)
@pytest.mark.parametrize("state", shared_states())
def test_longest_turn_matches_brute_force(
    longest_turn_module: ModuleType, state: State, extra_action: str
) -> None:
    state = with_options(state, extra_action)
    turn = longest_turn_module.longest_turn(view(state, state.to_move))
    assert turn.exact
    assert turn.tiles == (0 if state.phase is Phase.DRAW else most_tiles_in_a_turn(state))


@pytest.mark.parametrize("extra_action", EXTRA_ACTION_OPTIONS)
@pytest.mark.parametrize("phase", [Phase.ACTION, Phase.BONUS])
@pytest.mark.parametrize(
    "drawing", ["2222", "2222 2122 1122", "2222 2122\n2202 ."], ids=["one", "row", "corner"]
)
def test_longest_turn_among_thousands_of_chains(
    longest_turn_module: ModuleType, drawing: str, phase: Phase, extra_action: str
) -> None:
    options = msgspec.convert({"extra_action": extra_action}, Options)
    for hand in (DENSE_HAND[:24], "2220 2221 1111 1121 1120", "2022 1022 0111 0110 2120"):
        table = table_from_drawing(
            drawing, hands=[hand, "0000"], display="0001", bag="0002", phase=phase, options=options
        )
        most = most_tiles_in_a_turn(table.state)
        assert longest_turn_module.longest_turn(view_of_mover(table)).tiles == most
        assert not most or longest_turn_module.count_layouts(
            view_of_mover(table), most, 128
        ) == min(128, count_layouts(table.state, most))


def test_compiled_and_uncompiled_search_agree() -> None:
    """Even if several turns are equally long, and if the search stops early."""
    pure = uncompiled_engine()["longest_turn"]
    played = play_match(3, Options(), from_text("same turn"), choose_any_action)
    views = [view(state, state.to_move) for _, _, _, state in played][::4]
    for known in views:
        for nodes in (2, 10, 1000):
            assert compiled_longest.longest_turn(known, nodes) == pure.longest_turn(known, nodes)
        assert compiled_longest.longest_chain(known) == pure.longest_chain(known)
        assert compiled_longest.different_turns(known, 4, 60) == pure.different_turns(known, 4, 60)
    assert len(views) > 10


def test_search_does_not_change_the_round(longest_turn_module: ModuleType) -> None:
    table = table_from_drawing(
        "2222 2122\n2202 .", hands=[DENSE_HAND, "0000"], display="0001", bag="0002"
    )
    round_ = longest_turn_module.from_view(view_of_mover(table), 0)
    before = kernel_facts(round_), sorted(round_.legal())
    longest_turn_module.kernel.longest_turn(round_, 1000)
    longest_turn_module.kernel.longest_chain(round_, 1000)
    longest_turn_module.kernel.count_layouts(round_, 6, 10)
    longest_turn_module.kernel.different_turns(round_, [(1, 1)], 5, 100, 1000)
    assert (kernel_facts(round_), sorted(round_.legal())) == before


def test_a_turn_is_two_chains_if_the_first_earns_it(longest_turn_module: ModuleType) -> None:
    table = table_from_drawing(
        """
        0000 0001
        0010 .
        """,
        hands=["0011 2001", "2222"],
    )
    turn = longest_turn_module.longest_turn(view_of_mover(table))
    assert turn.first == make_lay("0011 1 1").tiles
    assert {placed.tile for placed in turn.second} == {Tile("2001")}
    assert turn in longest_turn_module.different_turns(view_of_mover(table), 5)
    assert len(longest_turn_module.longest_chain(view_of_mover(table))) == 1


def test_search_that_stops_early_is_not_exact(longest_turn_module: ModuleType) -> None:
    hand = f"{DENSE_HAND} 2201 2202 2122 2120"
    table = table_from_drawing("2222", hands=[hand, "0000"], display="0001", bag="0002")
    cut_short = longest_turn_module.longest_turn(view_of_mover(table), nodes=5)
    assert not cut_short.exact
    assert 0 < cut_short.tiles < longest_turn_module.longest_turn(view_of_mover(table)).tiles == 10
    assert len(longest_turn_module.different_turns(view_of_mover(table), 3, limit=50)) == 3


def test_different_turns_come_longest_first(
    longest_turn_module: ModuleType,
) -> None:
    table = table_from_drawing("2222", hands=[DENSE_HAND, "0000"], display="0001", bag="0002")
    turns = longest_turn_module.different_turns(view_of_mover(table), 10)
    left = [frozenset(placed.tile for placed in turn.first) for turn in turns]
    assert len(set(left)) == 10
    sizes = [turn.tiles for turn in turns]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 6


def test_longest_turn_is_empty_if_nothing_can_be_laid(
    longest_turn_module: ModuleType,
) -> None:
    known = view_of_mover(table_from_drawing("0000", hands=["2222", "2221"]))
    assert longest_turn_module.longest_turn(known) == ((), (), True)
    assert longest_turn_module.longest_chain(known) == ()
    assert longest_turn_module.different_turns(known, 3) == []
    assert (
        longest_turn_module.longest_turn(
            view(table_from_drawing("0000", hands=["0001", "2221"]).state, 1)
        ).tiles
        == 0
    )


@pytest.mark.parametrize(("tiles", "most"), [(1, 0), (1, 129)])
def test_layouts_are_counted_up_to_128(
    longest_turn_module: ModuleType, tiles: int, most: int
) -> None:
    with pytest.raises(ValueError, match="1 to 128 layouts"):
        longest_turn_module.count_layouts(
            view_of_mover(table_from_drawing("0000", hands=["0001", "2221"])), tiles, most
        )


def test_at_most_16000_chains_are_searched(longest_turn_module: ModuleType) -> None:
    with pytest.raises(ValueError, match="1 to 16000 chains"):
        longest_turn_module.different_turns(
            view_of_mover(table_from_drawing("0000", hands=["0001", "2221"])), 3, limit=16001
        )
