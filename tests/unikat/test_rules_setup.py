"""U1 to U4: the box, the deal, and who begins."""

from itertools import permutations, product

import pytest

from pytlik.chance import Chance, from_text
from pytlik.game import Illegal, Malformed, Opening, Ready, Reason, replay
from pytlik.unikat.legal import can_lay
from pytlik.unikat.messages import Event, MatchOpened, RoundDealt
from pytlik.unikat.model import PARTNERS, TILES, Options, Phase, State, Tile
from pytlik.unikat.rules import apply, decide, open_match
from pytlik.unikat.view import Choices, view
from tests.unikat.drawn_tables import (
    PASS,
    PLAIN_OPTIONS,
    DrawnTable,
    all_tiles,
    make_swap,
    parse_tiles,
    table_from_drawing,
)


def open_new_match(
    players: int, seed: str = "deal", options: Options = PLAIN_OPTIONS
) -> tuple[list[Event], State]:
    opening = Opening(players=players, commitment="c0", shares=("s",) * players)
    events = open_match(opening, options, from_text(seed), 7)
    return events, replay(apply, events)


def bag_order(seed: str, number: int) -> tuple[Tile, ...]:
    return from_text(seed).stream(f"round {number}: bag").shuffled(TILES)


# ------------------------------------------------------------------------------------ the box


def test_u01_81_tiles_each_combination_once() -> None:
    combinations = {"".join(digits) for digits in product("012", repeat=4)}
    assert [tile.value for tile in TILES] == sorted(combinations)
    assert len(TILES) == 81


def test_u01_differing_features_are_named() -> None:
    assert Tile("0210").differing_features(Tile("0210")) == ()
    assert Tile("0210").differing_features(Tile("1210")) == ("shape",)
    assert Tile("0210").differing_features(Tile("0010")) == ("colour",)
    assert Tile("0210").differing_features(Tile("0220")) == ("size",)
    assert Tile("0210").differing_features(Tile("0212")) == ("background",)
    assert Tile("0210").differing_features(Tile("1022")) == (
        "shape",
        "colour",
        "size",
        "background",
    )


def test_u01_each_tile_has_eight_partners() -> None:
    assert PARTNERS[Tile("0210")] == set(parse_tiles("1210 2210 0010 0110 0200 0220 0211 0212"))
    assert all(len(partners) == 8 for partners in PARTNERS.values())


def test_u02_racks_hide_their_tiles_from_others() -> None:
    _, state = open_new_match(3)
    for seat, other in permutations(range(3), 2):
        seen = view(state, seat)
        assert seen.hand == state.hands[seat]
        assert not set(state.hands[other]) & {*seen.hand, *seen.known[other], *seen.display}
        assert seen.hands == ()
        assert seen.counts == (10, 10, 10)


# ----------------------------------------------------------------------------------- the deal


@pytest.mark.parametrize("players", [2, 3, 4])
def test_u03_hands_display_start_tile_then_bag(players: int) -> None:
    order = bag_order("deal", 1)
    events, state = open_new_match(players)
    match_opened, dealt = events
    assert match_opened == MatchOpened(
        at=7, players=players, options=Options(starter=0), commitment="c0", shares=("s",) * players
    )
    assert isinstance(dealt, RoundDealt)
    assert (dealt.at, dealt.round) == (7, 1)
    for seat in range(players):
        assert state.hands[seat] == order[10 * seat : 10 * seat + 10]
    rest = order[10 * players :]
    assert state.display == rest[:3]
    assert dict(state.board) == {(0, 0): rest[3]}
    assert state.bag == rest[4:]
    assert sorted(all_tiles(state)) == list(TILES)


def test_u03_the_bag_is_shuffled() -> None:
    assert bag_order("deal", 1) != TILES
    assert bag_order("deal", 1) != bag_order("deal", 2)
    assert open_new_match(2, seed="deal")[1] != open_new_match(2, seed="another")[1]


def test_u03_bag_is_shuffled_once_and_drawn_in_order() -> None:
    _, state = open_new_match(2)
    table = DrawnTable(state)
    for tile in bag_order("deal", 1)[24:30]:
        seat = table.state.to_move
        table = table.do(make_swap(table.state.hand[0], "bag"), chance=from_text("anything"))
        assert table.state.hands[seat][-1] == tile


def test_u03_each_round_is_dealt_anew() -> None:
    after = deal_next_round(Options(rounds=2), chance=from_text("deal"))
    order = bag_order("deal", 2)
    assert after.state.round == 2
    assert after.state.hands == (order[:10], order[10:20], order[20:30])
    assert after.state.board == {(0, 0): order[33]}
    assert after.state.known == (frozenset(),) * 3
    assert after.state.ready == frozenset()
    assert (after.state.phase, after.state.ended, after.state.winners) == (Phase.ACTION, None, ())


# --------------------------------------------------------------------------------- who begins


def test_u04_chosen_starter_begins_every_round() -> None:
    _, state = open_new_match(3, options=Options(starter=2))
    assert (state.starter, state.to_move) == (2, 2)
    assert deal_next_round(Options(rounds=3), starter=2, winner=0).state.to_move == 2


def test_u04_starter_is_drawn_if_none_is_chosen() -> None:
    begins = [open_new_match(3, seed=str(n), options=Options())[1].to_move for n in range(40)]
    assert begins == [from_text(str(n)).stream("starter").below(3) for n in range(40)]
    assert set(begins) == {0, 1, 2}


def test_u04_starter_is_drawn_once_per_match() -> None:
    chances = [from_text(str(n)) for n in range(10)]
    rounds = [deal_next_round(Options(rounds=2), starter=1, chance=chance) for chance in chances]
    assert {after.state.to_move for after in rounds} == {1}


def test_u04_option_rotate() -> None:
    options = Options(rounds=2, next_starter="rotate")
    assert deal_next_round(options, starter=0, winner=2).state.to_move == 1
    assert deal_next_round(options, starter=2, winner=2).state.to_move == 0


def test_u04_option_last_rounds_winner() -> None:
    options = Options(rounds=2, next_starter="winner")
    for winner in range(3):
        after = deal_next_round(options, starter=1, winner=winner)
        assert (after.state.starter, after.state.to_move) == (winner, winner)


@pytest.mark.parametrize(
    ("last_starter", "begins"), [(0, 1), (1, 3), (2, 3), (3, 1)], ids="last starter {}".format
)
def test_u04_after_a_tie_the_next_winner_clockwise_begins(last_starter: int, begins: int) -> None:
    """Seats 1 and 3 of four hold the fewest tiles when the round is blocked."""
    blocked = table_from_drawing(
        "0000",
        hands=["2222 2221", "2220", "2212 2211", "2210"],
        display="",
        bag="",
        quiet_turns=7,
        options=Options(rounds=2, next_starter="winner"),
    ).with_changes(starter=last_starter)
    over = blocked.do(PASS)
    assert over.state.winners == (1, 3)
    assert make_all_ready(over).state.to_move == begins


def test_u04_the_opening_turn_may_be_a_swap() -> None:
    _, state = open_new_match(2)
    assert can_lay(state)
    after = DrawnTable(state).do(make_swap(state.hand[0], "bag"))
    assert after.state.to_move == 1


# ------------------------------------------------------------------------------------- helpers


def deal_next_round(
    options: Options, *, starter: int = 0, winner: int = 0, chance: Chance | None = None
) -> DrawnTable:
    """One of three players lays the last tile, all are ready, and the next round is dealt."""
    hands = ["2222", "2221", "2220"]
    hands[winner] = ""
    last_tile = table_from_drawing("0000 0001a", hands=hands, to_move=winner, options=options)
    last_tile = last_tile.with_changes(starter=starter)
    return make_all_ready(last_tile.do(last_tile.lay), chance)


def make_all_ready(over: DrawnTable, chance: Chance | None = None) -> DrawnTable:
    for seat in range(over.state.players):
        over = over.do(Ready(), seat=seat, chance=chance or from_text("next"))
    return over


def test_u04_starter_must_sit_at_the_table() -> None:
    with pytest.raises(Malformed) as caught:
        open_new_match(2, options=Options(starter=2))
    assert caught.value.reason is Reason.BAD_REQUEST


def test_nothing_to_see_or_do_before_the_deal() -> None:
    events, _ = open_new_match(2)
    state = apply(None, events[0])
    assert view(state, 0).hand == ()
    assert view(state, 0).choices == Choices()
    with pytest.raises(Illegal) as caught:
        decide(state, 0, Ready(), from_text("deal"), 0)
    assert caught.value.reason is Reason.WRONG_PHASE
