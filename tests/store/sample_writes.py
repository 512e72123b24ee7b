"""Writes for tests that don't care about their contents."""

from typing import Any

from pytlik.store import Append, PutTable


def make_append(match: str, seq: int, *events: bytes, command: str | None = None) -> Append:
    return Append(match=match, seq=seq, events=events, command=command)


def make_put_table(id: str, version: int = 0, **changes: Any) -> PutTable:
    row = {"doc": b"{}", "phase": "lobby", "listed": True, "holders": (), "touched": 1}
    return PutTable(id=id, version=version, **{**row, **changes})
