"""Looking after a database: backup, restore, doctor."""

import asyncio
import json
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pytlik.chance import commit
from pytlik.cli import main
from pytlik.games import UBONGO, UNIKAT
from pytlik.server.tables import Agreement, Chair
from pytlik.server.tables import Table as Doc
from pytlik.store import Append, PutSecret, PutTable, SetDeadlines, Write
from pytlik.store.opening import migrate, open_store
from tests.playing import steps
from tests.services import Postgres


async def do(url: str, *writes: Write) -> None:
    store = await open_store(url, notify=False)
    for write in writes:
        await store.commit(write)
    await store.close()


def a_table(id: str, game: Any, batches: int) -> list[Write]:
    """A table, and the first actions of the match there."""
    chairs = tuple(Chair(name=name, holder=f"hash of {name}", share="") for name in ("Ann", "Bob"))
    doc = Doc(
        id=id,
        game=game.name,
        options=msgspec.Raw(b"{}"),
        agreement=Agreement(),
        chairs=chairs,
        host="hash of Ann",
        created=1,
        commitment=commit(b"seed"),
        phase="playing",
    )
    writes: list[Write] = [
        PutTable(
            id=id,
            version=0,
            doc=msgspec.json.encode(doc),
            phase=doc.phase,
            listed=False,
            holders=("hash of Ann", "hash of Bob"),
            touched=1,
        ),
        PutSecret(f"{id}.1", b"seed"),
    ]
    seq = 0
    for number, (events, state) in enumerate(steps(game, 2, "seed")):
        if number == batches:
            break
        encoded = tuple(map(msgspec.json.encode, events))
        append = Append(match=f"{id}.1", seq=seq, events=encoded, command=f"c{number}")
        writes += [append, SetDeadlines(f"{id}.1", {"rules": game.deadline(state)})]
        seq += len(encoded)
    return writes


IDS = ("aaaaaaaaaa", "bbbbbbbbbb")


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with a match of each game."""
    if request.param == "sqlite":
        made = str(tmp_path / "pytlik.db")
        migrate(made)
    else:
        server: Postgres = request.getfixturevalue("postgres")
        made = server.fresh()
    asyncio.run(do(made, *a_table(IDS[0], UNIKAT, 12), *a_table(IDS[1], UBONGO, 8)))
    return made


def said(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_backup_is_restored(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, other = tmp_path / "backup.jsonl", str(tmp_path / "other.db")
    assert main(["backup", str(file), "--database", url]) == 0
    assert f"2 tables are in {file}" in capsys.readouterr().out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert main(["restore", str(file), "--database", other]) == 0
    assert "2 tables are back" in capsys.readouterr().out
    again = tmp_path / "again.jsonl"
    assert main(["backup", str(again), "--database", other, "--json"]) == 0
    assert said(capsys)["rows"]["tables"] == 2
    assert again.read_bytes() == file.read_bytes()
    assert main(["doctor", "--database", other]) == 0


def test_restore_overwrites_only_by_force(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "backup.jsonl"
    assert main(["backup", str(file), "--database", url]) == 0
    asyncio.run(do(url, *a_table("cccccccccc", UNIKAT, 3)))
    assert main(["restore", str(file), "--database", url]) == 1
    assert "--force" in capsys.readouterr().err
    assert main(["restore", str(file), "--database", url, "--force", "--json"]) == 0
    assert said(capsys)["rows"]["tables"] == 2


def test_what_is_no_backup_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, database = tmp_path / "x", str(tmp_path / "new.db")
    assert main(["restore", str(file), "--database", database]) == 1  # no such file
    assert not Path(database).exists()
    file.write_text("{}")
    assert main(["restore", str(file), "--database", database]) == 1
    assert "bad_file" in capsys.readouterr().err


def test_a_backup_that_fails_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "backup.jsonl"
    file.write_text("last week's")
    for database in (str(tmp_path / "none.db"), f"postgresql:///none?host={tmp_path}"):
        assert main(["backup", str(file), "--database", database]) == 1
    assert main(["backup", str(file), "--database", "mysql://x"]) == 2
    assert "PYTLIK_DATABASE" in capsys.readouterr().err
    assert file.read_text() == "last week's"
    assert [path.name for path in tmp_path.iterdir()] == ["backup.jsonl"]


def test_the_variable_names_the_database(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTLIK_DATABASE", url)
    assert main(["backup", str(tmp_path / "backup.jsonl")]) == 0
    assert main(["doctor"]) == 0


def test_a_database_in_good_health(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--database", url]) == 0
    assert "All is well." in capsys.readouterr().out
    assert main(["doctor", "--database", url, "--json"]) == 0
    report = said(capsys)
    assert report["good"]
    names = {check["check"] for check in report["checks"]}
    assert names - {"disk"} == {
        "reachable", "schema", "writable", "log", "replay", "tables", "deadlines",
    }  # fmt: skip


GAP = f'"events","row":["{IDS[0]}.1",3,'.encode()


@pytest.mark.parametrize(
    ("table", "gone", "changed", "wrong"),
    [
        ("events", GAP, None, {"log"}),
        ("events", None, (b"match_opened", b"match_closed"), {"replay"}),
        ("tables", None, (b'playing\\"', b'resting\\"'), {"tables"}),
        ("secrets", b'"secrets"', None, {"tables"}),
        ("deadlines", b'"deadlines"', None, {"deadlines"}),
        ("deadlines", None, (b'"deadlines","row":["b', b'"deadlines","row":["x'), {"deadlines"}),
        ("commands", None, (b'"c1",', b'"c1",9'), {"log"}),
    ],
    ids=["gap", "event", "doc", "secret", "no deadline", "deadline of nothing", "command"],
)
def test_the_doctor_finds_what_is_wrong(
    table: str,
    gone: bytes | None,
    changed: tuple[bytes, bytes] | None,
    wrong: set[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A backup is easily spoiled, and restored as it is."""
    url = str(tmp_path / "pytlik.db")
    migrate(url)
    writes = [*a_table(IDS[0], UNIKAT, 12), *a_table(IDS[1], UBONGO, 8)]
    asyncio.run(do(url, *writes))
    file = tmp_path / "backup.jsonl"
    assert main(["backup", str(file), "--database", url]) == 0
    *lines, footer = file.read_bytes().splitlines(keepends=True)
    if gone:
        doomed = next(number for number, line in enumerate(lines) if gone in line)
        del lines[doomed]
        counted = json.loads(footer)
        counted["rows"][table] -= 1
        footer = json.dumps(counted, separators=(",", ":")).encode() + b"\n"
    if changed:
        assert any(changed[0] in line for line in lines)
        lines = [line.replace(*changed) for line in lines]
    file.write_bytes(b"".join([*lines, footer]))
    assert main(["restore", str(file), "--database", url, "--force"]) == 0
    capsys.readouterr()
    assert main(["doctor", "--database", url, "--json"]) == 1
    assert {check["check"] for check in said(capsys)["checks"] if check["wrong"]} == wrong
    assert main(["doctor", "--database", url]) == 1
    assert "WRONG" in capsys.readouterr().out


def test_the_doctor_sees_no_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--database", str(tmp_path / "none.db")]) == 1
    assert "WRONG" in capsys.readouterr().out
    assert main(["doctor", "--database", f"postgresql:///x?host={tmp_path}", "--json"]) == 1
    assert not said(capsys)["good"]
