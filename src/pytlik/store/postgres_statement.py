"""A PostgreSQL statement with its values, and a builder that puts one together from parts."""

from typing import Any

import msgspec

from pytlik.store.writes import split_match


class Statement(msgspec.Struct, frozen=True):
    """The text depends only on the kinds of writes, not on their values, so PostgreSQL can prepare
    it once."""

    text: str
    values: list[Any]


class StatementBuilder:
    """Collects the parts of a WITH statement, and the values that they refer to by number."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._parts: list[str] = []
        self._result_columns: list[str] = []

    def add_value(self, kind: str, value: Any) -> str:
        """Add a value, and return the placeholder for it, such as `$1::int`."""
        self.values.append(value)
        return f"${len(self.values)}::{kind}"

    def add_rows(self, kinds: str, values: list[tuple[Any, ...]]) -> str:
        """Add values of these types, and return SQL that makes rows of them."""
        columns = zip(*values, strict=True)
        arrays = [
            self.add_value(f"{kind}[]", list(column))
            for kind, column in zip(kinds.split(), columns, strict=True)
        ]
        return f"unnest({', '.join(arrays)})"

    def match_condition(self, match: str) -> str:
        """SQL that is true for the rows of a match."""
        id, number = split_match(match)
        return f"id = {self.add_value('text', id)} AND match = {self.add_value('int', number)}"

    def add_part(self, name: str, sql: str) -> None:
        self._parts.append(f"{name} AS {sql}")

    def add_result_column(self, sql: str) -> None:
        self._result_columns.append(sql)

    def build(self) -> Statement:
        text = f"WITH {', '.join(self._parts)} SELECT {', '.join(self._result_columns)}"
        return Statement(text, self.values)
