"""A statement of PostgreSQL and its values, and how one is put together from parts."""

from typing import Any

import msgspec

from pytlik.store.writes import split_match


class Statement(msgspec.Struct, frozen=True):
    """The text depends only on what kinds of writes there are, so that each is prepared once."""

    text: str
    values: list[Any]


class StatementParts:
    """The parts of a WITH, and the values that they name by number."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._parts: list[str] = []
        self._answers: list[str] = []

    def value(self, kind: str, value: Any) -> str:
        self.values.append(value)
        return f"${len(self.values)}::{kind}"

    def rows(self, kinds: str, values: list[tuple[Any, ...]]) -> str:
        """Values of these kinds as rows of a table."""
        columns = zip(*values, strict=True)
        arrays = [
            self.value(f"{kind}[]", list(column))
            for kind, column in zip(kinds.split(), columns, strict=True)
        ]
        return f"unnest({', '.join(arrays)})"

    def match(self, match: str) -> str:
        """The condition that a row belongs to a match."""
        id, number = split_match(match)
        return f"id = {self.value('text', id)} AND match = {self.value('int', number)}"

    def add(self, name: str, sql: str) -> None:
        self._parts.append(f"{name} AS {sql}")

    def add_answer(self, sql: str) -> None:
        self._answers.append(sql)

    def statement(self) -> Statement:
        text = f"WITH {', '.join(self._parts)} SELECT {', '.join(self._answers)}"
        return Statement(text, self.values)
