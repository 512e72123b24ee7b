"""The search for the turn that lays most tiles, compiled and uncompiled."""

from types import ModuleType

import msgspec
import pytest
from msgspec.structs import replace

from pytlik.chance import from_text
from pytlik.unikat.engine import kernel
from pytlik.unikat.engine import longest_turn as compiled_longest
from pytlik.unikat.model import Options, Phase, State, Tile
from pytlik.unikat.view import view
from tests.unikat.brute_force import count_layouts, most_tiles
from tests.unikat.drawn_tables import lay, table, view_of
from tests.unikat.kernel_agreement import kernel_facts, uncompiled_engine
from tests.unikat.shared_positions import shared_states
from tests.unikat.simple_players import matches, plays_anything

compiled = pytest.mark.skipif(not kernel.COMPILED, reason="no C compiler worked here")
DENSE = "2220 2221 2210 2211 2212 2200"
BOTH = ["anywhere", "continue"]


@pytest.fixture(
    scope="module", params=[pytest.param("compiled", marks=compiled), pytest.param("uncompiled")]
)
def longest(request: pytest.FixtureRequest) -> ModuleType:
    return compiled_longest if request.param == "compiled" else uncompiled_engine()["longest_turn"]


def with_options(state: State, extra_action: str) -> State:
    return replace(state, options=msgspec.convert({"extra_action": extra_action}, Options))


@pytest.mark.parametrize("extra_action", BOTH)
@pytest.mark.parametrize("state", shared_states())
def test_the_longest_turn_is_what_trying_everything_finds(
    longest: ModuleType, state: State, extra_action: str
) -> None:
    state = with_options(state, extra_action)
    turn = longest.longest_turn(view(state, state.to_move))
    assert turn.exact
    assert turn.tiles == (0 if state.phase is Phase.DRAW else most_tiles(state))


@pytest.mark.parametrize("extra_action", BOTH)
@pytest.mark.parametrize("phase", [Phase.ACTION, Phase.BONUS])
@pytest.mark.parametrize(
    "drawing", ["2222", "2222 2122 1122", "2222 2122\n2202 ."], ids=["one", "row", "corner"]
)
def test_also_where_there_are_thousands_of_chains(
    longest: ModuleType, drawing: str, phase: Phase, extra_action: str
) -> None:
    options = msgspec.convert({"extra_action": extra_action}, Options)
    for hand in (DENSE[:24], "2220 2221 1111 1121 1120", "2022 1022 0111 0110 2120"):
        scene = table(
            drawing, hands=[hand, "0000"], display="0001", bag="0002", phase=phase, options=options
        )
        most = most_tiles(scene.state)
        assert longest.longest_turn(view_of(scene)).tiles == most
        assert not most or longest.count_layouts(view_of(scene), most, 128) == min(
            128, count_layouts(scene.state, most)
        )


def test_compiled_or_not_it_is_the_same_turn() -> None:
    """Also of several that lay as many tiles, and where the search stops early."""
    pure = uncompiled_engine()["longest_turn"]
    played = matches(3, Options(), from_text("same turn"), plays_anything)
    views = [view(state, state.to_move) for _, _, _, state in played][::4]
    for known in views:
        for nodes in (2, 10, 1000):
            assert compiled_longest.longest_turn(known, nodes) == pure.longest_turn(known, nodes)
        assert compiled_longest.longest_chain(known) == pure.longest_chain(known)
        assert compiled_longest.different_turns(known, 4, 60) == pure.different_turns(known, 4, 60)
    assert len(views) > 10


def test_a_search_leaves_no_trace(longest: ModuleType) -> None:
    scene = table("2222 2122\n2202 .", hands=[DENSE, "0000"], display="0001", bag="0002")
    round_ = longest.from_view(view_of(scene), 0)
    before = kernel_facts(round_), sorted(round_.legal())
    longest.kernel.longest_turn(round_, 1000)
    longest.kernel.longest_chain(round_, 1000)
    longest.kernel.count_layouts(round_, 6, 10)
    longest.kernel.different_turns(round_, [(1, 1)], 5, 100, 1000)
    assert (kernel_facts(round_), sorted(round_.legal())) == before


def test_a_turn_is_two_chains_if_the_first_earns_it(longest: ModuleType) -> None:
    scene = table(
        """
        0000 0001
        0010 .
        """,
        hands=["0011 2001", "2222"],
    )
    turn = longest.longest_turn(view_of(scene))
    assert turn.first == lay("0011 1 1").tiles
    assert {placed.tile for placed in turn.second} == {Tile("2001")}
    assert turn in longest.different_turns(view_of(scene), 5)
    assert len(longest.longest_chain(view_of(scene))) == 1


def test_a_search_that_stops_early_says_so(longest: ModuleType) -> None:
    hand = f"{DENSE} 2201 2202 2122 2120"
    scene = table("2222", hands=[hand, "0000"], display="0001", bag="0002")
    cut_short = longest.longest_turn(view_of(scene), nodes=5)
    assert not cut_short.exact
    assert 0 < cut_short.tiles < longest.longest_turn(view_of(scene)).tiles == 10
    assert len(longest.different_turns(view_of(scene), 3, limit=50)) == 3


def test_different_turns_leave_different_tiles_and_the_longest_come_first(
    longest: ModuleType,
) -> None:
    scene = table("2222", hands=[DENSE, "0000"], display="0001", bag="0002")
    turns = longest.different_turns(view_of(scene), 10)
    left = [frozenset(placed.tile for placed in turn.first) for turn in turns]
    assert len(set(left)) == 10
    sizes = [turn.tiles for turn in turns]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 6


def test_where_nothing_can_be_laid_the_longest_turn_is_empty(longest: ModuleType) -> None:
    known = view_of(table("0000", hands=["2222", "2221"]))
    assert longest.longest_turn(known) == ((), (), True)
    assert longest.longest_chain(known) == ()
    assert longest.different_turns(known, 3) == []
    assert longest.longest_turn(view(table("0000", hands=["0001", "2221"]).state, 1)).tiles == 0


@pytest.mark.parametrize(("tiles", "most"), [(1, 0), (1, 129)])
def test_layouts_are_counted_up_to_128(longest: ModuleType, tiles: int, most: int) -> None:
    with pytest.raises(ValueError, match="1 to 128 layouts"):
        longest.count_layouts(view_of(table("0000", hands=["0001", "2221"])), tiles, most)


def test_at_most_16000_chains_are_looked_at(longest: ModuleType) -> None:
    with pytest.raises(ValueError, match="1 to 16000 chains"):
        longest.different_turns(view_of(table("0000", hands=["0001", "2221"])), 3, limit=16001)
