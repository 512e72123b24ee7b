"""`pytlik backup`, `restore` and `doctor`."""

import asyncio
import json
import stat
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pytlik.chance import commit
from pytlik.cli import main
from pytlik.cli import restore as restore_command
from pytlik.games import UBONGO, UNIKAT
from pytlik.protocol.table_agreement import Agreement
from pytlik.server.clocks.heartbeat import DEAD_AFTER_MS
from pytlik.server.table.tables import Chair
from pytlik.server.table.tables import Table as Doc
from pytlik.store import (
    Actor,
    Append,
    BoardKey,
    Heartbeat,
    PutResult,
    PutSecret,
    PutTable,
    SetDeadlines,
    StartPuzzle,
    Write,
)
from pytlik.store.backups import TABLES
from pytlik.store.connect import migrate, open_store
from tests.database_servers import Postgres
from tests.random_matches import random_match_steps


async def commit_all(url: str, *writes: Write) -> None:
    store = await open_store(url, notify=False)
    for write in writes:
        await store.commit(write)
    await store.close()


def table_writes(id: str, game: Any, batches: int | None = None) -> list[Write]:
    """Return the writes for a table and its match, or only for the match's first batches."""
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
        phase="playing" if batches else "over",
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
    for number, (events, state) in enumerate(random_match_steps(game, 2, "seed")):
        if number == batches:
            break
        encoded = tuple(map(msgspec.json.encode, events))
        cause = game.cause(events[0]) if seq else None
        append = Append(
            match=f"{id}.1",
            seq=seq,
            events=encoded,
            command=f"c{number}",
            actor=Actor.PERSON if cause and cause.seat is not None else Actor.SERVER,
        )
        writes += [append, SetDeadlines(f"{id}.1", {"rules": game.deadline(state)})]
        seq += len(encoded)
    return writes


DAILY_BOARD = BoardKey("2026-11-15", "ubongo", "3")


def result_writes(
    name: str = "Ola", *, board: BoardKey = DAILY_BOARD, ms: int = 30_000
) -> list[Write]:
    holder = f"hash of {name}"
    return [StartPuzzle(board, holder, 1), PutResult(board, holder, name, 3, ms)]


TABLE_IDS = ("aaaaaaaaaa", "bbbbbbbbbb")


@pytest.fixture(params=["sqlite", "postgres"])
def filled_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with a match of each game."""
    if request.param == "sqlite":
        url = str(tmp_path / "pytlik.db")
        migrate(url)
    else:
        server: Postgres = request.getfixturevalue("postgres")
        url = server.new_database()
    asyncio.run(
        commit_all(
            url,
            *table_writes(TABLE_IDS[0], UNIKAT, 12),
            *table_writes(TABLE_IDS[1], UBONGO, 8),
            *result_writes(),
        )
    )
    return url


def read_json_output(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_backup_is_restored(
    filled_database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, other = tmp_path / "backup.jsonl", str(tmp_path / "other.db")
    file.touch()
    file.chmod(0o644)  # an older backup, which everybody could read
    assert main(["backup", str(file), "--database", filled_database_url]) == 0
    assert f"to {file} (tables: 2)" in capsys.readouterr().out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert main(["restore", str(file), "--database", other]) == 0
    assert "(tables: 2)" in capsys.readouterr().out
    assert stat.S_IMODE(Path(other).stat().st_mode) == 0o600
    again = tmp_path / "again.jsonl"
    assert main(["backup", str(again), "--database", other, "--json"]) == 0
    assert read_json_output(capsys)["rows"]["tables"] == 2
    assert again.read_bytes() == file.read_bytes()
    assert main(["doctor", "--database", other]) == 0


def test_restore_overwrites_only_with_force(
    filled_database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "backup.jsonl"
    assert main(["backup", str(file), "--database", filled_database_url]) == 0
    asyncio.run(commit_all(filled_database_url, *table_writes("cccccccccc", UNIKAT, 3)))
    assert main(["restore", str(file), "--database", filled_database_url]) == 1
    assert "--force" in capsys.readouterr().err
    assert main(["restore", str(file), "--database", filled_database_url, "--force", "--json"]) == 0
    assert read_json_output(capsys)["rows"]["tables"] == 2


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_restore_refuses_while_a_server_runs(
    filled_database_url: str,
    force: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 1_794_700_800_000

    async def time(_: str) -> int:
        return now

    monkeypatch.setattr(restore_command, "database_time", time)
    file = tmp_path / "backup.jsonl"
    assert main(["backup", str(file), "--database", filled_database_url]) == 0
    restore = ["restore", str(file), "--database", filled_database_url, *force]
    asyncio.run(
        commit_all(
            filled_database_url,
            Heartbeat("crashed", now - DEAD_AFTER_MS - 1),
            Heartbeat("alive", now - DEAD_AFTER_MS),
        )
    )
    if force:
        assert main(restore) == 1
        assert "A server is running on this database. Stop it first" in capsys.readouterr().err
        assert main(["doctor", "--database", filled_database_url]) == 0  # everything is as before
        now += 1
        assert main(restore) == 0
    else:
        assert main(restore) == 1
        assert "--force" in capsys.readouterr().err


def test_restore_refuses_an_empty_database_while_a_server_runs(
    filled_database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, other = tmp_path / "backup.jsonl", str(tmp_path / "other.db")
    assert main(["backup", str(file), "--database", filled_database_url]) == 0
    migrate(other)
    asyncio.run(commit_all(other, Heartbeat("alive", 2**50)))
    assert main(["restore", str(file), "--database", other]) == 1
    assert "A server is running on this database" in capsys.readouterr().err


def test_restore_refuses_a_file_that_is_not_a_backup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, database = tmp_path / "x", str(tmp_path / "new.db")
    assert main(["restore", str(file), "--database", database]) == 1  # no such file
    assert not Path(database).exists()
    file.write_text("{}")
    assert main(["restore", str(file), "--database", database]) == 1
    assert "bad_file" in capsys.readouterr().err


def test_failed_backup_keeps_the_previous_file(
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


def test_database_comes_from_the_environment_variable(
    filled_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTLIK_DATABASE", filled_database_url)
    assert main(["backup", str(tmp_path / "backup.jsonl")]) == 0
    assert main(["doctor"]) == 0


def test_doctor_finds_nothing_wrong_in_a_healthy_database(
    filled_database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--database", filled_database_url]) == 0
    assert "All is well." in capsys.readouterr().out
    assert main(["doctor", "--database", filled_database_url, "--json"]) == 0
    report = read_json_output(capsys)
    assert report["good"]
    names = {check["check"] for check in report["checks"]}
    assert names - {"disk"} == {
        "reachable", "schema", "writable", "log", "replay", "verify", "tables", "deadlines",
        "circles", "daily",
    }  # fmt: skip


THIRD_EVENT_LINE = f'"events","row":["{TABLE_IDS[0]}.1",3,'.encode()


@pytest.mark.parametrize(
    ("table", "gone", "changed", "wrong"),
    [
        ("events", THIRD_EVENT_LINE, None, {"log"}),
        ("events", None, (b"match_opened", b"match_closed"), {"replay"}),
        ("events", None, (b'"person"', b'"clock"'), {"replay"}),
        ("events", None, (b'"person"', b'"nobody"'), {"replay"}),
        ("tables", None, (b'playing\\"', b'resting\\"'), {"tables"}),
        ("secrets", b'"secrets"', None, {"tables"}),
        ("deadlines", b'"deadlines"', None, {"deadlines"}),
        ("deadlines", None, (b'"deadlines","row":["b', b'"deadlines","row":["x'), {"deadlines"}),
        ("commands", None, (b'"c1",', b'"c1",9'), {"log"}),
        ("daily", None, (b'"2026-11-15"', b'"2026-11-31"'), {"daily"}),
        ("daily", None, (b'"Ola",3,30000', b'"Ola",3,-1'), {"daily"}),
        ("daily", None, (b'"Ola",3,30000', b'"Ola",3,null'), {"daily"}),
    ],
    ids=[
        "gap",
        "event",
        "actor",
        "no such actor",
        "doc",
        "secret",
        "no deadline",
        "deadline of nothing",
        "command",
        "day",
        "time",
        "name without a time",
    ],
)
def test_doctor_finds_damage(
    table: str,
    gone: bytes | None,
    changed: tuple[bytes, bytes] | None,
    wrong: set[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Spoil a backup and restore it as it is."""
    url = str(tmp_path / "pytlik.db")
    migrate(url)
    writes = [*table_writes(TABLE_IDS[0], UNIKAT, 12), *table_writes(TABLE_IDS[1], UBONGO, 8)]
    asyncio.run(commit_all(url, *writes, *result_writes()))
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
    assert {
        check["check"] for check in read_json_output(capsys)["checks"] if check["wrong"]
    } == wrong
    assert main(["doctor", "--database", url]) == 1
    assert "WRONG" in capsys.readouterr().out


def spoil_event(file: Path, *changes: tuple[str, str, str, str]) -> int:
    """Make each change in the first event that matches, and return the last one's index."""
    lines = file.read_text().splitlines(keepends=True)
    number = -1
    for id, kind, old, new in changes:
        events = [line for line in lines if line.startswith(f'{{"table":"events","row":["{id}.1"')]
        number, line = next(
            (number, line)
            for number, line in enumerate(events)
            if f'kind\\":\\"{kind}' in line and old in line
        )
        lines[lines.index(line)] = line.replace(old, new, 1)
    file.write_text("".join(lines))
    return number


DRAW_CHANGE = ("tile_drawn", '\\"source\\":\\"bag\\"', '\\"source\\":\\"display\\"')
GEM_CHANGE = ("gem_taken", '\\"gem\\":\\"amber\\",\\"source\\":\\"bag\\"',
       '\\"gem\\":\\"ruby\\",\\"source\\":\\"bag\\"')  # fmt: skip


@pytest.fixture
def finished_matches_backup(
    filled_database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[str, Path]:
    """A database with a finished match of each game, and a backup of it."""
    asyncio.run(
        commit_all(
            filled_database_url,
            *table_writes("cccccccccc", UNIKAT),
            *table_writes("dddddddddd", UBONGO),
        )
    )
    file = tmp_path / "backup.jsonl"
    assert main(["backup", str(file), "--database", filled_database_url]) == 0
    assert main(["doctor", "--database", filled_database_url, "--json"]) == 0
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert {"check": "verify", "found": "2", "wrong": []} in report["checks"]
    return filled_database_url, file


@pytest.mark.parametrize(
    ("id", "change", "flaw"),
    [
        ("cccccccccc", DRAW_CHANGE, "against_rules"),
        ("dddddddddd", GEM_CHANGE, "not_from_seed"),
    ],
    ids=["unikat", "ubongo"],
)
def test_doctor_verifies_events_that_can_be_replayed(
    id: str,
    change: tuple[str, str, str],
    flaw: str,
    finished_matches_backup: tuple[str, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    url, file = finished_matches_backup
    number = spoil_event(file, (id, *change))
    assert main(["restore", str(file), "--database", url, "--force"]) == 0
    capsys.readouterr()
    assert main(["doctor", "--database", url, "--json"]) == 1
    wrong = {
        check["check"]: check["wrong"]
        for check in read_json_output(capsys)["checks"]
        if check["wrong"]
    }
    assert wrong == {"verify": [f"{id}.1: event {number} ({change[0]}): {flaw}"]}
    assert main(["doctor", "--database", url]) == 1
    assert f"event {number} ({change[0]})" in capsys.readouterr().out


def test_doctor_verifies_at_most_the_given_number(
    finished_matches_backup: tuple[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    url, file = finished_matches_backup
    spoil_event(file, ("cccccccccc", *DRAW_CHANGE), ("dddddddddd", *GEM_CHANGE))
    assert main(["restore", str(file), "--database", url, "--force"]) == 0
    capsys.readouterr()
    for most, found in ((0, "0 / 2"), (1, "1 / 2"), (2, "2"), (1000, "2")):
        status = main(["doctor", "--database", url, "--json", "--verify", str(most)])
        report = read_json_output(capsys)
        [check] = [check for check in report["checks"] if check["check"] == "verify"]
        assert check["found"] == found
        assert len(check["wrong"]) == min(most, 2)
        assert (status, report["good"]) == ((1, False) if most else (0, True))
    with pytest.raises(SystemExit) as wrongly:
        main(["doctor", "--database", url, "--verify", "-1"])
    assert wrongly.value.code == 2


@pytest.mark.parametrize(
    ("gone", "wrong"),
    [
        ('{"table":"secrets","row":["cccccccccc', {"tables": "no secret", "verify": "no_seed"}),
        ('{"table":"events","row":["dddddddddd', {"tables": "no events"}),
        ("match_ended", {"verify": "cut_off"}),
    ],
    ids=["secret", "events", "end"],
)
def test_doctor_reports_what_a_finished_match_lacks(
    gone: str, wrong: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url, file = str(tmp_path / "pytlik.db"), tmp_path / "backup.jsonl"
    migrate(url)
    writes = [*table_writes("cccccccccc", UNIKAT), *table_writes("dddddddddd", UBONGO)]
    asyncio.run(commit_all(url, *(w for w in writes if not isinstance(w, SetDeadlines))))
    assert main(["backup", str(file), "--database", url]) == 0
    *lines, _ = file.read_text().splitlines(keepends=True)
    kept = [line for line in lines if gone not in line]
    counted = Counter(json.loads(line)["table"] for line in kept[1:])
    if "events" in gone:
        kept = [line for line in kept if '"commands","row":["dddddddddd' not in line]
        counted["commands"] = sum('"table":"commands"' in line for line in kept)
    rows = {table: counted[table] for table in TABLES}
    footer = json.dumps({"rows": rows}, separators=(",", ":")) + "\n"
    file.write_text("".join([*kept, footer]))
    assert main(["restore", str(file), "--database", url, "--force"]) == 0
    capsys.readouterr()
    assert main(["doctor", "--database", url, "--json"]) == 1
    found = {
        check["check"]: check["wrong"]
        for check in read_json_output(capsys)["checks"]
        if check["wrong"]
    }
    assert found.keys() == wrong.keys() | ({"log"} if "ended" in gone else set())
    for check, text in wrong.items():
        assert text in found[check][0]


def test_doctor_reports_an_unreachable_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--database", str(tmp_path / "none.db")]) == 1
    output = capsys.readouterr().out
    assert "WRONG" in output
    assert f"there is no file {tmp_path / 'none.db'}" in output
    assert main(["doctor", "--database", f"postgresql:///x?host={tmp_path}", "--json"]) == 1
    assert not read_json_output(capsys)["good"]
