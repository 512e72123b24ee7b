"""Writes to the boards of the puzzles of the day."""

import msgspec


class BoardKey(msgspec.Struct, frozen=True):
    """One board of a day: a game has several puzzles a day, each with a board of its own."""

    day: str
    """As in "2026-11-15"."""
    game: str
    board: str


class StartPuzzle(msgspec.Struct, frozen=True):
    """Somebody starts a daily puzzle. The first start counts."""

    key: BoardKey
    holder: str
    at: int


class PutResult(msgspec.Struct, frozen=True):
    """Somebody who has started solves a daily puzzle. The first result counts."""

    key: BoardKey
    holder: str
    name: str | None
    """None if they haven't given one: until they do, nobody else sees the result."""
    pieces: int
    """How many pieces or tiles were laid: more are better."""
    ms: int


class RenameResult(msgspec.Struct, frozen=True):
    """Change the name on somebody's result."""

    key: BoardKey
    holder: str
    name: str


class HideResultsOfHolder(msgspec.Struct, frozen=True):
    """Remove somebody's name from all boards: results without a name aren't shown."""

    holder: str


class HideResultsUnderName(msgspec.Struct, frozen=True):
    """Remove a name from all boards, whoever used it."""

    name: str


class DeleteResultsUnderName(msgspec.Struct, frozen=True):
    """Delete the results on a board under a name."""

    key: BoardKey
    name: str


class DeleteDaysBefore(msgspec.Struct, frozen=True):
    """Delete the boards of all days before this one."""

    before: str


class MoveResultsToHolder(msgspec.Struct, frozen=True):
    """Give everything that one holder has on all boards to another, except on boards where the
    other has started as well."""

    old: str
    new: str


class DeleteResultsOfHolder(msgspec.Struct, frozen=True):
    """Delete everything that somebody has on all boards."""

    holder: str


DailyWrite = (
    StartPuzzle
    | PutResult
    | RenameResult
    | HideResultsOfHolder
    | HideResultsUnderName
    | DeleteResultsUnderName
    | DeleteDaysBefore
    | MoveResultsToHolder
    | DeleteResultsOfHolder
)
"""Writes to the daily boards. Each is committed alone."""
