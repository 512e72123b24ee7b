"""Ubongo's puzzles of the day."""

import asyncio
from datetime import date, timedelta
from typing import Any

import pytest

from pytlik.game import Illegal, Reason
from pytlik.protocol.reasons import ServerReason
from pytlik.server.dailies import ubongo_daily
from pytlik.server.dailies.daily_leaderboard import MAX_RESULTS_SHOWN, MIN_MS_PER_PIECE
from pytlik.ubongo import solver
from pytlik.ubongo.bots import find_places
from pytlik.ubongo.hexes import Hex, move_by
from pytlik.ubongo.model import Colour, Deal
from pytlik.ubongo.reasons import UbongoReason
from pytlik.ubongo.solo_puzzles import check_solution, deal_puzzle
from tests.server.http_site import Browser, Site, json_of, status_and_reason

TODAY = date(2026, 11, 15)
DAILY_PATH = "/api/daily/ubongo"


def solve_deal(deal: Deal) -> dict[int, Any]:
    found = solver.first(deal.area, list(deal.pieces.values()))
    assert found
    return dict(zip(deal.pieces, found, strict=True))


def request_body(deal: Deal, **fields: Any) -> dict[str, Any]:
    placed = {
        str(piece): [list(cell) for cell in cells] for piece, cells in solve_deal(deal).items()
    }
    return {"day": str(TODAY), "side": deal.side, "name": "Ola", "placed": placed, **fields}


@pytest.fixture
def ola(site: Site) -> Browser:
    return site.browser()


def test_a_day_has_a_puzzle_for_each_side_and_days_differ() -> None:
    week = [TODAY + timedelta(days=days) for days in range(7)]
    puzzles = {
        (day, side): ubongo_daily.daily_puzzle(day, side) for day in week for side in (3, 4, 5)
    }
    assert all(len(puzzle.pieces) == side for (_, side), puzzle in puzzles.items())
    assert len({(puzzle.card, puzzle.colour) for puzzle in puzzles.values()}) > 15
    assert ubongo_daily.daily_puzzle(TODAY, 3) == ubongo_daily.daily_puzzle(TODAY, 3)


def test_a_seed_always_gives_the_same_puzzle() -> None:
    """Golden values: every version of the server must deal the same puzzles."""
    deals = [deal_puzzle(f"puzzle {number}", 3) for number in range(4)]
    assert [(deal.card, deal.colour) for deal in deals] == [
        (48, Colour.YELLOW),
        (21, Colour.RED),
        (54, Colour.GREEN),
        (6, Colour.BLUE),
    ]


def test_a_solution_is_checked_by_the_rules() -> None:
    deal = ubongo_daily.daily_puzzle(TODAY, 3)
    right = solve_deal(deal)
    check_solution(deal, right)
    first, second, *_ = right
    overlapping = next(
        cells
        for cells in find_places(deal, deal.pieces[second])
        if not set(cells).isdisjoint(right[first])
    )
    cases = {
        UbongoReason.NOT_COVERED: {first: right[first]},
        UbongoReason.NOT_YOUR_PIECE: {**right, 99: right[first]},
        UbongoReason.WRONG_SHAPE: {**right, first: right[first][:-1]},
        UbongoReason.OUTSIDE_AREA: {first: move_by(right[first], Hex(50, 0))},
        Reason.OCCUPIED: {**right, second: overlapping},
    }
    for reason, placed in cases.items():
        with pytest.raises(Illegal) as refused:
            check_solution(deal, placed)
        assert refused.value.reason is reason
    with pytest.raises(Illegal) as refused:
        check_solution(deal, {})
    assert refused.value.reason is UbongoReason.NOT_COVERED


def test_puzzle_is_shown_only_after_the_start(site: Site, ola: Browser) -> None:
    before = json_of(ola.get(DAILY_PATH))
    assert (before["day"], before["side"]) == (str(TODAY), 3)
    assert before["puzzle"] is before["started"] is None
    started = ola.post(f"{DAILY_PATH}/start", {"side": 4})
    assert "set-cookie" in started.headers
    assert json_of(started)["started"] == site.now
    assert len(json_of(started)["puzzle"]["pieces"]) == 4
    site.now += 5_000
    assert json_of(ola.post(f"{DAILY_PATH}/start", {"side": 4}))["started"] == site.now - 5_000
    assert json_of(ola.get(f"{DAILY_PATH}?side=4"))["puzzle"]
    assert json_of(ola.get(f"{DAILY_PATH}?side=3"))["puzzle"] is None
    assert json_of(site.browser().get(f"{DAILY_PATH}?side=4"))["puzzle"] is None


def test_results_are_ranked_by_time(site: Site, ola: Browser) -> None:
    deal = ubongo_daily.daily_puzzle(TODAY, 3)
    assert status_and_reason(ola.post(f"{DAILY_PATH}/solve", request_body(deal))) == (
        409,
        "not_started",
    )
    max_ = site.browser()
    json_of(ola.post(f"{DAILY_PATH}/start", {}))
    json_of(max_.post(f"{DAILY_PATH}/start", {}))
    site.now += 20_000
    wrong = request_body(deal, placed={})
    assert status_and_reason(max_.post(f"{DAILY_PATH}/solve", wrong)) == (409, "not_covered")
    answer = json_of(max_.post(f"{DAILY_PATH}/solve", request_body(deal, name=" Max\u202e ")))
    assert answer["results"] == [{"place": 1, "name": "Max", "ms": 20_000, "yours": True}]
    site.now += 10_000
    json_of(ola.post(f"{DAILY_PATH}/solve", request_body(deal)))
    site.now += 10_000
    answer = json_of(ola.post(f"{DAILY_PATH}/solve", request_body(deal, name="Olga")))
    assert answer["results"] == [
        {"place": 1, "name": "Max", "ms": 20_000, "yours": False},
        {"place": 2, "name": "Olga", "ms": 30_000, "yours": True},
    ]
    assert status_and_reason(ola.post(f"{DAILY_PATH}/solve", request_body(deal, name=""))) == (
        400,
        "bad_name",
    )


def test_a_name_can_be_given_afterwards(site: Site, ola: Browser) -> None:
    """Until then only the owner sees the result, at the place it would have."""
    solve_daily(site, site.browser(), "Max", seconds=30)
    deal = ubongo_daily.daily_puzzle(TODAY, 3)
    name = {"day": str(TODAY), "name": " Ola\u202e "}
    assert status_and_reason(ola.post(f"{DAILY_PATH}/name", name)) == (409, "not_started")
    json_of(ola.post(f"{DAILY_PATH}/start", {}))
    assert status_and_reason(ola.post(f"{DAILY_PATH}/name", name)) == (409, "not_started")
    site.now += 20_000
    body = request_body(deal)
    del body["name"]
    answer = json_of(ola.post(f"{DAILY_PATH}/solve", body))
    places = [(each["place"], each["name"], each["yours"]) for each in answer["results"]]
    assert places == [(1, "", True), (2, "Max", False)]
    assert answer["ranked"] == 2
    others = json_of(site.browser().get(DAILY_PATH))
    assert [(each["place"], each["name"]) for each in others["results"]] == [(1, "Max")]
    assert others["ranked"] == 1
    assert status_and_reason(ola.post(f"{DAILY_PATH}/name", name | {"name": " "})) == (
        400,
        "bad_name",
    )
    answer = json_of(ola.post(f"{DAILY_PATH}/name", name))
    assert [(each["place"], each["name"]) for each in answer["results"]] == [(1, "Ola"), (2, "Max")]
    # Solving it again without a name keeps the name.
    answer = json_of(ola.post(f"{DAILY_PATH}/solve", body))
    assert answer["results"][0] == {"place": 1, "name": "Ola", "ms": 20_000, "yours": True}
    tomorrow = str(TODAY + timedelta(days=1))
    assert status_and_reason(ola.post(f"{DAILY_PATH}/name", name | {"day": tomorrow})) == (
        404,
        "no_such_day",
    )


def test_past_and_future_days(site: Site, ola: Browser) -> None:
    json_of(ola.post(f"{DAILY_PATH}/start", {}))
    site.now += 86_400_000
    assert json_of(site.browser().get(f"{DAILY_PATH}?day={TODAY}"))["puzzle"]
    # Someone who started before midnight may still solve it.
    assert json_of(
        ola.post(f"{DAILY_PATH}/solve", request_body(ubongo_daily.daily_puzzle(TODAY, 3)))
    )["results"]
    tomorrow = TODAY + timedelta(days=2)
    assert status_and_reason(ola.get(f"{DAILY_PATH}?day={tomorrow}")) == (404, "no_such_day")
    refused = ola.post(
        f"{DAILY_PATH}/solve", request_body(ubongo_daily.daily_puzzle(TODAY, 3), day=str(tomorrow))
    )
    assert status_and_reason(refused) == (404, "no_such_day")
    with pytest.raises(Illegal) as over:
        site.run(site.app.state.ubongo_daily.start_puzzle(TODAY, 3, "somebody"))
    assert over.value.reason is ServerReason.DAY_OVER
    assert status_and_reason(ola.get(f"{DAILY_PATH}?day=yesterday")) == (400, "bad_request")
    assert status_and_reason(ola.get(f"{DAILY_PATH}?side=6")) == (400, "bad_request")


def test_old_daily_boards_are_deleted_with_old_tables(site: Site, ola: Browser) -> None:
    solve_daily(site, ola)
    assert json_of(ola.get("/api/mine")) == []
    site.now += 90 * 86_400_000
    site.run(site.cleanup.delete_untouched_tables(90))
    assert json_of(ola.get(f"{DAILY_PATH}?day={TODAY}"))["results"], "kept for 90 days"
    site.now += 86_400_000
    site.run(site.cleanup.delete_untouched_tables(90))
    assert json_of(ola.get(f"{DAILY_PATH}?day={TODAY}"))["results"] == []


def solve_daily(site: Site, browser: Browser, name: str = "Ola", *, seconds: float = 20) -> Any:
    json_of(browser.post(f"{DAILY_PATH}/start", {}))
    site.now += int(seconds * 1000)
    return json_of(
        browser.post(
            f"{DAILY_PATH}/solve", request_body(ubongo_daily.daily_puzzle(TODAY, 3), name=name)
        )
    )


def test_many_starts_push_nobody_off_the_board(site: Site, ola: Browser) -> None:
    """Someone who started before them and finishes after them is on the board with the right
    time."""
    json_of(ola.post(f"{DAILY_PATH}/start", {}))

    async def start_often() -> None:
        start = site.app.state.ubongo_daily.start_puzzle
        await asyncio.gather(*(start(TODAY, 3, f"nobody {n}") for n in range(2_100)))

    site.run(start_often())
    site.now += 30_000
    answer = json_of(
        ola.post(f"{DAILY_PATH}/solve", request_body(ubongo_daily.daily_puzzle(TODAY, 3)))
    )
    assert answer["results"] == [{"place": 1, "name": "Ola", "ms": 30_000, "yours": True}]


def test_starting_a_puzzle_counts_like_creating_a_table(make_site: Any) -> None:
    site = make_site(limit_scale=1)
    tables, starts = 15, 25
    for _ in range(tables):
        site.browser().create_table()
    for _ in range(starts):
        json_of(site.browser().post(f"{DAILY_PATH}/start", {}))
    assert status_and_reason(site.browser().post(f"{DAILY_PATH}/start", {})) == (429, "too_fast")
    unikat = site.browser().post("/api/daily/unikat/start", {})
    assert status_and_reason(unikat) == (429, "too_fast")
    assert status_and_reason(site.browser().post("/api/tables", {"game": "unikat"})) == (
        429,
        "too_fast",
    )
    elsewhere = site.browser(address="198.51.100.7")
    json_of(elsewhere.post(f"{DAILY_PATH}/start", {}))


def test_looking_at_a_puzzle_again_does_not_count_as_a_start(make_site: Any) -> None:
    site = make_site(limit_scale=1)
    ola = site.browser()
    assert {ola.post(f"{DAILY_PATH}/start", {}).status_code for _ in range(60)} == {200}
    json_of(site.browser().post("/api/tables", {"game": "unikat"}))


def test_impossible_times_are_not_ranked(site: Site, ola: Browser) -> None:
    """Only their owner sees them. The shortest time a person could achieve is ranked."""
    least = 3 * MIN_MS_PER_PIECE / 1000
    answer = solve_daily(site, site.browser(), "Program", seconds=least - 0.001)
    assert answer["results"] == [{"place": None, "name": "Program", "ms": 1_799, "yours": True}]
    solve_daily(site, ola, seconds=25)
    answer = solve_daily(site, site.browser(), "Lightning", seconds=least)
    ranked = [("Lightning", 1), ("Ola", 2)]
    assert [(each["name"], each["place"]) for each in answer["results"]] == ranked
    answer = json_of(ola.get(DAILY_PATH))
    assert [(each["name"], each["place"]) for each in answer["results"]] == ranked


def test_board_shows_the_best_results_and_your_own(site: Site, ola: Browser) -> None:
    """Equal times share a place."""

    async def solve_often() -> None:
        board = site.app.state.ubongo_daily
        holders = [f"somebody {n}" for n in range(MAX_RESULTS_SHOWN + 20)]
        await asyncio.gather(*(board.start_puzzle(TODAY, 3, holder) for holder in holders))
        for n, holder in enumerate(holders):
            mine = await board.row(TODAY, 3, holder)
            await board.put_result(TODAY, 3, mine, holder, 3, site.now + 10_000 + n // 2)

    site.run(solve_often())
    answer = solve_daily(site, ola, seconds=60)
    shown = answer["results"]
    assert answer["ranked"] == MAX_RESULTS_SHOWN + 21
    assert len(shown) == MAX_RESULTS_SHOWN + 1
    assert [each["place"] for each in shown[:5]] == [1, 1, 3, 3, 5]
    assert shown[-1] == {
        "place": MAX_RESULTS_SHOWN + 21,
        "name": "Ola",
        "ms": 60_000,
        "yours": True,
    }
    others = json_of(site.browser().get(DAILY_PATH))["results"]
    assert len(others) == MAX_RESULTS_SHOWN
    # The same without a name: one place for its owner, and one fewer for everyone else.
    json_of(ola.delete("/api/me"))
    answer = json_of(ola.get(DAILY_PATH))
    assert answer["ranked"] == MAX_RESULTS_SHOWN + 21
    assert answer["results"][-1] == shown[-1] | {"name": ""}
    assert json_of(site.browser().get(DAILY_PATH))["ranked"] == MAX_RESULTS_SHOWN + 20


def test_first_time_counts_even_if_sent_twice_at_once(site: Site) -> None:
    board = site.app.state.ubongo_daily
    right = solve_deal(ubongo_daily.daily_puzzle(TODAY, 3))

    async def play() -> Any:
        await board.start_puzzle(TODAY, 3, "ola")
        site.now += 10_000
        await asyncio.gather(
            *(board.submit_solution(TODAY, 3, "ola", "Ola", right) for _ in range(4))
        )
        site.now += 10_000
        await board.submit_solution(TODAY, 3, "ola", "Ola", right)
        return await board.board(TODAY, 3, "ola")

    assert [result.ms for result in site.run(play()).results] == [10_000]
