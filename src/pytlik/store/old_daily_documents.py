"""The daily boards as databases before version 0004 stored them: a document for each day, among the
tables. The migration reads them, and so does restoring an older backup. This module never
changes."""

from typing import Any

import msgspec

PREFIX = "daily-"
"""The prefix of their ids: "daily-ubongo-2026-11-15"."""

Row = tuple[str, str, str, str, int, str | None, int, int | None]
"""As in the table `daily`."""


class Result(msgspec.Struct, frozen=True):
    holder: str
    name: str
    ms: int
    tiles: int = 0


class Board(msgspec.Struct, frozen=True):
    started: dict[str, int] = {}
    results: tuple[Result, ...] = ()


class Day(msgspec.Struct, frozen=True):
    boards: dict[str, Board] = {}


def rows_of_day(id: str, doc: bytes) -> list[Row]:
    """The rows that a document becomes. Raises msgspec.DecodeError."""
    game, _, day = id.removeprefix(PREFIX).partition("-")
    rows: list[Row] = []
    for name, board in msgspec.json.decode(doc, type=Day).boards.items():
        results = {result.holder: result for result in board.results}
        for holder in {**board.started, **results}:
            started = board.started.get(holder, 0)
            row: Any = (day, game, name, holder, started, None, 0, None)
            if result := results.get(holder):
                # Ubongo's boards are named after the number of pieces.
                pieces = int(name) if game == "ubongo" else result.tiles
                row = (*row[:5], result.name, pieces, result.ms)
            rows.append(row)
    return rows
