"""Bots solve as people do: not at once, not the same each time, and what they lay is right."""

from statistics import mean

import pytest

from pytlik.chance import from_text
from pytlik.game import Expire, Illegal, Opening, Ready
from pytlik.ubongo import cards, rules
from pytlik.ubongo.bots import BOTS, FIRST_LOOK, LEVELS
from pytlik.ubongo.messages import Lift, Place
from pytlik.ubongo.model import Options, SideName, State
from pytlik.ubongo.view import view

BEGAN = 10_000


def begun(seed: str, pieces: SideName = 3) -> State:
    opening, chance = Opening(players=2, commitment="", shares=("", "")), from_text(seed)
    state: State | None = None
    options = Options(pieces=pieces, seconds=None)
    for event in rules.open_match(opening, options, chance, 0, deck=cards.load()):
        state = rules.apply(state, event)
    for seat, action, now in ((0, Ready(), 0), (1, Ready(), 0), (None, Expire(), BEGAN)):
        assert state is not None
        for event in rules.decide(state, seat, action, chance, now):
            state = rules.apply(state, event)
    assert state is not None
    return state


@pytest.mark.parametrize("kind", [*BOTS, *LEVELS])
@pytest.mark.parametrize("pieces", [3, 4])
def test_what_a_bot_plans_is_legal_and_solves_its_card(kind: str, pieces: SideName) -> None:
    for seed in range(5):
        state = begun(f"bot {seed}", pieces)
        schedule = {**BOTS, **LEVELS}[kind](view(state, 1), from_text(f"{seed}").stream("bot"))
        times = [moment for moment, _ in schedule]
        assert times == sorted(times)
        assert times[0] >= BEGAN + FIRST_LOOK
        for moment, action in schedule:
            for event in rules.decide(state, 1, action, from_text("x"), moment):
                state = rules.apply(state, event)
        assert 1 in state.solved


def last(kind: str, state: State, stream: str) -> int:
    return BOTS[kind](view(state, 1), from_text(stream).stream("bot"))[-1][0] - BEGAN


def test_the_same_puzzle_never_takes_the_same_time_twice() -> None:
    state = begun("again")
    assert len({last("steady", state, str(stream)) for stream in range(30)}) == 30


def test_but_the_same_stream_gives_the_same_plan() -> None:
    state = begun("again")
    assert last("steady", state, "a") == last("steady", state, "a")


def test_harder_puzzles_and_slower_bots_take_longer() -> None:
    three, four = begun("hard", 3), begun("hard", 4)
    times = {
        (kind, state.options.pieces): mean(last(kind, state, str(n)) for n in range(15))
        for kind in BOTS
        for state in (three, four)
    }
    assert times["quick", 3] < times["steady", 3] < times["slow", 3]
    assert all(times[kind, 3] < times[kind, 4] for kind in BOTS)
    assert 10_000 < times["steady", 3] < 60_000


def test_some_pieces_are_taken_back_on_the_way() -> None:
    state = begun("detours")
    plans = [BOTS["steady"](view(state, 1), from_text(str(n)).stream("bot")) for n in range(20)]
    kinds = {type(action) for plan in plans for _, action in plan}
    assert kinds == {Place, Lift}


def test_a_bot_knows_only_its_own_view() -> None:
    state = begun("views")
    other = begun("views")
    assert view(state, 1) == view(other, 1)
    with pytest.raises(Illegal):
        BOTS["steady"](view(state, None), from_text("x").stream("bot"))
