"""Unikat's puzzles of the day."""

import asyncio
from datetime import date, timedelta
from functools import cache
from typing import Any

import msgspec
import pytest

from pytlik.game import Illegal, Reason
from pytlik.protocol.reasons import ServerReason
from pytlik.server.dailies.daily_leaderboard import MIN_MS_PER_PIECE
from pytlik.server.dailies.unikat_daily import UnikatDaily
from pytlik.server.fair_queue import MAX_WAITING_EACH
from pytlik.unikat.messages import Decline, Lay
from pytlik.unikat.solo_puzzles import Grade, Puzzle, play_puzzle, puzzles
from tests.server.http_site import Browser, Site, json_of, status_and_reason

TODAY = date(2026, 11, 15)
DAILY_PATH = "/api/daily/unikat"


@cache
def puzzles_of_day(day: date) -> dict[Grade, Puzzle]:
    """A day's puzzles, searched for only once, as it takes a second or more."""
    return puzzles(f"daily unikat {day}")


@pytest.fixture
def site(site: Site) -> Site:
    async def compute(_: Any, seed: str, match: int, __: Any) -> dict[Grade, Puzzle]:
        assert match == 0
        return puzzles_of_day(date.fromisoformat(seed.rpartition(" ")[2]))

    site.app.state.unikat_daily.compute = compute
    return site


@pytest.fixture
def ola(site: Site) -> Browser:
    return site.browser()


def best_actions(puzzle: Puzzle) -> list[Any]:
    return [msgspec.to_builtins(Lay(chain)) for chain in puzzle.answer]


def request_body(actions: list[Any], **fields: Any) -> dict[str, Any]:
    return {"day": str(TODAY), "grade": "medium", "name": "Ola", "actions": actions, **fields}


def test_a_turn_is_played_by_the_rules() -> None:
    puzzle = puzzles_of_day(TODAY)[Grade.MEDIUM]
    first, second = map(Lay, puzzle.answer)
    started = play_puzzle(puzzle, ())
    assert (started.laid, started.over) == (0, False)
    assert not started.view.choices.swap
    earned = play_puzzle(puzzle, (first,))
    assert (earned.laid, earned.over) == (len(first.tiles), False)
    assert earned.view.choices.decline
    assert play_puzzle(puzzle, (first, Decline())).over
    both = play_puzzle(puzzle, (first, second))
    assert (both.laid, both.over) == (puzzle.most, True)
    with pytest.raises(Illegal) as refused:
        play_puzzle(puzzle, (first, Decline(), second))
    assert refused.value.reason is Reason.NOT_YOUR_TURN


def test_puzzle_is_shown_after_the_start_and_the_best_after_answering(
    site: Site, ola: Browser
) -> None:
    before = json_of(ola.get(f"{DAILY_PATH}?grade=medium"))
    assert (before["day"], before["grade"]) == (str(TODAY), "medium")
    assert before["view"] is before["started"] is before["most"] is None
    started = ola.post(f"{DAILY_PATH}/start", {"grade": "medium"})
    assert "set-cookie" in started.headers
    answer = json_of(started)
    assert answer["started"] == site.now
    assert answer["view"]["hand"]
    assert answer["view"]["hands"] == []
    assert (answer["most"], answer["best"]) == (None, [])
    assert json_of(site.browser().get(f"{DAILY_PATH}?grade=medium"))["view"] is None
    assert json_of(ola.get(f"{DAILY_PATH}?grade=easy"))["view"] is None

    puzzle = puzzles_of_day(TODAY)[Grade.MEDIUM]
    first, second = best_actions(puzzle)
    site.now += 10_000
    turn = json_of(ola.post(f"{DAILY_PATH}/lay", request_body([first])))
    assert (turn["laid"], turn["over"]) == (len(first["tiles"]), False)
    assert turn["view"]["phase"] == "bonus"
    assert [event["kind"] for event in turn["events"]] == ["chain_laid", "bonus_earned"]
    assert (turn["daily"]["most"], turn["daily"]["results"]) == (None, [])
    turn = json_of(ola.post(f"{DAILY_PATH}/lay", request_body([first, second])))
    assert turn["over"]
    assert turn["daily"]["most"] == puzzle.most
    assert [len(chain) for chain in turn["daily"]["best"]] == [*map(len, puzzle.answer)]
    assert turn["daily"]["results"] == [
        {"place": 1, "name": "Ola", "tiles": puzzle.most, "ms": 10_000, "yours": True}
    ]


def test_first_answers_are_ranked_by_tiles_then_time(site: Site, ola: Browser) -> None:
    puzzle = puzzles_of_day(TODAY)[Grade.MEDIUM]
    first, second = best_actions(puzzle)
    max_, eva = site.browser(), site.browser()
    assert status_and_reason(ola.post(f"{DAILY_PATH}/lay", request_body([first]))) == (
        409,
        "not_started",
    )
    for person in (ola, max_, eva):
        json_of(person.post(f"{DAILY_PATH}/start", {"grade": "medium"}))
    site.now += 5_000
    decline = {"kind": "decline"}
    answer = json_of(
        max_.post(f"{DAILY_PATH}/lay", request_body([first, decline], name=" Max\u202e "))
    )
    assert answer["daily"]["results"][0]["name"] == "Max"
    site.now += 5_000
    json_of(ola.post(f"{DAILY_PATH}/lay", request_body([first, second])))
    site.now += 5_000
    answer = json_of(eva.post(f"{DAILY_PATH}/lay", request_body([first, second], name="Eva")))
    again = json_of(max_.post(f"{DAILY_PATH}/lay", request_body([first, second])))
    assert again["laid"] == puzzle.most, "it may be tried again"
    results = [(each["name"], each["ms"]) for each in again["daily"]["results"]]
    assert results == [("Ola", 10_000), ("Eva", 15_000), ("Max", 5_000)]
    assert [each["yours"] for each in answer["daily"]["results"]] == [False, True, False]


def test_a_name_can_be_given_afterwards(site: Site, ola: Browser) -> None:
    """Until then only the owner sees the result."""
    body = request_body(best_actions(puzzles_of_day(TODAY)[Grade.MEDIUM]))
    del body["name"]
    name = {"day": str(TODAY), "grade": "medium", "name": "Ola"}
    assert status_and_reason(ola.post(f"{DAILY_PATH}/name", name)) == (409, "not_started")
    json_of(ola.post(f"{DAILY_PATH}/start", {"grade": "medium"}))
    site.now += 10_000
    daily = json_of(ola.post(f"{DAILY_PATH}/lay", body))["daily"]
    assert [(each["place"], each["name"]) for each in daily["results"]] == [(1, "")]
    assert daily["ranked"] == 1
    others = json_of(site.browser().get(f"{DAILY_PATH}?grade=medium"))
    assert (others["results"], others["ranked"]) == ([], 0)
    assert status_and_reason(ola.post(f"{DAILY_PATH}/name", name | {"name": ""})) == (
        400,
        "bad_name",
    )
    daily = json_of(ola.post(f"{DAILY_PATH}/name", name))
    assert [(each["place"], each["name"]) for each in daily["results"]] == [(1, "Ola")]
    others = json_of(site.browser().get(f"{DAILY_PATH}?grade=medium"))
    assert [each["name"] for each in others["results"]] == ["Ola"]
    tomorrow = str(TODAY + timedelta(days=1))
    assert status_and_reason(ola.post(f"{DAILY_PATH}/name", name | {"day": tomorrow})) == (
        404,
        "no_such_day",
    )


def test_impossibly_fast_answers_are_not_ranked(site: Site, ola: Browser) -> None:
    """For example, copied from what another identity was shown."""
    puzzle = puzzles_of_day(TODAY)[Grade.MEDIUM]
    copied = best_actions(puzzle)
    json_of(ola.post(f"{DAILY_PATH}/start", {"grade": "medium"}))
    site.now += puzzle.most * MIN_MS_PER_PIECE - 1
    daily = json_of(ola.post(f"{DAILY_PATH}/lay", request_body(copied)))["daily"]
    assert [(each["name"], each["place"]) for each in daily["results"]] == [("Ola", None)]
    assert daily["most"] == puzzle.most, "it counts: there is no second answer"
    assert json_of(site.browser().get(f"{DAILY_PATH}?grade=medium"))["results"] == []


def test_wrong_answers_are_refused(ola: Browser) -> None:
    json_of(ola.post(f"{DAILY_PATH}/start", {"grade": "medium"}))
    first, second = best_actions(puzzles_of_day(TODAY)[Grade.MEDIUM])
    lost = {"kind": "lay", "tiles": [[first["tiles"][0][0], 99, 99]]}
    assert status_and_reason(ola.post(f"{DAILY_PATH}/lay", request_body([lost]))) == (
        409,
        "touches_nothing",
    )
    tile = first["tiles"][0][0]
    swap = {"kind": "swap", "give": tile, "take": "bag"}
    assert status_and_reason(ola.post(f"{DAILY_PATH}/lay", request_body([swap]))) == (
        409,
        "bag_empty",
    )
    assert status_and_reason(ola.post(f"{DAILY_PATH}/lay", request_body([]))) == (
        400,
        "bad_request",
    )
    assert (
        status_and_reason(ola.post(f"{DAILY_PATH}/lay", request_body([first, second, second])))[0]
        == 400
    )
    assert status_and_reason(ola.post(f"{DAILY_PATH}/lay", request_body([first], name=""))) == (
        400,
        "bad_name",
    )
    assert status_and_reason(ola.get(f"{DAILY_PATH}?grade=expert")) == (400, "bad_request")
    assert status_and_reason(ola.post(f"{DAILY_PATH}/start", {"grade": 1})) == (400, "bad_request")


def test_past_and_future_days(site: Site, ola: Browser) -> None:
    json_of(ola.post(f"{DAILY_PATH}/start", {"grade": "medium"}))
    site.now += 86_400_000
    puzzle = puzzles_of_day(TODAY)[Grade.MEDIUM]
    eva = site.browser()
    answer = json_of(eva.get(f"{DAILY_PATH}?day={TODAY}&grade=medium"))
    assert (answer["most"], bool(answer["view"])) == (puzzle.most, True)
    late = json_of(eva.post(f"{DAILY_PATH}/lay", request_body(best_actions(puzzle), name="Eva")))
    assert (late["over"], late["daily"]["results"]) == (True, [])
    # Someone who started before midnight may still answer.
    assert json_of(ola.post(f"{DAILY_PATH}/lay", request_body(best_actions(puzzle))))["daily"][
        "results"
    ]
    tomorrow = TODAY + timedelta(days=2)
    assert status_and_reason(ola.get(f"{DAILY_PATH}?day={tomorrow}")) == (404, "no_such_day")
    refused = ola.post(f"{DAILY_PATH}/lay", request_body(best_actions(puzzle), day=str(tomorrow)))
    assert status_and_reason(refused) == (404, "no_such_day")


def test_searches_for_other_days_are_limited(make_site: Any) -> None:
    site = make_site(limit_scale=1)
    daily, ola = site.app.state.unikat_daily, site.browser()

    async def compute(*_: Any) -> dict[Grade, Puzzle]:
        return puzzles_of_day(TODAY)

    daily.compute = compute
    answers = [ola.get(f"{DAILY_PATH}?day={TODAY - timedelta(days=ago)}") for ago in range(30)]
    assert [answer.status_code for answer in answers[:20]] == [200] * 20
    assert status_and_reason(answers[-1]) == (429, "too_fast")
    # Days that have been found aren't limited.
    assert json_of(ola.get(f"{DAILY_PATH}?day={TODAY - timedelta(days=19)}"))["most"]
    long_ago = TODAY - timedelta(days=367)
    assert status_and_reason(ola.get(f"{DAILY_PATH}?day={long_ago}")) == (404, "no_such_day")


def test_puzzles_of_a_day_are_searched_once_match_by_match(site: Site) -> None:
    daily, searches = site.app.state.unikat_daily, list[Any]()

    async def compute(_: Any, seed: str, match: int, without: frozenset[Grade]) -> Any:
        searches.append((seed, match, without))
        if match == 0:
            return {}
        grade = list(Grade)[match - 1]
        return {grade: puzzles_of_day(TODAY)[grade]}

    daily.compute = compute
    ola = site.browser()
    json_of(ola.post(f"{DAILY_PATH}/start", {}))
    json_of(ola.get(DAILY_PATH))
    assert [match for _, match, _ in searches] == [0, 1, 2, 3]
    assert searches[-1][2] == {Grade.EASY, Grade.MEDIUM}


def test_failed_search_is_repeated(site: Site) -> None:
    daily = site.app.state.unikat_daily

    async def broken(*_: Any) -> Any:
        raise OSError("planted")

    async def sound(*_: Any) -> Any:
        return puzzles_of_day(TODAY)

    daily.compute = broken
    with pytest.raises(OSError, match="planted"):
        site.run(daily.puzzle(TODAY, Grade.EASY, "address"))
    daily.compute = sound
    assert site.run(daily.puzzle(TODAY, Grade.EASY, "address")) == puzzles_of_day(TODAY)[Grade.EASY]


def test_recently_requested_days_and_today_are_kept(site: Site) -> None:
    """Yesterday is kept too, as someone may have started before midnight."""
    daily = site.app.state.unikat_daily

    async def sound(*_: Any) -> Any:
        return puzzles_of_day(TODAY)

    daily.compute = sound
    days = [TODAY - timedelta(days=ago) for ago in range(10)]
    for day in days:
        site.run(daily.puzzle(day, Grade.EASY, "address"))
    assert [daily.is_ready(day) for day in days] == [True] * 2 + [False] * 2 + [True] * 6


class SlowPuzzleSearch:
    """Finishes searches for other days only when the test says so."""

    def __init__(self) -> None:
        self.days: list[date] = []
        self._go_on = asyncio.Event()

    async def compute(self, _: Any, seed: str, *__: Any) -> dict[Grade, Puzzle]:
        day = date.fromisoformat(seed.rpartition(" ")[2])
        self.days.append(day)
        if day != TODAY:
            await self._go_on.wait()
        return puzzles_of_day(TODAY)

    def finish_searches(self) -> None:
        self._go_on.set()


def request_puzzle(daily: UnikatDaily, ago: int, address: str) -> "asyncio.Task[Puzzle]":
    return asyncio.create_task(daily.puzzle(TODAY - timedelta(days=ago), Grade.EASY, address))


async def run_pending_tasks() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_today_does_not_wait_for_other_days(site: Site) -> None:
    daily, slow = site.app.state.unikat_daily, SlowPuzzleSearch()
    daily.compute = slow.compute

    async def play() -> None:
        others = [request_puzzle(daily, ago, "greedy") for ago in range(1, 6)]
        await run_pending_tasks()
        assert await request_puzzle(daily, 0, "greedy") == puzzles_of_day(TODAY)[Grade.EASY]
        assert slow.days == [TODAY - timedelta(days=1), TODAY]
        slow.finish_searches()
        await asyncio.gather(*others)

    site.run(play())


def test_other_days_take_turns_and_too_many_are_refused(site: Site) -> None:
    """Someone who asks for a year of them waits longer than someone who asks for one."""
    daily, slow = site.app.state.unikat_daily, SlowPuzzleSearch()
    daily.compute = slow.compute

    async def play() -> None:
        greedy = [request_puzzle(daily, ago, "greedy") for ago in range(1, 31)]
        await run_pending_tasks()
        refused = [task for task in greedy if task.done()]
        assert len(greedy) - len(refused) == 1 + MAX_WAITING_EACH
        for task in refused:
            with pytest.raises(Illegal) as raised:
                await task
            assert raised.value.reason is ServerReason.TOO_FAST
        family = request_puzzle(daily, 100, "family")
        await run_pending_tasks()
        slow.finish_searches()
        await family
        await asyncio.gather(*greedy, return_exceptions=True)
        # After the day being searched for and one more that was requested earlier.
        assert slow.days.index(TODAY - timedelta(days=100)) == 2

    site.run(play())
