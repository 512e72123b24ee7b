"""The puzzles of the day."""

from datetime import date, timedelta
from typing import Any

import pytest

from pytlik.game import Illegal, Reason
from pytlik.server import daily, days
from pytlik.server.days import Board
from pytlik.ubongo import solver
from pytlik.ubongo.hexes import Hex, moved
from pytlik.ubongo.model import Deal
from tests.server.site import Browser, Site, done, empty_database, make_site, reason, site

__all__ = ["empty_database", "make_site", "site"]

TODAY = date(2026, 11, 15)
PATH = "/api/daily/ubongo"


def solution(deal: Deal) -> dict[int, Any]:
    found = solver.first(deal.area, list(deal.pieces.values()))
    assert found
    return dict(zip(deal.pieces, found, strict=True))


def sent(deal: Deal, **fields: Any) -> dict[str, Any]:
    placed = {str(piece): [list(cell) for cell in cells] for piece, cells in solution(deal).items()}
    return {"day": str(TODAY), "side": deal.side, "name": "Ola", "placed": placed, **fields}


@pytest.fixture
def ola(site: Site) -> Browser:
    return site.browser()


def test_a_day_has_a_puzzle_for_each_side_and_days_differ() -> None:
    week = [TODAY + timedelta(days=days) for days in range(7)]
    puzzles = {(day, side): daily.puzzle(day, side) for day in week for side in (3, 4, 5)}
    assert all(len(puzzle.pieces) == side for (_, side), puzzle in puzzles.items())
    assert len({(puzzle.card, puzzle.colour) for puzzle in puzzles.values()}) > 15
    assert daily.puzzle(TODAY, 3) == daily.puzzle(TODAY, 3)


def test_a_solution_is_checked_by_the_rules() -> None:
    deal = daily.puzzle(TODAY, 3)
    right = solution(deal)
    daily.check(deal, right)
    first = next(iter(right))
    cases = {
        Reason.NOT_COVERED: {first: right[first]},
        Reason.NOT_YOUR_PIECE: {**right, 99: right[first]},
        Reason.WRONG_SHAPE: {**right, first: right[first][:-1]},
        Reason.OUTSIDE_AREA: {first: moved(right[first], Hex(50, 0))},
    }
    for why, placed in cases.items():
        with pytest.raises(Illegal) as refused:
            daily.check(deal, placed)
        assert refused.value.reason is why
    with pytest.raises(Illegal) as refused:
        daily.check(deal, {})
    assert refused.value.reason is Reason.NOT_COVERED


def test_the_puzzle_is_shown_to_who_starts(site: Site, ola: Browser) -> None:
    before = done(ola.get(PATH))
    assert (before["day"], before["side"]) == (str(TODAY), 3)
    assert before["puzzle"] is before["started"] is None
    started = ola.post(f"{PATH}/start", {"side": 4})
    assert "set-cookie" in started.headers
    assert done(started)["started"] == site.now
    assert len(done(started)["puzzle"]["pieces"]) == 4
    site.now += 5_000
    assert done(ola.post(f"{PATH}/start", {"side": 4}))["started"] == site.now - 5_000
    assert done(ola.get(f"{PATH}?side=4"))["puzzle"]
    assert done(ola.get(f"{PATH}?side=3"))["puzzle"] is None
    assert done(site.browser().get(f"{PATH}?side=4"))["puzzle"] is None


def test_results_by_time(site: Site, ola: Browser) -> None:
    deal = daily.puzzle(TODAY, 3)
    assert reason(ola.post(f"{PATH}/solve", sent(deal))) == (409, "not_started")
    max_ = site.browser()
    done(ola.post(f"{PATH}/start", {}))
    done(max_.post(f"{PATH}/start", {}))
    site.now += 20_000
    wrong = sent(deal, placed={})
    assert reason(max_.post(f"{PATH}/solve", wrong)) == (409, "not_covered")
    told = done(max_.post(f"{PATH}/solve", sent(deal, name=" Max\u202e ")))
    assert told["results"] == [{"name": "Max", "ms": 20_000, "yours": True}]
    site.now += 10_000
    done(ola.post(f"{PATH}/solve", sent(deal)))
    site.now += 10_000
    told = done(ola.post(f"{PATH}/solve", sent(deal, name="Olga")))
    assert told["results"] == [
        {"name": "Max", "ms": 20_000, "yours": False},
        {"name": "Olga", "ms": 30_000, "yours": True},
    ]
    assert reason(ola.post(f"{PATH}/solve", sent(deal, name=""))) == (400, "bad_name")


def test_days_that_are_over_and_days_to_come(site: Site, ola: Browser) -> None:
    done(ola.post(f"{PATH}/start", {}))
    site.now += 86_400_000
    assert done(site.browser().get(f"{PATH}?day={TODAY}"))["puzzle"]
    # Who started before midnight may still solve it.
    assert done(ola.post(f"{PATH}/solve", sent(daily.puzzle(TODAY, 3))))["results"]
    tomorrow = TODAY + timedelta(days=2)
    assert reason(ola.get(f"{PATH}?day={tomorrow}")) == (404, "no_such_day")
    refused = ola.post(f"{PATH}/solve", sent(daily.puzzle(TODAY, 3), day=str(tomorrow)))
    assert reason(refused) == (404, "no_such_day")
    with pytest.raises(Illegal) as over:
        site.run(site.app.state.daily.start(TODAY, 3, "somebody"))
    assert over.value.reason is Reason.DAY_OVER
    assert reason(ola.get(f"{PATH}?day=yesterday")) == (400, "bad_request")
    assert reason(ola.get(f"{PATH}?side=6")) == (400, "bad_request")


def test_the_days_document_is_no_table_and_goes_with_the_rest(site: Site, ola: Browser) -> None:
    done(ola.post(f"{PATH}/start", {}))
    assert site.run(site.store.table(f"daily-ubongo-{TODAY}"))
    assert done(ola.get("/api/mine")) == []
    site.now += 91 * 86_400_000
    assert site.run(site.lobby.sweep(90)) == 1
    assert site.run(site.store.table(f"daily-ubongo-{TODAY}")) is None


def test_starts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(days, "MOST", 3)
    board = Board()
    for now, holder in enumerate("abcde"):
        board = days.start(board, holder, now)
        if holder == "b":
            board = daily.solve(board, "b", "B", now)
    assert set(board.started) == {"b", "d", "e"}
