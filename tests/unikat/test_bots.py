"""The simple bots, and what all bots have in common."""

import msgspec
import pytest

from pytlik.chance import Stream, from_text
from pytlik.game import Budget, Illegal, Opening, Ready, Reason, replay
from pytlik.unikat import rules
from pytlik.unikat.bots import (
    BOTS,
    DEFAULT_BUDGET,
    LEVELS,
    Bot,
    random_bot,
)
from pytlik.unikat.bots.simple_bots import longest_turn_bot, useful_swaps
from pytlik.unikat.legal import legal
from pytlik.unikat.messages import Action, Decline, Draw, Pass, Swap
from pytlik.unikat.model import Options, Phase
from pytlik.unikat.position import Position, to_state
from pytlik.unikat.view import View, view
from tests.unikat.drawn_tables import (
    CHANCE,
    DrawnTable,
    make_swap,
    table_from_drawing,
    view_of_mover,
)
from tests.unikat.shared_positions import shared_states


def bot_stream(seed: str = "") -> Stream:
    return from_text(seed).stream("bot")


# ------------------------------------------------------------------------------------- the bots


def limit_simulations(bot: Bot) -> Bot:
    """Return the bot with a small fixed budget, so that it's quick and repeatable."""

    def choose(view: View, draws: Stream, _: Budget) -> Action:
        return bot(view, draws, Budget(simulations=8))

    return choose


ALL_BOTS = {name: limit_simulations(bot) for name, bot in (BOTS | LEVELS).items()}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", ALL_BOTS)
def test_bots_play_whole_matches_by_the_rules(name: str, players: int) -> None:
    opening = Opening(players=players, commitment="", shares=("",) * players)
    state = replay(rules.apply, rules.open_match(opening, Options(rounds=2), CHANCE, 0))
    draws = bot_stream(name)
    while not state.finished:
        seat = state.to_move
        if state.phase is Phase.OVER:
            seat = next(s for s in range(players) if s not in state.ready)
        action = ALL_BOTS[name](view(state, seat), draws, DEFAULT_BUDGET)
        state = replay(rules.apply, rules.decide(state, seat, action, CHANCE, 0), state)
    assert len(state.sheet) == 2


@pytest.mark.parametrize("bot", ALL_BOTS.values(), ids=ALL_BOTS)
def test_the_same_seed_gives_the_same_action(bot: Bot) -> None:
    for state in shared_states():
        known = view(state, state.to_move)
        assert bot(known, bot_stream("a"), DEFAULT_BUDGET) == bot(
            known, bot_stream("a"), DEFAULT_BUDGET
        )


def test_random_bot_chooses_every_legal_action() -> None:
    table = table_from_drawing(
        "0000", hands=["0001 0002", "2222"], phase=Phase.BONUS, laid=True, bag=""
    )
    known = view_of_mover(table)
    draws = bot_stream()
    done = {random_bot(known, draws) for _ in range(500)}
    assert done == set(legal(table.state))
    assert Decline() in done


@pytest.mark.parametrize("bot", ALL_BOTS.values(), ids=ALL_BOTS)
@pytest.mark.parametrize(
    ("table", "action"),
    [
        (table_from_drawing("0000", display="", bag=""), Pass()),
        (table_from_drawing("0000", phase=Phase.DRAW, display="2211", bag=""), Draw("2211")),
    ],
)
def test_bots_take_the_only_legal_action(bot: Bot, table: DrawnTable, action: Action) -> None:
    assert bot(view_of_mover(table), bot_stream(), DEFAULT_BUDGET) == action


@pytest.mark.parametrize("bot", ALL_BOTS.values(), ids=ALL_BOTS)
def test_bot_is_ready_between_rounds_and_acts_only_on_its_turn(bot: Bot) -> None:
    between = table_from_drawing("0000", phase=Phase.OVER, options=Options(rounds=2)).with_changes(
        sheet=(None,)
    )
    assert bot(view_of_mover(between), bot_stream(), DEFAULT_BUDGET) == Ready()
    with pytest.raises(Illegal) as refused:
        bot(view(table_from_drawing("0000").state, 1), bot_stream(), DEFAULT_BUDGET)
    assert refused.value.reason is Reason.NOT_YOUR_TURN
    with pytest.raises(Illegal) as refused:
        bot(view(table_from_drawing("0000").state, None), bot_stream(), DEFAULT_BUDGET)
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
    for bot in ALL_BOTS.values():
        with pytest.raises(Illegal) as refused:
            bot(view(over, 0), bot_stream(), DEFAULT_BUDGET)
        assert refused.value.reason is Reason.WRONG_PHASE


def test_longest_lays_as_many_tiles_as_possible() -> None:
    table = table_from_drawing(
        """
        0000 0001
        0010 .
        """,
        hands=["0011 2001 1222", "2222"],
    )
    table = table.do(longest_turn_bot(view_of_mover(table), bot_stream()))
    assert table.state.phase is Phase.BONUS
    table = table.do(longest_turn_bot(view_of_mover(table), bot_stream()))
    assert table.hand(0) == "1222"


@pytest.mark.parametrize(
    ("hand", "display", "bag", "expected"),
    [
        # 2222 fits no other tile of the hand, and 1112 fits two.
        ("1111 1110 2222", "0000 0222 1100 1112", "2211", make_swap("2222", "1112")),
        # Nothing in the display fits, but a tile from the bag might.
        ("1111 1110 2222", "0000", "2211", make_swap("2222", "bag")),
        ("1111 1110 2222", "0000", "", make_swap("2222", "0000")),
    ],
)
def test_longest_swaps_the_worst_fit_for_the_best(
    hand: str, display: str, bag: str, expected: Swap
) -> None:
    table = table_from_drawing("0002", hands=[hand, "2221"], display=display, bag=bag)
    assert longest_turn_bot(view_of_mover(table), bot_stream()) == expected


def test_longest_declines_unless_a_swap_brings_a_better_tile() -> None:
    def bonus(display: str) -> View:
        return view_of_mover(
            table_from_drawing(
                "0002",
                hands=["1111 1110 2222", "2221"],
                display=display,
                phase=Phase.BONUS,
                laid=True,
            )
        )

    assert longest_turn_bot(bonus("0000"), bot_stream()) == Decline()
    assert not [*useful_swaps(bonus("0000"))]
    assert longest_turn_bot(bonus("0000 1112"), bot_stream()) == make_swap("2222", "1112")


@pytest.mark.parametrize(
    ("display", "expected"), [("0000 1112", "1112"), ("0000", "bag"), ("1112 1110", "1112")]
)
def test_longest_draws_the_best_fit(display: str, expected: str) -> None:
    table = table_from_drawing(
        "0002", hands=["1111 1122", "2221"], display=display, phase=Phase.DRAW
    )
    assert longest_turn_bot(view_of_mover(table), bot_stream()) == Draw(expected)
