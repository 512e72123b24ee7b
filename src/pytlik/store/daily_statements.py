"""Changes to the daily boards as single statements, the same in both databases."""

from typing import Any, assert_never

from pytlik.store.daily_writes import (
    AdoptResults,
    DailyWrite,
    DropDays,
    DropResults,
    ForgetResults,
    HideName,
    HideResults,
    NameResult,
    PutResult,
    StartPuzzle,
)

BOARD = "day = $1 AND game = $2 AND board = $3"

START = """
INSERT INTO daily (day, game, board, holder, started, pieces) VALUES ($1, $2, $3, $4, $5, 0)
ON CONFLICT DO NOTHING
"""
RESULT = f"""
UPDATE daily SET name = $5, pieces = $6, ms = $7 WHERE {BOARD} AND holder = $4 AND ms IS NULL
"""
ADOPT = """
UPDATE daily SET holder = $2 WHERE holder = $1 AND NOT EXISTS (
    SELECT 1 FROM daily AS theirs WHERE theirs.holder = $2
    AND theirs.day = daily.day AND theirs.game = daily.game AND theirs.board = daily.board)
"""


def daily_statement(write: DailyWrite) -> tuple[str, tuple[Any, ...]]:
    """A statement and its values; `$1` is the first."""
    match write:
        case StartPuzzle(key, holder, at):
            return START, (key.day, key.game, key.board, holder, at)
        case PutResult(key, holder, name, pieces, ms):
            return RESULT, (key.day, key.game, key.board, holder, name, pieces, ms)
        case NameResult(key, holder, name):
            return (
                f"UPDATE daily SET name = $5 WHERE {BOARD} AND holder = $4 AND ms IS NOT NULL",
                (key.day, key.game, key.board, holder, name),
            )
        case HideResults(holder):
            return (
                "UPDATE daily SET name = NULL WHERE holder = $1 AND name IS NOT NULL",
                (holder,),
            )
        case HideName(name):
            return "UPDATE daily SET name = NULL WHERE name = $1", (name,)
        case DropResults(key, name):
            return (
                f"DELETE FROM daily WHERE {BOARD} AND name = $4",
                (key.day, key.game, key.board, name),
            )
        case DropDays(before):
            return "DELETE FROM daily WHERE day < $1", (before,)
        case AdoptResults(old, new):
            return ADOPT, (old, new)
        case ForgetResults(holder):
            return "DELETE FROM daily WHERE holder = $1", (holder,)
        case _:
            assert_never(write)
