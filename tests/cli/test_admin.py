"""`pytlik admin`: managing tables, people and results in a server's database."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pytlik.cli import main
from pytlik.games import UNIKAT
from pytlik.store import BoardKey, Connected, backups
from tests.cli.test_backup import (
    DAILY_BOARD,
    TABLE_IDS,
    commit_all,
    filled_database_url,
    result_writes,
    table_writes,
)

__all__ = ["filled_database_url"]

UNIKAT_TABLE, UBONGO_TABLE = TABLE_IDS


def run_admin(capsys: pytest.CaptureFixture[str], url: str, *words: str) -> tuple[int, Any]:
    """Run `pytlik admin`, and return its exit status and JSON output."""
    capsys.readouterr()
    status = main(["admin", *words, "--database", url, "--json"])
    return status, json.loads(capsys.readouterr().out)


async def read_backup(url: str) -> bytes:
    async with backups.snapshot(url) as rows:
        return b"".join([line async for line in backups.backup_lines(rows)])


def test_tables_are_listed(filled_database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(commit_all(filled_database_url, Connected(UBONGO_TABLE, "hash of Ann", "one", 7)))
    asyncio.run(commit_all(filled_database_url, *table_writes("cccccccccc", UNIKAT)))
    status, rows = run_admin(capsys, filled_database_url, "tables", "--by", "events")
    assert status == 0
    assert rows[0]["table"] == "cccccccccc"
    assert [row["events"] for row in rows] == sorted((row["events"] for row in rows), reverse=True)
    largest = max(row["bytes"] for row in rows)
    [ubongo] = [row for row in rows if row["table"] == UBONGO_TABLE]
    assert ubongo["bytes"] > 10 * ubongo["events"] > 0
    del ubongo["events"], ubongo["bytes"]
    assert ubongo == {
        "table": UBONGO_TABLE, "game": "ubongo", "phase": "playing", "people": 2, "here": 1,
        "touched": "1970-01-01 00:00",
    }  # fmt: skip
    _, heaviest = run_admin(capsys, filled_database_url, "tables", "--by", "bytes", "--limit", "1")
    assert [row["bytes"] for row in heaviest] == [largest]
    assert main(["admin", "tables", "--database", filled_database_url]) == 0
    output = capsys.readouterr().out
    assert output.splitlines()[0].split()[:3] == ["table", "game", "phase"]
    assert "Ann" not in output, "it never shows a name"


def test_heaviest_people_are_listed_first(
    filled_database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(commit_all(filled_database_url, Connected(UBONGO_TABLE, "hash of Ann", "one", 7)))
    asyncio.run(commit_all(filled_database_url, *result_writes("Ann"), *result_writes("Eva")))
    _, rows = run_admin(capsys, filled_database_url, "people")
    by_person = {row["person"]: row for row in rows}
    assert by_person.keys() == {"hash of Ann", "hash of Bob", "hash of Eva", "hash of Ola"}
    ann, bob, eva = (by_person[f"hash of {name}"] for name in ("Ann", "Bob", "Eva"))
    assert (ann["tables"], ann["here"], ann["results"]) == (2, 1, 1)
    assert ann["events"] == bob["events"] > 0
    assert (eva["tables"], eva["events"], eva["results"]) == (0, 0, 1)
    _, rows = run_admin(capsys, filled_database_url, "people", "--limit", "1")
    assert [row["person"] for row in rows] == ["hash of Ann"]


def test_delete_table_removes_all_its_data(
    filled_database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_admin(capsys, filled_database_url, "delete-table", UBONGO_TABLE) == (
        0,
        {"deleted": UBONGO_TABLE},
    )
    assert UBONGO_TABLE.encode() not in asyncio.run(read_backup(filled_database_url))
    assert main(["doctor", "--database", filled_database_url]) == 0
    status, answer = run_admin(capsys, filled_database_url, "delete-table", UBONGO_TABLE)
    assert (status, answer["error"]["reason"]) == (1, "no_such_table")


def test_a_result_is_deleted(filled_database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(commit_all(filled_database_url, *result_writes("Eva")))
    other = BoardKey("2026-11-16", "ubongo", "3")
    asyncio.run(commit_all(filled_database_url, *result_writes(board=other)))
    words = ("delete-result", DAILY_BOARD.game, DAILY_BOARD.day, DAILY_BOARD.board, "Ola")
    assert run_admin(capsys, filled_database_url, *words) == (0, {"deleted": 1})
    left = asyncio.run(read_backup(filled_database_url)).decode()
    rows = [json.loads(line)["row"] for line in left.splitlines() if '"table":"daily"' in line]
    assert [(row[0], row[5]) for row in rows] == [("2026-11-15", "Eva"), ("2026-11-16", "Ola")]
    status, answer = run_admin(capsys, filled_database_url, *words)
    assert (status, answer["error"]["reason"]) == (1, "not_found")


def test_remove_name_also_works_on_a_restored_backup(
    filled_database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(commit_all(filled_database_url, *result_writes("Ann")))
    file, other = str(tmp_path / "backup.jsonl"), str(tmp_path / "other.db")
    assert main(["backup", file, "--database", filled_database_url]) == 0
    assert main(["restore", file, "--database", other]) == 0
    for each in (filled_database_url, other):
        assert run_admin(capsys, each, "remove-name", "Ann") == (0, {"tables": 2})
        left = asyncio.run(read_backup(each)).replace(b"hash of Ann", b"")
        assert b"Ann" not in left
        assert b"Bob" in left
        assert run_admin(capsys, each, "remove-name", "Ann") == (0, {"tables": 0})
        assert main(["doctor", "--database", each]) == 0


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["tables", "--by", "name"],
        ["tables", "--limit", "0"],
        ["delete-result", "ubongo", "yesterday", "3", "Ola"],
        ["delete-result", "chess", "2026-11-15", "3", "Ola"],
        ["delete-table"],
    ],
)
def test_invalid_arguments_exit_with_status_2(words: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as wrongly:
        main(["admin", *words, "--database", str(tmp_path / "none.db")])
    assert wrongly.value.code == 2


def test_missing_database_is_an_error_and_not_created(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["admin", "tables", "--database", str(tmp_path / "none.db")]) == 1
    assert "pytlik: the database" in capsys.readouterr().err
    assert not (tmp_path / "none.db").exists()
