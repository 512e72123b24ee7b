"""A worker of this version next to one of the next, on a database that is already newer."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pytlik.bus_messages import parse_bus_messages
from pytlik.server.document_codec import keep_unknown
from pytlik.server.table.stored_tables import table_codec
from pytlik.store import PutTable, Write
from pytlik.store.connect import SCHEMA_VERSION, migrate
from pytlik.store.schema import metadata
from tests.server.http_site import Browser, Site, json_of

NEW_FIELDS = {"newer": {"of": ["the next version"]}}


@pytest.fixture
def database(tmp_path: Path, empty_database: Path) -> Path:
    """A database migrated by the next version: a new column in every table, and a new table."""
    path = Path(shutil.copy(empty_database, tmp_path / "pytlik.db"))
    with closing(sqlite3.connect(path)) as connection:
        for name in metadata.tables:
            connection.execute(f"ALTER TABLE {name} ADD COLUMN newer TEXT")
        connection.execute("CREATE TABLE newer (x INTEGER)")
        connection.execute(
            "UPDATE alembic_version SET version_num = ?", (f"{int(SCHEMA_VERSION) + 1:04}",)
        )
        connection.commit()
    migrate(str(path))  # as this version does at startup
    return path


def with_new_fields(doc: bytes) -> bytes:
    """A document as the next version writes it, with new fields in every object."""
    data = msgspec.json.decode(doc)
    if "chairs" not in data:
        boards = {which: board | NEW_FIELDS for which, board in data["boards"].items()}
        return msgspec.json.encode(data | {"boards": boards} | NEW_FIELDS)
    lists = {key: [each | NEW_FIELDS for each in data[key]] for key in ("chairs", "codes", "talk")}
    past = [[player | NEW_FIELDS for player in match] for match in data["past"]]
    agreement = data["agreement"] | NEW_FIELDS
    return msgspec.json.encode(data | lists | {"past": past, "agreement": agreement} | NEW_FIELDS)


@pytest.fixture
def workers(database: Path) -> Iterator[tuple[Site, Site]]:
    """A worker of this version and one of the next."""
    old, new = Site(database), Site(database)
    commit = new.store.commit

    async def commit_with_new_fields(*writes: Write) -> None:
        await commit(
            *(
                msgspec.structs.replace(write, doc=with_new_fields(write.doc))
                if isinstance(write, PutTable)
                else write
                for write in writes
            )
        )

    new.store.commit = commit_with_new_fields  # type: ignore[method-assign]
    yield old, new
    old.close()
    new.close()


def same_person_at(site: Site, browser: Browser) -> Browser:
    """The same person on another worker."""
    other = site.browser()
    other.client.cookies = browser.client.cookies
    return other


def stored_table(site: Site, id: str) -> dict[str, Any]:
    row = site.run(site.store.table(id))
    assert row
    found: dict[str, Any] = msgspec.json.decode(row.doc)
    return found


def test_new_fields_survive_changes_by_both_versions(workers: tuple[Site, Site]) -> None:
    old, new = workers
    ola = new.browser()
    table = ola.create_table(chairs=2, agreement={"chat": True})
    id = table.rpartition("/")[2]
    ola.sit_down(table, "Ola")
    ola_there = same_person_at(old, ola)
    json_of(ola_there.put(f"{table}/seats/0/name", {"name": "Aleksandra"}))
    max_ = old.browser()
    max_.sit_down(table, "Max")
    json_of(ola_there.put(f"{table}/agreement", {"chat": False}))
    written = stored_table(old, id)
    assert written["agreement"]["newer"] == written["newer"] == NEW_FIELDS["newer"]
    assert [chair.get("newer") for chair in written["chairs"]] == [NEW_FIELDS["newer"]] * 2
    assert [chair["name"] for chair in written["chairs"]] == ["Aleksandra", "Max"]

    ola.start_match(table)
    json_of(max_.delete(f"{table}/seats/1"))
    written = stored_table(old, id)
    assert written["chairs"][0]["newer"] == written["newer"] == NEW_FIELDS["newer"]
    old.play_match_to_end(id)
    json_of(ola.post(f"{table}/rematch"))
    json_of(ola_there.post(f"{table}/seats/0/code"))
    written = stored_table(old, id)
    assert written["past"][0][0]["newer"] == written["newer"] == NEW_FIELDS["newer"]
    assert written["match"] == 2
    assert [json_of(each.get(table))["yours"] for each in (ola, ola_there)] == [[0], [0]]


def test_invalid_documents_are_still_rejected() -> None:
    with pytest.raises(msgspec.ValidationError):
        table_codec.decode(b'{"id": 1, "agreement": {"newer": 1}}')
    with pytest.raises(msgspec.ValidationError):
        table_codec.decode(b"{}")


@pytest.mark.parametrize(
    ("before", "known", "after", "written"),
    [
        ({"a": 1, "x": 2}, {"a": 1}, {"a": 3}, {"a": 3, "x": 2}),
        ({"a": 1, "x": 2}, {"a": 1}, {"b": 3}, {"b": 3, "x": 2}),
        ({"a": {"x": 1}}, {"a": {}}, {"a": {"b": 1}}, {"a": {"x": 1, "b": 1}}),
        ({"a": {"x": 1}}, {"a": {}}, {"a": None}, {"a": None}),
        # A list grows, moves on, loses an item, or an item changes.
        ([{"n": 1, "x": 1}], [{"n": 1}], [{"n": 1}, {"n": 2}], [{"n": 1, "x": 1}, {"n": 2}]),
        (
            [{"n": 1, "x": 1}, {"n": 2, "x": 2}],
            [{"n": 1}, {"n": 2}],
            [{"n": 2}, {"n": 3}],
            [{"n": 2, "x": 2}, {"n": 3}],
        ),
        (
            [{"n": 1, "x": 1}, {"n": 2, "x": 2}],
            [{"n": 1}, {"n": 2}],
            [{"n": 2}],
            [{"n": 2, "x": 2}],
        ),
        ([{"n": 1, "x": 1}], [{"n": 1}], [{"n": 5}], [{"n": 5, "x": 1}]),
        ([{"x": 1}, {"x": 2}], [{}, {}], [{}, {}], [{"x": 1}, {"x": 2}]),
    ],
)
def test_unknown_fields_are_kept_where_they_were(
    before: Any, known: Any, after: Any, written: Any
) -> None:
    assert keep_unknown(before, known, after) == written


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("abc.1 7", [("abc.1", 7, "")]),
        ("abc 7 and what only the next version knows", [("abc", 7, "")]),
        ('abc.1 7 [{"a": "b c"}]\nabc 3', [("abc.1", 7, '[{"a": "b c"}]'), ("abc", 3, "")]),
        ("abc", []),
        ("abc x", []),
        (" 7", []),
        ("", []),
    ],
)
def test_bus_messages_of_the_next_version_are_understood(text: str, messages: object) -> None:
    assert [*parse_bus_messages(text)] == messages
