"""What every store promises about daily boards."""

import pytest

from pytlik.store import (
    BoardKey,
    DailyRow,
    DeleteDaysBefore,
    DeleteResultsOfHolder,
    DeleteResultsUnderName,
    HideResultsOfHolder,
    HideResultsUnderName,
    MoveResultsToHolder,
    PutResult,
    RenameResult,
    StartPuzzle,
    Store,
)

pytestmark = pytest.mark.anyio


BOARD = BoardKey("2026-11-15", "ubongo", "3")

OTHER_BOARDS = (
    BoardKey("2026-11-16", "ubongo", "3"),
    BoardKey("2026-11-15", "unikat", "3"),
    BoardKey("2026-11-15", "ubongo", "4"),
)


async def record_solution(
    store: Store, holder: str, ms: int, *, pieces: int = 3, board: BoardKey = BOARD
) -> None:
    await store.commit(StartPuzzle(board, holder, 1))
    await store.commit(PutResult(board, holder, holder.title(), pieces, ms))


async def ranked_names(
    store: Store, *, min_ms_per_piece: int = 0, limit: int = 10
) -> list[str | None]:
    return [row.name for row in await store.best_results(BOARD, min_ms_per_piece, limit)]


async def test_board_lists_the_best_results_and_no_starts(store: Store) -> None:
    for n in range(5):
        await store.commit(StartPuzzle(BOARD, f"nobody {n}", n))
    await record_solution(store, "ann", 30_000)
    await record_solution(store, "bob", 20_000)
    await record_solution(store, "cid", 40_000, pieces=4)
    await record_solution(store, "dan", 5_999)
    assert await ranked_names(store) == ["Cid", "Dan", "Bob", "Ann"]
    assert await ranked_names(store, limit=2) == ["Cid", "Dan"]
    assert await ranked_names(store, min_ms_per_piece=2_000) == ["Cid", "Bob", "Ann"]
    ann = await store.daily_row(BOARD, "ann")
    assert ann == DailyRow("ann", 1, "Ann", 3, 30_000)
    assert await store.count_better_results(BOARD, 2_000, ann) == 2
    assert await store.count_better_results(BOARD, 0, ann) == 3
    assert await store.daily_row(BOARD, "nobody 3") == DailyRow("nobody 3", 3)
    assert await store.daily_row(BOARD, "eve") is None
    other = BoardKey("2026-11-15", "ubongo", "4")
    assert await store.best_results(other, 0, 10) == []


async def test_only_the_first_start_and_result_count(store: Store) -> None:
    await store.commit(PutResult(BOARD, "ann", "Ann", 3, 30_000))
    assert await store.daily_row(BOARD, "ann") is None, "without a start there is no result"
    await record_solution(store, "ann", 30_000)
    await store.commit(StartPuzzle(BOARD, "ann", 99))
    await store.commit(PutResult(BOARD, "ann", "Anna", 4, 20_000))
    assert await store.daily_row(BOARD, "ann") == DailyRow("ann", 1, "Ann", 3, 30_000)
    await store.commit(RenameResult(BOARD, "ann", "Anna"))
    assert await ranked_names(store) == ["Anna"]
    await store.commit(StartPuzzle(BOARD, "bob", 1))
    await store.commit(RenameResult(BOARD, "bob", "Bob"))
    assert await store.daily_row(BOARD, "bob") == DailyRow("bob", 1), "there is no result to rename"


async def test_unnamed_result_is_on_no_board(store: Store) -> None:
    await record_solution(store, "ann", 30_000)
    await store.commit(StartPuzzle(BOARD, "bob", 1))
    await store.commit(PutResult(BOARD, "bob", None, 3, 20_000))
    assert await store.daily_row(BOARD, "bob") == DailyRow("bob", 1, None, 3, 20_000)
    assert await ranked_names(store) == ["Ann"]
    ann = await store.daily_row(BOARD, "ann")
    assert ann
    assert await store.count_better_results(BOARD, 0, ann) == 0
    await store.commit(RenameResult(BOARD, "bob", "Bob"))
    assert await ranked_names(store) == ["Bob", "Ann"]
    assert await store.count_better_results(BOARD, 0, ann) == 1


async def test_names_results_and_days_are_removed(store: Store) -> None:
    await record_solution(store, "ann", 30_000)
    await record_solution(store, "bob", 20_000)
    await record_solution(store, "cid", 10_000)
    await store.commit(HideResultsOfHolder("ann"))
    assert await ranked_names(store) == ["Cid", "Bob"]
    assert await store.daily_row(BOARD, "ann") == DailyRow("ann", 1, None, 3, 30_000)
    await store.commit(HideResultsUnderName("Bob"))
    assert await ranked_names(store) == ["Cid"]
    assert await store.daily_row(BOARD, "bob") == DailyRow("bob", 1, None, 3, 20_000)
    await store.commit(DeleteResultsUnderName(BOARD, "Cid"))
    assert await store.daily_row(BOARD, "cid") is None
    await store.commit(DeleteDaysBefore("2026-11-15"))
    assert await store.daily_row(BOARD, "ann")
    await store.commit(DeleteDaysBefore("2026-11-16"))
    assert await store.daily_row(BOARD, "ann") is None


async def test_results_move_to_another_holder(store: Store) -> None:
    await record_solution(store, "ann", 30_000)
    await store.commit(MoveResultsToHolder("ann", "ann2"))
    assert await store.daily_row(BOARD, "ann") is None
    assert await store.daily_row(BOARD, "ann2") == DailyRow("ann2", 1, "Ann", 3, 30_000)
    await record_solution(store, "bob", 20_000)
    await store.commit(MoveResultsToHolder("bob", "ann2"))
    assert await store.daily_row(BOARD, "ann2") == DailyRow("ann2", 1, "Ann", 3, 30_000)
    await store.commit(DeleteResultsOfHolder("bob"))
    assert await ranked_names(store) == ["Ann"]


async def test_results_faster_than_possible_do_not_count(store: Store) -> None:
    """The limit here is two seconds per piece."""
    await record_solution(store, "ann", 6_000)
    await record_solution(store, "bob", 5_999)
    await record_solution(store, "cid", 8_000, pieces=4)
    await record_solution(store, "dan", 7_999, pieces=4)
    await record_solution(store, "eve", 9_000)
    assert await ranked_names(store, min_ms_per_piece=2_000) == ["Cid", "Ann", "Eve"]
    for holder, better in (("cid", 0), ("ann", 1), ("eve", 2)):
        row = await store.daily_row(BOARD, holder)
        assert row
        assert await store.count_better_results(BOARD, 2_000, row) == better


async def test_results_under_a_name_are_deleted_from_one_board(store: Store) -> None:
    for board in (BOARD, *OTHER_BOARDS):
        await record_solution(store, "ann", 30_000, board=board)
    await store.commit(DeleteResultsUnderName(BOARD, "Ann"))
    assert await store.daily_row(BOARD, "ann") is None
    for board in OTHER_BOARDS:
        assert await store.daily_row(board, "ann"), board


async def test_results_move_except_on_boards_the_other_holder_has_started(
    store: Store,
) -> None:
    for board in (BOARD, *OTHER_BOARDS):
        await record_solution(store, "ann", 30_000, board=board)
    await record_solution(store, "bob", 20_000)
    await store.commit(MoveResultsToHolder("ann", "bob"))
    assert await store.daily_row(BOARD, "ann") == DailyRow("ann", 1, "Ann", 3, 30_000)
    assert await store.daily_row(BOARD, "bob") == DailyRow("bob", 1, "Bob", 3, 20_000)
    for board in OTHER_BOARDS:
        assert await store.daily_row(board, "ann") is None
        assert await store.daily_row(board, "bob") == DailyRow("bob", 1, "Ann", 3, 30_000)
