"""`pytlik doctor`: looks whether a database is whole. It changes nothing."""

import argparse
import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from pytlik.cli import database
from pytlik.game import Game
from pytlik.games import GAMES
from pytlik.i18n import Catalogue
from pytlik.store import Unavailable, dump
from pytlik.store.opening import HEAD, open_store, sqlite_path, version

ROOM = 200_000_000
"""Bytes that should be free on the disk."""

SHOWN = 5
"""So many things that are wrong are named; the others are only counted."""


class Check(msgspec.Struct, frozen=True):
    """Something that was looked at, and what is wrong there."""

    check: str
    found: str
    """What there is, in a word."""
    wrong: tuple[str, ...] = ()


def arguments(parser: argparse.ArgumentParser, say: Catalogue) -> None:
    database.argument(parser, say)
    parser.add_argument("--json", action="store_true", help=say("cli.json"))


def run(args: argparse.Namespace, say: Catalogue) -> int:
    def work(url: str) -> int:
        checks = examined(url)
        good = not any(check.wrong for check in checks)
        if args.json:
            print(json.dumps({"good": good, "checks": msgspec.to_builtins(checks)}))
        else:
            show(checks, say)
            print(say("doctor.good" if good else "doctor.bad"))
        return 0 if good else 1

    return database.with_database(args, work)


def show(checks: list[Check], say: Catalogue) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    for check in checks:
        said = [say("doctor.ok") if not check.wrong else say("doctor.wrong"), check.found]
        said += check.wrong[:SHOWN]
        if len(check.wrong) > SHOWN:
            said.append(say("doctor.more", n=len(check.wrong) - SHOWN))
        table.add_row(say(f"doctor.check.{check.check}"), said[0], "\n".join(said[1:]))
    Console().print(table, markup=False)


def examined(url: str) -> list[Check]:
    try:
        found = version(url)
    except Unavailable as error:
        return [Check("reachable", "", (str(error),))]
    checks = [Check("reachable", "PostgreSQL" if sqlite_path(url) is None else "SQLite")]
    wrong = () if found == HEAD else (f"{found} instead of {HEAD}",)
    checks.append(Check("schema", found or "", wrong))
    if not wrong:
        checks.append(asyncio.run(writable(url)))
        checks += asyncio.run(contents(url))
    return [*checks, *disk(url)]


async def writable(url: str) -> Check:
    try:
        store = await open_store(url, notify=False)
        await store.check()
        await store.close()
    except Unavailable as error:
        return Check("writable", "", (str(error),))
    return Check("writable", "")


def disk(url: str) -> list[Check]:
    path = sqlite_path(url)
    if path is None or not path.parent.exists():
        return []
    free = shutil.disk_usage(path.parent).free
    said = f"{free // 1_000_000:,} MB"
    return [Check("disk", said, () if free >= ROOM else (said,))]


# ---------------------------------------------------------------------------------------- contents


class Log(msgspec.Struct):
    """A match, as far as its events were read."""

    seq: int = 0
    game: Game | None = None
    state: Any = None
    gap: bool = False
    broken: str = ""

    def add(self, seq: int, event: bytes) -> None:
        self.gap |= seq != self.seq + 1
        self.seq = seq
        if self.broken:
            return
        try:
            if self.game is None:
                self.game = GAMES[msgspec.json.decode(event)["game"]]
            happened = self.game.event_decoder.decode(event)
            self.state = self.game.apply(self.state, happened)
        except Exception as error:  # noqa: BLE001 - whatever a broken event breaks
            self.broken = f"event {seq}: {type(error).__name__}"

    def end(self) -> "Log":
        """What is worth keeping of it: when something is due, and whether it is over."""
        game, state = self.game, self.state
        good = game is not None and not self.broken
        self.state = game.deadline(state) if good and game and not game.outcome(state) else None
        return self


async def logs(rows: AsyncIterator[dump.Row]) -> AsyncIterator[tuple[str, Log]]:
    """Match after match: they may be more than fit into memory with all their states."""
    match, log = None, Log()
    async for name, seq, event in rows:
        if name != match:
            if match is not None:
                yield match, log.end()
            match, log = name, Log()
        log.add(seq, event)
    if match is not None:
        yield match, log.end()


async def contents(url: str) -> list[Check]:
    from pytlik.server.due import RULES  # noqa: PLC0415
    from pytlik.server.tables import Table as Doc  # noqa: PLC0415 - loads most of the server
    from pytlik.server.tokens import TABLE_ID  # noqa: PLC0415

    async with dump.snapshot(url) as rows:
        gaps, broken = [], []
        known: dict[str, int] = {}
        expected: dict[str, int] = {}
        async for match, log in logs(rows("events")):
            known[match] = log.seq
            if log.gap:
                gaps.append(match)
            if log.broken:
                broken.append(f"{match}: {log.broken}")
            if log.state is not None:
                expected[match] = log.state
        async for match, command, seq in rows("commands"):
            if not 0 < seq <= known.get(match, 0):
                gaps.append(f"{match}: {command} ({seq})")

        bad_tables, playing, ids = [], set(), set()
        secrets = {match async for match, _ in rows("secrets")}
        async for id, _, doc, phase, _, _ in rows("tables"):
            ids.add(id)
            if not TABLE_ID.fullmatch(id):
                continue  # the results of a day
            try:
                table = msgspec.json.decode(doc, type=Doc)
            except msgspec.DecodeError as error:
                bad_tables.append(f"{id}: {error}")
                continue
            if (table.id, table.phase) != (id, phase):
                bad_tables.append(f"{id}: {table.id}, {table.phase}")
            if table.phase != "lobby" and table.match_id not in known:
                bad_tables.append(f"{id}: {table.match_id} has no events")
            if table.match_id not in secrets:
                bad_tables.append(f"{id}: {table.match_id} has no secret")
            if table.phase == "playing" and table.paused is None:
                playing.add(table.match_id)
        bad_tables += [f"{id}: {holder}" async for holder, id in rows("holders") if id not in ids]
        orphans = {match.rpartition(".")[0] for match in known} - ids
        bad_tables += [f"{id}: events without a table" for id in sorted(orphans)]

        due = {(match, kind): at async for match, kind, at in rows("deadlines")}
        wrong = sorted({f"{match}: {kind}" for match, kind in due if match not in known})
        # One that is being fired is lent, and so later than the rules say.
        wrong += [
            f"{match}: {RULES} ({at})"
            for match, at in expected.items()
            if match in playing and due.get((match, RULES), -1) < at
        ]
    return [
        Check("log", f"{sum(known.values()):,}", tuple(gaps)),
        Check("replay", f"{len(known):,}", tuple(broken)),
        Check("tables", f"{len(ids):,}", tuple(bad_tables)),
        Check("deadlines", f"{len(due):,}", tuple(wrong)),
    ]
