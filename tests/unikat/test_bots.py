"""The simple bots, what all bots have in common, and the search for the turn that lays most."""

import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pytlik.chance import Stream, from_text
from pytlik.game import Budget, Illegal, Opening, Ready, Reason, replay
from pytlik.unikat import rules
from pytlik.unikat.bots import (
    BOTS,
    BUDGET,
    LEVELS,
    Bot,
    longest_chain,
    random_bot,
    useful_swaps,
)
from pytlik.unikat.legal import chains, legal
from pytlik.unikat.messages import Action, Decline, Draw, Lay, Pass, Swap
from pytlik.unikat.model import Options, Phase, State, Tile
from pytlik.unikat.position import Position, to_state
from pytlik.unikat.turns import completed, different_turns, longest_turn
from pytlik.unikat.view import View, view
from tests.unikat.drawing import CHANCE, Scene, lay, swap, table

POSITIONS = Path(__file__).parents[2] / "docs" / "positions" / "unikat.jsonl"


def stream(seed: str = "") -> Stream:
    return from_text(seed).stream("bot")


def seen(scene: Scene) -> View:
    return view(scene.state, scene.state.to_move)


def most_tiles(state: State) -> int:
    """What the search must find, from the rules alone and without cleverness."""
    most = 0
    for chain in chains(state):
        after = replay(
            rules.apply, rules.decide(state, state.to_move, Lay(chain), CHANCE, 0), state
        )
        second = 0
        if state.phase is Phase.ACTION and after.phase is Phase.BONUS:
            second = max(map(len, chains(after)), default=0)
        most = max(most, len(chain) + second)
    return most


def shared_states() -> list[State]:
    lines = POSITIONS.read_text(encoding="utf-8").splitlines()
    return [to_state(msgspec.convert(json.loads(line)["position"], Position)) for line in lines]


# ----------------------------------------------------------------------------------- the search


@pytest.mark.parametrize("extra_action", ["anywhere", "continue"])
@pytest.mark.parametrize("state", shared_states())
def test_the_longest_turn_is_what_trying_everything_finds(state: State, extra_action: str) -> None:
    state = replace(state, options=msgspec.convert({"extra_action": extra_action}, Options))
    turn = longest_turn(view(state, state.to_move))
    assert turn.exact
    assert turn.tiles == (0 if state.phase is Phase.DRAW else most_tiles(state))


DENSE = "2220 2221 2210 2211 2212 2200"


@pytest.mark.parametrize("extra_action", ["anywhere", "continue"])
@pytest.mark.parametrize("phase", [Phase.ACTION, Phase.BONUS])
@pytest.mark.parametrize(
    "drawing", ["2222", "2222 2122 1122", "2222 2122\n2202 ."], ids=["one", "row", "corner"]
)
def test_also_where_there_are_thousands_of_chains(
    drawing: str, phase: Phase, extra_action: str
) -> None:
    options = msgspec.convert({"extra_action": extra_action}, Options)
    for hand in (DENSE[:24], "2220 2221 1111 1121 1120", "2022 1022 0111 0110 2120"):
        scene = table(
            drawing, hands=[hand, "0000"], display="0001", bag="0002", phase=phase, options=options
        )
        assert longest_turn(seen(scene)).tiles == most_tiles(scene.state)


def test_a_turn_is_two_chains_if_the_first_earns_it() -> None:
    scene = table(
        """
        0000 0001
        0010 .
        """,
        hands=["0011 2001", "2222"],
    )
    turn = longest_turn(seen(scene))
    assert turn.first == lay("0011 1 1").tiles
    assert {placed.tile for placed in turn.second} == {Tile("2001")}
    assert completed(seen(scene), turn.first) == turn
    assert completed(seen(scene), lay("2001 2 0").tiles).tiles == 1


def test_a_search_that_is_given_up_says_so() -> None:
    hand = f"{DENSE} 2201 2202 2122 2120"
    scene = table("2222", hands=[hand, "0000"], display="0001", bag="0002")
    cut_short = longest_turn(seen(scene), nodes=5)
    assert not cut_short.exact
    assert 0 < cut_short.tiles < longest_turn(seen(scene)).tiles == 10
    assert len(different_turns(seen(scene), 3, nodes=50)) == 3


def test_different_turns_leave_different_tiles_and_the_longest_come_first() -> None:
    scene = table("2222", hands=[DENSE, "0000"], display="0001", bag="0002")
    turns = different_turns(seen(scene), 10)
    left = [frozenset(placed.tile for placed in turn.first) for turn in turns]
    assert len(set(left)) == 10
    sizes = [turn.tiles for turn in turns]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 6


# ------------------------------------------------------------------------------------- the bots


def quick(bot: Bot) -> Bot:
    """A bot that thinks little, and the same each time."""

    def choose(known: View, draws: Stream, _: Budget) -> Action:
        return bot(known, draws, Budget(simulations=8))

    return choose


ALL = {name: quick(bot) for name, bot in (BOTS | LEVELS).items()}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", ALL)
def test_bots_play_whole_matches_by_the_rules(name: str, players: int) -> None:
    opening = Opening(players=players, commitment="", shares=("",) * players)
    state = replay(rules.apply, rules.open_match(opening, Options(rounds=2), CHANCE, 0))
    draws = stream(name)
    while not state.finished:
        seat = state.to_move
        if state.phase is Phase.OVER:
            seat = next(s for s in range(players) if s not in state.ready)
        action = ALL[name](view(state, seat), draws, BUDGET)
        state = replay(rules.apply, rules.decide(state, seat, action, CHANCE, 0), state)
    assert len(state.sheet) == 2


@pytest.mark.parametrize("bot", ALL.values(), ids=ALL)
def test_the_same_seed_gives_the_same_action(bot: Bot) -> None:
    for state in shared_states():
        known = view(state, state.to_move)
        assert bot(known, stream("a"), BUDGET) == bot(known, stream("a"), BUDGET)


def test_the_random_bot_does_all_that_can_be_done() -> None:
    scene = table("0000", hands=["0001 0002", "2222"], phase=Phase.BONUS, laid=True, bag="")
    known = seen(scene)
    draws = stream()
    done = {random_bot(known, draws) for _ in range(500)}
    assert done == set(legal(scene.state))
    assert Decline() in done


@pytest.mark.parametrize("bot", ALL.values(), ids=ALL)
@pytest.mark.parametrize(
    ("scene", "action"),
    [
        (table("0000", display="", bag=""), Pass()),
        (table("0000", phase=Phase.DRAW, display="2211", bag=""), Draw("2211")),
    ],
)
def test_where_there_is_no_choice(bot: Bot, scene: Scene, action: Action) -> None:
    assert bot(seen(scene), stream(), BUDGET) == action


@pytest.mark.parametrize("bot", ALL.values(), ids=ALL)
def test_a_bot_is_ready_for_the_next_round_and_else_only_acts_in_its_turn(bot: Bot) -> None:
    between = table("0000", phase=Phase.OVER, options=Options(rounds=2)).changed(sheet=(None,))
    assert bot(seen(between), stream(), BUDGET) == Ready()
    with pytest.raises(Illegal) as refused:
        bot(view(table("0000").state, 1), stream(), BUDGET)
    assert refused.value.reason is Reason.NOT_YOUR_TURN
    with pytest.raises(Illegal) as refused:
        bot(view(table("0000").state, None), stream(), BUDGET)
    assert refused.value.reason is Reason.NOT_YOUR_TURN


def test_no_bot_acts_when_the_match_is_over() -> None:
    over = to_state(
        msgspec.convert(
            {
                "game": "unikat", "board": [[0, 0, "0000"]], "hands": [[], ["2222"]],
                "display": [], "bag": [], "to_move": 0, "phase": "over",
                "winners": [0], "ended": "last tile",
            },
            Position,
        )
    )  # fmt: skip
    for bot in ALL.values():
        with pytest.raises(Illegal) as refused:
            bot(view(over, 0), stream(), BUDGET)
        assert refused.value.reason is Reason.WRONG_PHASE


def test_longest_lays_all_that_a_turn_can_lay() -> None:
    scene = table(
        """
        0000 0001
        0010 .
        """,
        hands=["0011 2001 1222", "2222"],
    )
    scene = scene.do(longest_chain(seen(scene), stream()))
    assert scene.state.phase is Phase.BONUS
    scene = scene.do(longest_chain(seen(scene), stream()))
    assert scene.hand(0) == "1222"


@pytest.mark.parametrize(
    ("hand", "display", "bag", "expected"),
    [
        # 2222 fits no other tile of the hand, and 1100 fits two.
        ("1111 1110 2222", "0000 0222 1100 1112", "2211", swap("2222", "1112")),
        # Nothing in the display fits: what comes from the bag may.
        ("1111 1110 2222", "0000", "2211", swap("2222", "bag")),
        ("1111 1110 2222", "0000", "", swap("2222", "0000")),
    ],
)
def test_longest_swaps_what_fits_least_for_what_fits_most(
    hand: str, display: str, bag: str, expected: Swap
) -> None:
    scene = table("0002", hands=[hand, "2221"], display=display, bag=bag)
    assert longest_chain(seen(scene), stream()) == expected


def test_longest_declines_unless_a_swap_brings_a_better_tile() -> None:
    def bonus(display: str) -> View:
        return seen(
            table(
                "0002",
                hands=["1111 1110 2222", "2221"],
                display=display,
                phase=Phase.BONUS,
                laid=True,
            )
        )

    assert longest_chain(bonus("0000"), stream()) == Decline()
    assert not [*useful_swaps(bonus("0000"))]
    assert longest_chain(bonus("0000 1112"), stream()) == swap("2222", "1112")


@pytest.mark.parametrize(
    ("display", "expected"), [("0000 1112", "1112"), ("0000", "bag"), ("1112 1110", "1112")]
)
def test_longest_draws_what_fits_most(display: str, expected: str) -> None:
    scene = table("0002", hands=["1111 1122", "2221"], display=display, phase=Phase.DRAW)
    assert longest_chain(seen(scene), stream()) == Draw(expected)
