"""Changes to the daily boards as single statements, the same in both databases."""

from typing import Any, assert_never

from pytlik.store.daily_writes import (
    DailyWrite,
    DeleteDaysBefore,
    DeleteResultsOfHolder,
    DeleteResultsUnderName,
    HideResultsOfHolder,
    HideResultsUnderName,
    MoveResultsToHolder,
    PutResult,
    RenameResult,
    StartPuzzle,
)

BOARD_CONDITION = "day = $1 AND game = $2 AND board = $3"

INSERT_START = """
INSERT INTO daily (day, game, board, holder, started, pieces) VALUES ($1, $2, $3, $4, $5, 0)
ON CONFLICT DO NOTHING
"""
UPDATE_RESULT = f"""
UPDATE daily SET name = $5, pieces = $6, ms = $7
WHERE {BOARD_CONDITION} AND holder = $4 AND ms IS NULL
"""
UPDATE_NAME = f"""
UPDATE daily SET name = $5 WHERE {BOARD_CONDITION} AND holder = $4 AND ms IS NOT NULL
"""
MOVE_RESULTS = """
UPDATE daily SET holder = $2 WHERE holder = $1 AND NOT EXISTS (
    SELECT 1 FROM daily AS theirs WHERE theirs.holder = $2
    AND theirs.day = daily.day AND theirs.game = daily.game AND theirs.board = daily.board)
"""


def daily_write_statement(write: DailyWrite) -> tuple[str, tuple[Any, ...]]:
    """A statement and its values; `$1` is the first."""
    match write:
        case StartPuzzle(key, holder, at):
            return INSERT_START, (key.day, key.game, key.board, holder, at)
        case PutResult(key, holder, name, pieces, ms):
            return UPDATE_RESULT, (key.day, key.game, key.board, holder, name, pieces, ms)
        case RenameResult(key, holder, name):
            return UPDATE_NAME, (key.day, key.game, key.board, holder, name)
        case HideResultsOfHolder(holder):
            return (
                "UPDATE daily SET name = NULL WHERE holder = $1 AND name IS NOT NULL",
                (holder,),
            )
        case HideResultsUnderName(name):
            return "UPDATE daily SET name = NULL WHERE name = $1", (name,)
        case DeleteResultsUnderName(key, name):
            return (
                f"DELETE FROM daily WHERE {BOARD_CONDITION} AND name = $4",
                (key.day, key.game, key.board, name),
            )
        case DeleteDaysBefore(before):
            return "DELETE FROM daily WHERE day < $1", (before,)
        case MoveResultsToHolder(old, new):
            return MOVE_RESULTS, (old, new)
        case DeleteResultsOfHolder(holder):
            return "DELETE FROM daily WHERE holder = $1", (holder,)
        case _:
            assert_never(write)
