"""Bots solve like people: not at once, not the same way each time, and not always in time. All
their moves are legal."""

from itertools import pairwise
from statistics import mean

import pytest
from msgspec.structs import replace

from pytlik.chance import from_text
from pytlik.game import Expire, Illegal, Opening, Ready
from pytlik.ubongo import deck_files, rules
from pytlik.ubongo.bots import FIRST_LOOK_MS, LEVELS, UNTIMED_SPEED_UP_AFTER_MS, Schedule, next_step
from pytlik.ubongo.game import UBONGO
from pytlik.ubongo.messages import ClocksShifted, Lift, Place
from pytlik.ubongo.model import Options, Phase, SideName, State
from pytlik.ubongo.timing import deadline
from pytlik.ubongo.view import view

ROUND_START_MS = 10_000


def begin_round(seed: str, pieces: SideName = 3, seconds: int | None = None) -> State:
    opening, chance = Opening(players=2, commitment="", shares=("", "")), from_text(seed)
    state: State | None = None
    options = Options(pieces=pieces, seconds=seconds)
    for event in rules.open_match(opening, options, chance, 0, deck=deck_files.load()):
        state = rules.apply(state, event)
    for seat, action, now in ((0, Ready(), 0), (1, Ready(), 0), (None, Expire(), ROUND_START_MS)):
        assert state is not None
        for event in rules.decide(state, seat, action, chance, now):
            state = rules.apply(state, event)
    assert state is not None
    return state


def make_plan(level: str, state: State, stream: object) -> Schedule:
    return LEVELS[level](view(state, 1), from_text(f"{stream}").stream("bot"))


def solving_time(level: str, state: State, stream: object) -> int:
    return make_plan(level, state, stream)[-1][0] - ROUND_START_MS


def test_there_are_five_levels() -> None:
    assert [*LEVELS] == ["first-steps", "easy", "medium", "hard", "master"]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("pieces", [3, 4])
def test_plan_is_legal_and_solves_the_card(level: str, pieces: SideName) -> None:
    for seed in range(5):
        state = begin_round(f"bot {seed}", pieces)
        schedule = make_plan(level, state, seed)
        times = [moment for moment, _ in schedule]
        assert times == sorted(times)
        assert times[0] >= ROUND_START_MS + FIRST_LOOK_MS
        for moment, action in schedule:
            assert 1 not in state.solved
            for event in rules.decide(state, 1, action, from_text("x"), moment):
                state = rules.apply(state, event)
        assert 1 in state.solved


def test_solving_the_same_puzzle_takes_different_times() -> None:
    state = begin_round("again")
    assert len({solving_time("medium", state, stream) for stream in range(30)}) == 30


def test_the_same_stream_gives_the_same_plan() -> None:
    state = begin_round("again")
    assert make_plan("medium", state, "a") == make_plan("medium", state, "a")


def test_harder_puzzles_and_lower_levels_take_longer() -> None:
    three, four = begin_round("hard", 3), begin_round("hard", 4)
    times = {
        (level, pieces): mean(solving_time(level, state, n) for n in range(20))
        for level in LEVELS
        for pieces, state in ((3, three), (4, four))
    }
    for pieces in (3, 4):
        means = [times[level, pieces] for level in LEVELS]
        assert means == sorted(means, reverse=True)
    assert all(times[level, 3] < times[level, 4] for level in LEVELS)


def test_bots_lift_pieces_again_often_with_one_missing() -> None:
    state = begin_round("ideas")
    plans = [make_plan("easy", state, n) for n in range(20)]
    assert {type(action) for plan in plans for _, action in plan} == {Place, Lift}
    misses = 0
    for plan in plans:
        lying = 0
        for (_, now), (_, after) in pairwise(plan):
            lying += 1 if isinstance(now, Place) else -1
            misses += lying == 2 and isinstance(after, Lift)
    assert misses >= 20


def test_plan_depends_only_on_the_bots_own_card() -> None:
    state = begin_round("views")
    other = begin_round("others")
    unlike = replace(state, deals={**state.deals, 0: other.deals[0]}, books=other.books)
    assert make_plan("hard", state, 1) == make_plan("hard", unlike, 1)
    with pytest.raises(Illegal):
        LEVELS["medium"](view(state, None), from_text("x").stream("bot"))


def test_no_plan_for_an_unsolvable_card() -> None:
    state = begin_round("impossible")
    bad = replace(state.deals[1], area=state.deals[1].area[1:])
    assert make_plan("hard", replace(state, deals={**state.deals, 1: bad}), 1) == ()


# ------------------------------------------------------------------------------ with the sand


def test_first_steps_is_often_too_late_and_master_never() -> None:
    solved = {
        level: sum(
            solving_time(level, begin_round(f"sand {n}", 3, seconds=60), n) < 60_000
            for n in range(25)
        )
        for level in ("first-steps", "master")
    }
    assert 3 <= solved["first-steps"] <= 20
    assert solved["master"] == 25


def test_no_moves_between_hourglasses_or_after_the_second() -> None:
    state = begin_round("two", 4, seconds=30)
    assert state.sand is not None
    turned = 0
    for n in range(40):
        moments = [moment - state.sand for moment, _ in make_plan("first-steps", state, n)]
        assert not [moment for moment in moments if 0 <= moment <= 250]
        assert max(moments) < 30_000
        turned += max(moments) > 0
    assert turned > 20


def test_bot_continues_its_plan_in_the_second_chance() -> None:
    """The sand runs out and is turned by the rules, and the plan is still legal."""
    chances = 0
    for n in range(12):
        state = begin_round(f"chance {n}", 3, seconds=30)
        for moment, action in make_plan("easy", state, n):
            while (due := deadline(state)) is not None and due <= moment:
                for event in rules.decide(state, None, Expire(), from_text("x"), due):
                    state = rules.apply(state, event)
            chances += state.phase is Phase.SECOND_CHANCE
            for event in rules.decide(state, 1, action, from_text("x"), moment):
                state = rules.apply(state, event)
    assert chances > 10


def test_slow_bots_speed_up_without_sand() -> None:
    state = begin_round("patience", 4)
    times = [solving_time("first-steps", state, n) for n in range(60)]
    assert max(times) > UNTIMED_SPEED_UP_AFTER_MS
    assert max(times) < 2 * UNTIMED_SPEED_UP_AFTER_MS


def test_plan_for_a_deciding_round_has_no_time_limit() -> None:
    """G15: the table's timer doesn't run in a deciding round."""
    timed, untimed = begin_round("patience", 4, seconds=30), begin_round("patience", 4)
    deciding = replace(timed, sand=None)
    for n in range(10):
        assert make_plan("first-steps", deciding, n) == make_plan("first-steps", untimed, n)
    assert solving_time("first-steps", deciding, 0) > 60_000


# --------------------------------------------------------------------------- following a plan


def follow_plan(schedule: Schedule, state: State, now: int) -> State:
    """Take every step that is due."""
    for _ in range(20):
        step = next_step(schedule, view(state, 1).placed[1], now)
        if step is None or step[0] > now:
            return state
        for event in rules.decide(state, 1, step[1], from_text("x"), now):
            state = rules.apply(state, event)
        if 1 in state.solved:
            return state
    raise AssertionError


def test_plan_is_followed_step_by_step() -> None:
    state = begin_round("steps")
    schedule = make_plan("easy", state, 3)
    assert next_step(schedule, {}, ROUND_START_MS) == schedule[0]
    lying = set()
    for moment, _ in schedule:
        state = follow_plan(schedule, state, moment)
        lying.add(tuple(state.placed[1]))
    assert 1 in state.solved
    assert len(lying) > 4


def test_late_bot_lifts_pieces_in_its_way() -> None:
    state = begin_round("late")
    schedule = make_plan("easy", state, 3)
    for moment, action in make_plan("first-steps", state, 4)[:2]:
        for event in rules.decide(state, 1, action, from_text("x"), moment):
            state = rules.apply(state, event)
    assert state.placed[1]
    assert 1 in follow_plan(schedule, state, schedule[-1][0]).solved


def test_no_next_step_when_the_plan_is_done() -> None:
    state = begin_round("done")
    schedule = make_plan("hard", state, 5)[:1]
    (moment, action) = schedule[0]
    assert isinstance(action, Place)
    assert next_step(schedule, {action.piece: action.cells}, moment) is None


def test_bot_waits_for_the_countdown_after_a_pause() -> None:
    """By the shifted clocks, what it did just before the pause would only be due later."""
    state = begin_round("pause")
    schedule = make_plan("easy", state, 3)
    paused = schedule[0][0] + 1
    state = follow_plan(schedule, state, paused)
    resumed = paused + 60_000
    state = rules.apply(state, ClocksShifted(at=resumed, by=63_000, resumes=resumed + 3_000))
    assert UBONGO.planning
    moved = tuple((moment + 63_000, action) for moment, action in schedule)
    step = UBONGO.planning.next_step(moved, view(state, 1), resumed)
    assert step is not None
    assert step[0] == resumed + 3_000
    step = UBONGO.planning.next_step(moved, view(state, 1), resumed + 3_000)
    assert step == moved[1]
