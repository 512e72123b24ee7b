"""A check of everything a database holds: each log, match, table, deadline, circle and daily
result.

Events are read match by match, since all of them may not fit into memory.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from collections.abc import Set as AbstractSet
from datetime import date
from random import sample
from typing import Any

import msgspec

from pytlik import matchfile
from pytlik.game import AnyGame, Cause
from pytlik.games import GAMES
from pytlik.matchfile import MatchRecord, Seed
from pytlik.protocol.circles import CircleResult
from pytlik.server.circle.stored_circles import circle_codec
from pytlik.server.match.deadlines import RULES_DEADLINE
from pytlik.server.table.stored_tables import table_codec
from pytlik.server.tokens import CIRCLE_ID, TABLE_ID
from pytlik.store import Actor, Unavailable, backups
from pytlik.store.connect import SCHEMA_VERSION, open_store, read_schema_version, sqlite_path

ReportProgress = Callable[[int, int], None]
"""Called with how many finished matches were verified, and how many there are to verify."""

MIN_FREE_DISK_BYTES = 200_000_000
"""How much should be free on the disk."""


class Check(msgspec.Struct, frozen=True):
    """Something that was checked, and what is wrong with it."""

    check: str
    found: str
    """How much there is of it, or what it is."""
    wrong: tuple[str, ...] = ()


# -------------------------------------------------------------------------------------------- logs


class ReplayedLog(msgspec.Struct):
    """A match, as far as its events were read. They are counted from 0, as in match files."""

    keep: bool = False
    """Keep the events, to verify them."""
    seq: int = 0
    game: AnyGame | None = None
    state: Any = None
    events: list[Any] = []
    gap: bool = False
    broken: str = ""

    def add(self, seq: int, event: bytes, actor: str | None) -> None:
        self.gap |= seq != self.seq + 1
        self.seq = seq
        if self.broken:
            return
        try:
            if self.game is None:
                self.game = GAMES[msgspec.json.decode(event)["game"]]
            happened = self.game.event_decoder.decode(event)
            self.state = self.game.apply(self.state, happened)
            check_actor(self.game.cause(happened), actor)
        except Exception as error:  # noqa: BLE001 - whatever a broken event breaks
            self.broken = f"event {seq - 1}: {type(error).__name__}"
        else:
            if self.keep:
                self.events.append(happened)

    @property
    def next_deadline(self) -> int | None:
        """When the clock of a match that isn't over fires next."""
        if self.game is None or self.broken or self.game.outcome(self.state):
            return None
        return self.game.deadline(self.state)

    def find_flaw(self, secret: bytes | None) -> str | None:
        """What doesn't follow from the seed and the rules, as `pytlik verify` would find it."""
        assert self.game is not None
        try:
            seed = Seed(secret.hex(), self.events[0].shares) if secret else None
            finding = matchfile.verify(MatchRecord(self.game, (), tuple(self.events), seed))
        except Exception as error:  # noqa: BLE001 - whatever a made-up event breaks
            return type(error).__name__
        if finding is None:
            return None
        if finding.event is None or finding.event >= len(self.events):
            return str(finding.flaw)
        kind = self.events[finding.event].__struct_config__.tag
        return f"event {finding.event} ({kind}): {finding.flaw}"


def check_actor(cause: Cause | None, actor: str | None) -> None:
    """Check that a seat's action comes from a person or a bot, and not from the clock or the
    server. Raises ValueError. Older events don't say who caused them."""
    if actor is None:
        return
    by_server = Actor(actor) in (Actor.CLOCK, Actor.SERVER)
    if by_server and cause and cause.seat is not None:
        raise ValueError(actor)


async def read_logs(
    rows: AsyncIterator[backups.Row], keep: AbstractSet[str]
) -> AsyncIterator[tuple[str, ReplayedLog]]:
    """The logs one by one, with the events of those that are to be verified."""
    match, log = None, ReplayedLog()
    async for name, seq, event, actor in rows:
        if name != match:
            if match is not None:
                yield match, log
            match, log = name, ReplayedLog(keep=name in keep)
        log.add(seq, event, actor)
    if match is not None:
        yield match, log


# ------------------------------------------------------------------------------------------ tables


class TableFindings(msgspec.Struct):
    """What the tables say about their matches."""

    ids: set[str] = set()
    latest: set[str] = set()
    """Each table's current match, or the next one if none is running."""
    begun: list[str] = []
    over: list[str] = []
    playing: set[str] = set()
    """Matches whose clocks run."""
    wrong: list[str] = []


async def read_tables(rows: AsyncIterator[backups.Row]) -> TableFindings:
    found = TableFindings()
    async for id, _, doc, phase, _, _ in rows:
        found.ids.add(id)
        if not TABLE_ID.fullmatch(id):
            found.wrong.append(f"{id}: no table has such an id")
            continue
        try:
            table = table_codec.decode(doc)
        except msgspec.DecodeError as error:
            found.wrong.append(f"{id}: {error}")
            continue
        if (table.id, table.phase) != (id, phase):
            found.wrong.append(f"{id}: {table.id}, {table.phase}")
        found.latest.add(table.match_id)
        past = [f"{table.id}.{number}" for number in range(1, table.match)]
        found.over += [*past, table.match_id] if table.phase == "over" else past
        found.begun += [*past, table.match_id] if table.phase != "lobby" else past
        if table.phase == "playing" and table.paused is None:
            found.playing.add(table.match_id)
    return found


# ------------------------------------------------------------------------------------------ circles


async def audit_circles(rows: backups.RowReader) -> tuple[Check, set[str]]:
    """Check that circles and their results can be read, and that each result belongs to one.
    Returns the ids of all circles, too."""
    ids, wrong = set[str](), list[str]()
    async for id, _, doc, _ in rows("circles"):
        ids.add(id)
        try:
            circle = circle_codec.decode(doc)
        except msgspec.DecodeError as error:
            wrong.append(f"{id}: {error}")
            continue
        if circle.id != id or not CIRCLE_ID.fullmatch(id) or not circle.members:
            wrong.append(f"{id}: {circle.id}")
    async for id, played, _, doc in rows("circle_results"):
        try:
            msgspec.json.decode(doc, type=CircleResult)
        except msgspec.DecodeError as error:
            wrong.append(f"{id}: {played}: {error}")
        if id not in ids:
            wrong.append(f"{id}: {played} without a circle")
    return Check("circles", f"{len(ids):,}", tuple(wrong)), ids


# ------------------------------------------------------------------------------------------- boards


async def audit_daily_boards(rows: AsyncIterator[backups.Row]) -> Check:
    """Check that each row of the daily boards has a day and a game, and that results are whole."""
    number, wrong = 0, []
    async for day, game, board, holder, started, name, pieces, ms in rows:
        number += 1
        whole = name is None if ms is None else ms >= 0
        if game not in GAMES or not is_day(day) or not whole or min(started, pieces) < 0:
            wrong.append(f"{day} {game} {board}: {holder}")
    return Check("daily", f"{number:,}", tuple(wrong))


def is_day(text: str) -> bool:
    try:
        return str(date.fromisoformat(text)) == text
    except ValueError:
        return False


# ------------------------------------------------------------------------------------------- checks


async def audit_contents(url: str, most: int | None, advance: ReportProgress) -> list[Check]:
    async with backups.snapshot(url) as rows:
        tables = await read_tables(rows("tables"))
        secrets = {match: secret async for match, secret in rows("secrets")}
        over = tables.over
        to_verify = set(over if most is None else sample(over, min(most, len(over))))

        gaps, broken, flaws = [], [], []
        known: dict[str, int] = {}
        expected: dict[str, int] = {}
        verified = 0
        async for match, log in read_logs(rows("events"), to_verify):
            known[match] = log.seq
            if log.gap:
                gaps.append(match)
            if log.broken:
                broken.append(f"{match}: {log.broken}")
            if (due := log.next_deadline) is not None:
                expected[match] = due
            if match in to_verify and not log.gap and not log.broken:
                if flaw := log.find_flaw(secrets.get(match)):
                    flaws.append(f"{match}: {flaw}")
                verified += 1
                advance(verified, len(to_verify))
        async for match, command, seq in rows("commands"):
            if not 0 < seq <= known.get(match, 0):
                gaps.append(f"{match}: {command} ({seq})")

        bad = tables.wrong
        bad += [f"{match} has no events" for match in tables.begun if match not in known]
        bad += [f"{match} has no secret" for match in tables.latest if match not in secrets]
        circles, circle_ids = await audit_circles(rows)
        known_ids = tables.ids | circle_ids
        bad += [f"{id}: {holder}" async for holder, id in rows("holders") if id not in known_ids]
        orphans = {match.rpartition(".")[0] for match in known} - tables.ids
        bad += [f"{id}: events without a table" for id in sorted(orphans)]

        deadlines = {(match, kind): at async for match, kind, at in rows("deadlines")}
        wrong = sorted({f"{match}: {kind}" for match, kind in deadlines if match not in known})
        # A deadline that is being fired is leased, and so later than the rules say.
        wrong += [
            f"{match}: {RULES_DEADLINE} ({at})"
            for match, at in expected.items()
            if match in tables.playing and deadlines.get((match, RULES_DEADLINE), -1) < at
        ]
        boards = await audit_daily_boards(rows("daily"))
    return [
        Check("log", f"{sum(known.values()):,}", tuple(gaps)),
        Check("replay", f"{len(known):,}", tuple(broken)),
        Check("verify", format_share(verified, len(over)), tuple(flaws)),
        Check("tables", f"{len(tables.ids):,}", tuple(bad)),
        Check("deadlines", f"{len(deadlines):,}", tuple(wrong)),
        circles,
        boards,
    ]


def format_share(some: int, of: int) -> str:
    return f"{of:,}" if some == of else f"{some:,} / {of:,}"


def audit_database(url: str, most: int | None, advance: ReportProgress) -> list[Check]:
    """Check a database, and verify at most `most` of its finished matches, a different sample each
    time."""
    try:
        found = read_schema_version(url)
    except Unavailable as error:
        return [Check("reachable", "", (str(error),))]
    path = sqlite_path(url)
    if path is not None and not path.exists():
        missing = Check("reachable", "SQLite", (f"there is no file {path}",))
        return [missing, *audit_disk_space(url)]
    checks = [Check("reachable", "PostgreSQL" if path is None else "SQLite")]
    wrong = () if found == SCHEMA_VERSION else (f"{found} instead of {SCHEMA_VERSION}",)
    checks.append(Check("schema", found or "", wrong))
    if not wrong:
        checks.append(asyncio.run(audit_write_access(url)))
        checks += asyncio.run(audit_contents(url, most, advance))
    return [*checks, *audit_disk_space(url)]


async def audit_write_access(url: str) -> Check:
    try:
        store = await open_store(url, notify=False)
        await store.check_available()
        await store.close()
    except Unavailable as error:
        return Check("writable", "", (str(error),))
    return Check("writable", "")


def audit_disk_space(url: str) -> list[Check]:
    path = sqlite_path(url)
    if path is None or not path.parent.exists():
        return []
    free = shutil.disk_usage(path.parent).free
    megabytes = f"{free // 1_000_000:,} MB"
    return [Check("disk", megabytes, () if free >= MIN_FREE_DISK_BYTES else (megabytes,))]
