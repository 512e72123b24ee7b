"""Commits as single statements of PostgreSQL.

A statement is one trip to the server and a transaction of its own, over as soon as it is done: a
worker that freezes, wherever it does, holds no lock that others wait for.
"""

from typing import Any, assert_never

import msgspec

from pytlik.store import (
    GONE,
    AdoptResults,
    Append,
    Connected,
    Disconnected,
    DropDays,
    DropResults,
    DropSubscription,
    DropTable,
    DropWorker,
    ForgetResults,
    ForgetSubscriptions,
    GiveBackGuess,
    Heartbeat,
    HideName,
    HideResults,
    MoveDeadline,
    NameResult,
    PutResult,
    PutSecret,
    PutServerKey,
    PutSubscription,
    PutTable,
    SetDeadlines,
    StartPuzzle,
    StillDue,
    SweepGuesses,
    SweepSubscriptions,
    SweepTokens,
    TakeGuess,
    TokenSeen,
    WakeUp,
    Write,
    split_match,
)
from pytlik.wake_ups import CHANNEL, MAX_BYTES, format_wake_up

# An action, which is what is committed most often, ready made: the events go in where the log has
# just the length that was expected and the command is new; the rest follows if they did. What
# `first` is for, `add_gate` says.
APPEND = """
WITH done AS MATERIALIZED (
    SELECT seq FROM commands WHERE id = $1 AND match = $2 AND command = $5),
first AS MATERIALIZED (
    SELECT FROM events WHERE id = $1 AND match = $2 AND seq = 1 FOR KEY SHARE),
added AS (
    INSERT INTO events (id, match, seq, event, actor) SELECT $1, $2, $3 + number, event, $9
    FROM unnest($4::bytea[]) WITH ORDINALITY AS new (event, number)
    WHERE coalesce((SELECT max(seq) FROM events WHERE id = $1 AND match = $2), 0) = $3
    AND NOT EXISTS (SELECT FROM done)
    AND ($3 = 0 OR EXISTS (SELECT FROM first))
    RETURNING seq),
reached AS (SELECT max(seq) AS seq FROM added),
said AS (
    INSERT INTO commands (id, match, command, seq) SELECT $1, $2, $5, seq FROM reached
    WHERE seq IS NOT NULL AND $5::text IS NOT NULL),
dropped AS (
    DELETE FROM deadlines USING reached
    WHERE id = $1 AND match = $2 AND kind = ANY($6::text[]) AND reached.seq IS NOT NULL),
kept AS (
    INSERT INTO deadlines (id, match, kind, due) SELECT $1, $2, kind, due
    FROM reached, unnest($7::text[], $8::bigint[]) AS new (kind, due) WHERE seq IS NOT NULL
    ON CONFLICT (id, match, kind) DO UPDATE SET due = excluded.due)
SELECT reached.seq IS NOT NULL, (SELECT seq FROM done) AS done{notify}
FROM reached
"""
APPEND_ONLY = APPEND.format(notify="")
APPEND_AND_NOTIFY = APPEND.format(
    notify=f", CASE WHEN seq > 0 THEN pg_notify('{CHANNEL}', $10)::text END"
)


REMAINING = "least($2, guesses.remaining + greatest(0, $4 - guesses.at) * $3 / 1000.0)"

TAKE_GUESS = f"""
WITH taken AS (
    INSERT INTO guesses (key, remaining, at) VALUES ($1, $2::float - 1, $4::bigint)
    ON CONFLICT (key) DO UPDATE
    SET remaining = {REMAINING} - 1, at = greatest(guesses.at, $4) WHERE {REMAINING} >= 1
    RETURNING key)
SELECT EXISTS (SELECT FROM taken), NULL
""".replace("$3", "$3::float")

GIVE_BACK_GUESS = """
WITH gone AS (DELETE FROM guesses WHERE key = $1 AND remaining + 1 >= $2::float),
given_back AS (
    UPDATE guesses SET remaining = remaining + 1 WHERE key = $1 AND remaining + 1 < $2::float)
SELECT true, NULL
"""

SWEEP_GUESSES = """
WITH gone AS (DELETE FROM guesses WHERE at < $1) SELECT true, NULL
"""

TOKEN_SEEN = """
WITH seen AS (UPDATE last_seen SET at = $2 WHERE holder = $1 AND at < $2) SELECT true, NULL
"""

SWEEP_TOKENS = """
WITH new AS (
    INSERT INTO last_seen (holder, at) SELECT DISTINCT holder, $1::bigint FROM holders
    WHERE NOT EXISTS (SELECT FROM last_seen WHERE last_seen.holder = holders.holder)
    ON CONFLICT DO NOTHING),
gone AS (
    DELETE FROM last_seen WHERE at < $2::bigint
    AND NOT EXISTS (SELECT FROM holders WHERE holders.holder = last_seen.holder))
SELECT true, NULL
"""


READY_MADE: dict[type[Write], str] = {
    TakeGuess: TAKE_GUESS,
    GiveBackGuess: GIVE_BACK_GUESS,
    SweepGuesses: SWEEP_GUESSES,
    TokenSeen: TOKEN_SEEN,
    SweepTokens: SWEEP_TOKENS,
}
"""Statements that take the fields of a write as they come."""


DeadlineKey = tuple[str, int, str]
"""The id of a table, the number of a match there, and the kind of a deadline."""


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


class SortedWrites:
    """The writes of a commit by what they are about, where one statement can do them all: it may
    not change a row twice, and what may be refused can't be refused after something else was
    done. `whole` says whether it can."""

    def __init__(self, writes: tuple[Write, ...]) -> None:
        self.whole = True
        self.only: dict[str, Any] = {}
        self.secrets: list[tuple[str, int, bytes]] = []
        self.due: dict[DeadlineKey, int | None] = {}
        self.moved: dict[DeadlineKey, tuple[int, int | None]] = {}
        self.here: dict[tuple[str, str, str], Connected | None] = {}
        for write in writes:
            self._sort(write)
        refusable = self.only.keys() & {"PutTable", "DropWorker", "Heartbeat", "WakeUp"}
        if len(refusable) > 1 or self.due.keys() & self.moved.keys():
            self.whole = False

    def _sort(self, write: Write) -> None:
        match write:
            case Append() | PutTable() | DropWorker() | Heartbeat() | WakeUp() | StillDue():
                name = type(write).__name__
                self.whole &= name not in self.only
                self.only[name] = write
            case PutSecret(match, secret):
                self.secrets.append((*split_match(match), secret))
            case SetDeadlines(match, due):
                self.due.update({(*split_match(match), kind): at for kind, at in due.items()})
            case MoveDeadline(match, kind, due, to):
                key = (*split_match(match), kind)
                self.whole &= key not in self.moved
                self.moved[key] = due, to
            case Connected(id, holder, worker, _):
                self.here[id, holder, worker] = write
            case Disconnected(id, holder, worker):
                self.here[id, holder, worker] = None
            case (
                DropTable() | StartPuzzle() | PutResult() | NameResult() | HideResults()
                | HideName() | DropResults() | DropDays() | AdoptResults() | ForgetResults()
                | TakeGuess() | GiveBackGuess() | SweepGuesses() | TokenSeen() | SweepTokens()
                | PutSubscription() | DropSubscription() | ForgetSubscriptions()
                | SweepSubscriptions() | PutServerKey()
            ):  # fmt: skip
                self.whole = False
            case _:
                assert_never(write)


def commit_statement(*writes: Write, notify: bool) -> Statement | None:
    """One statement for all writes, which answers whether they were done, and with which seq the
    command was done before; None if it takes more than one."""
    match writes:
        case [Append() as only]:
            return append_statement(only, {}, notify=notify)
        case [Append() as first, SetDeadlines(match, due)] if match == first.match:
            return append_statement(first, due, notify=notify)
        case [TakeGuess() | GiveBackGuess() | SweepGuesses() | TokenSeen() | SweepTokens() as only]:
            return Statement(READY_MADE[type(only)], list(msgspec.structs.astuple(only)))
        case _:
            pass  # put together below
    asked = SortedWrites(writes)
    if not asked.whole:
        return None
    parts = StatementParts()
    add_gate(parts, asked.only)
    if append := asked.only.get("Append"):
        add_events(parts, append)
    if put := asked.only.get("PutTable"):
        add_holders(parts, put)
    if beat := asked.only.get("Heartbeat"):
        add_worker(parts, beat)
    if asked.secrets:
        rows = parts.rows("text int bytea", asked.secrets)
        parts.add(
            "kept_secrets",
            "(INSERT INTO secrets (id, match, secret)"
            f" SELECT new.* FROM gate, {rows} AS new (id, match, secret))",
        )
    add_deadlines(parts, asked)
    add_presence(parts, asked.here)
    if notify:
        for write in writes:
            add_notification(parts, write)
    return parts.statement()


def append_statement(append: Append, due: dict[str, int | None], *, notify: bool) -> Statement:
    dropped = [kind for kind, at in due.items() if at is None]
    kept = {kind: at for kind, at in due.items() if at is not None}
    values: list[Any] = [
        *split_match(append.match),
        append.seq,
        append.events,
        append.command,
        dropped,
        list(kept),
        list(kept.values()),
        append.actor,
    ]
    if not notify:
        return Statement(APPEND_ONLY, values)
    return Statement(APPEND_AND_NOTIFY, [*values, wake_up_for(append)])


def wake_up_for(append: Append, room: int = MAX_BYTES) -> str:
    reached = append.seq + len(append.events)
    return format_wake_up(append.match, reached, append.events, room)


def add_gate(parts: StatementParts, only: dict[str, Any]) -> None:
    """What decides whether all is done or nothing: it has a row, or it has none."""
    value = parts.value
    allowed, done = "true", "NULL"
    append: Append | None = only.get("Append")
    put: PutTable | None = only.get("PutTable")
    if append:
        is_match = parts.match(append.match)
        seq = value("int", append.seq)
        # The log has just the length that was expected, and the command is new.
        allowed = f"coalesce((SELECT max(seq) FROM events WHERE {is_match}), 0) = {seq}"
        if append.command is not None:
            command = value("text", append.command)
            parts.add(
                "done",
                f"MATERIALIZED (SELECT seq FROM commands WHERE {is_match} AND command = {command})",
            )
            allowed += " AND NOT EXISTS (SELECT FROM done)"
            done = "(SELECT seq FROM done)"
        if append.seq and not (put and split_match(append.match)[0] == put.id):
            # Whoever drops the table deletes this row too. So either the drop waits for this
            # statement, and then deletes what it has added; or this waits, and finds that the row
            # is gone. In neither case the end of a log is left behind. Where the table changes
            # with it, that is lock enough.
            parts.add(
                "first",
                f"MATERIALIZED (SELECT FROM events WHERE {is_match} AND seq = 1 FOR KEY SHARE)",
            )
            allowed += " AND EXISTS (SELECT FROM first)"
    if still_due := only.get("StillDue"):
        is_match = parts.match(still_due.match)
        kind, due = value("text", still_due.kind), value("bigint", still_due.due)
        # Whoever acts sets it anew: then this waits, and finds another.
        parts.add(
            "still_due",
            "MATERIALIZED (SELECT FROM deadlines"
            f" WHERE {is_match} AND kind = {kind} AND due = {due} FOR UPDATE)",
        )
        allowed += " AND EXISTS (SELECT FROM still_due)"
    if put:
        parts.add("gate", put_table(parts, put, allowed))
    elif drop := only.get("DropWorker"):
        worker, at = value("text", drop.worker), value("bigint", drop.at)
        parts.add(
            "gate",
            f"(DELETE FROM workers WHERE worker = {worker} AND at = {at} AND {allowed}"
            " RETURNING worker)",
        )
    elif beat := only.get("Heartbeat"):
        at, since = value("bigint", beat.at), value("bigint", beat.since)
        # Clocks differ between machines: the latest beat counts.
        parts.add(
            "gate",
            f"(INSERT INTO beats SELECT 1, {at} WHERE {allowed} ON CONFLICT (id)"
            f" DO UPDATE SET at = greatest(beats.at, excluded.at) WHERE beats.at >= {since}"
            " RETURNING id)",
        )
    elif wake_up := only.get("WakeUp"):
        last, at = value("bigint", wake_up.last), value("bigint", wake_up.at)
        parts.add(
            "gate",
            f"(UPDATE beats SET at = {at} WHERE id = 1 AND at = {last} AND {allowed} RETURNING id)",
        )
    else:
        parts.add("gate", f"MATERIALIZED (SELECT WHERE {allowed})")
    parts.add_answer("EXISTS (SELECT FROM gate)")
    parts.add_answer(done)


def put_table(parts: StatementParts, put: PutTable, allowed: str) -> str:
    value = parts.value
    id = value("text", put.id)
    columns = {
        "version": value("int", put.version + 1),
        "doc": value("bytea", put.doc),
        "phase": value("text", put.phase),
        "listed": value("bool", put.listed),
        "touched": value("bigint", put.touched),
    }
    if put.version:
        changes = ", ".join(f"{name} = {new}" for name, new in columns.items())
        before = value("int", put.version)
        return (
            f"(UPDATE tables SET {changes} WHERE id = {id} AND version = {before} AND {allowed}"
            " RETURNING id)"
        )
    return (
        f"(INSERT INTO tables (id, {', '.join(columns)})"
        f" SELECT {id}, {', '.join(columns.values())} WHERE {allowed}"
        " ON CONFLICT DO NOTHING RETURNING id)"
    )


def add_events(parts: StatementParts, append: Append) -> None:
    value = parts.value
    table, number = split_match(append.match)
    id, match, seq = value("text", table), value("int", number), value("int", append.seq)
    events, actor = value("bytea[]", append.events), value("text", append.actor)
    parts.add(
        "added",
        f"(INSERT INTO events (id, match, seq, event, actor)"
        f" SELECT {id}, {match}, {seq} + number, event, {actor}"
        f" FROM gate, unnest({events}) WITH ORDINALITY AS new (event, number))",
    )
    if append.command is not None:
        command = value("text", append.command)
        reached = value("int", append.seq + len(append.events))
        parts.add(
            "said",
            "(INSERT INTO commands (id, match, command, seq)"
            f" SELECT {id}, {match}, {command}, {reached} FROM gate)",
        )


def add_holders(parts: StatementParts, put: PutTable) -> None:
    id = parts.value("text", put.id)
    holders = parts.value("text[]", put.holders)
    if put.version:
        parts.add(
            "former_holders",
            f"(DELETE FROM holders USING gate"
            f" WHERE holders.id = {id} AND holder <> ALL({holders}))",
        )
    parts.add(
        "new_holders",
        f"(INSERT INTO holders SELECT DISTINCT new, {id} FROM gate, unnest({holders}) AS new"
        " ON CONFLICT DO NOTHING)",
    )


def add_worker(parts: StatementParts, beat: Heartbeat) -> None:
    worker, at = parts.value("text", beat.worker), parts.value("bigint", beat.at)
    parts.add(
        "worker_beat",
        f"(INSERT INTO workers SELECT {worker}, {at} FROM gate"
        " ON CONFLICT (worker) DO UPDATE SET at = excluded.at)",
    )


def add_deadlines(parts: StatementParts, asked: SortedWrites) -> None:
    key = "id, match, kind"
    same_key = "deadlines.id = old.id AND deadlines.match = old.match AND deadlines.kind = old.kind"
    same = f"{same_key} AND deadlines.due = old.due"
    gone: list[tuple[Any, ...]] = [key for key, due in asked.due.items() if due is None]
    if gone:
        rows = parts.rows("text int text", gone)
        parts.add(
            "former_deadlines",
            f"(DELETE FROM deadlines USING gate, {rows} AS old ({key}) WHERE {same_key})",
        )
    kept = [(*key, due) for key, due in asked.due.items() if due is not None]
    if kept:
        rows = parts.rows("text int text bigint", kept)
        parts.add(
            "new_deadlines",
            f"(INSERT INTO deadlines ({key}, due) SELECT new.* FROM gate, {rows} AS new"
            f" ON CONFLICT ({key}) DO UPDATE SET due = excluded.due)",
        )
    done = [(*key, due) for key, (due, to) in asked.moved.items() if to is None]
    if done:
        rows = parts.rows("text int text bigint", done)
        parts.add(
            "done_deadlines",
            f"(DELETE FROM deadlines USING gate, {rows} AS old ({key}, due) WHERE {same})",
        )
    moved = [(*key, due, to) for key, (due, to) in asked.moved.items() if to is not None]
    if moved:
        rows = parts.rows("text int text bigint bigint", moved)
        parts.add(
            "moved_deadlines",
            f"(UPDATE deadlines SET due = old.later FROM gate, {rows} AS old"
            f" ({key}, due, later) WHERE {same})",
        )


def add_presence(parts: StatementParts, here: dict[tuple[str, str, str], Connected | None]) -> None:
    came: list[tuple[Any, ...]] = [(*key, come.lag) for key, come in here.items() if come]
    if came:
        rows = parts.rows("text text text int", came)
        parts.add(
            "came",
            f"(INSERT INTO presence SELECT new.* FROM gate, {rows} AS new"
            " ON CONFLICT (id, holder, worker) DO UPDATE SET lag = excluded.lag)",
        )
    left: list[tuple[Any, ...]] = [key for key, come in here.items() if not come]
    if left:
        rows = parts.rows("text text text", left)
        parts.add(
            "went",
            f"(DELETE FROM presence USING gate, {rows} AS old (id, holder, worker)"
            " WHERE presence.id = old.id AND presence.holder = old.holder"
            " AND presence.worker = old.worker)",
        )


def add_notification(parts: StatementParts, write: Write) -> None:
    """Heard when, and only if, it commits; and in the order of the commits."""
    if isinstance(write, Append):
        news = wake_up_for(write)
    elif isinstance(write, PutTable):
        news = format_wake_up(write.id, write.version + 1)
    else:
        return
    payload = parts.value("text", news)
    parts.add_answer(
        f"CASE WHEN EXISTS (SELECT FROM gate) THEN pg_notify('{CHANNEL}', {payload})::text END"
    )


DROP_TABLE = """
DO $drop$
DECLARE
    gone text := convert_from(decode('{id}', 'hex'), 'UTF8');
BEGIN
    -- Waits for whoever changes the table, and refuses who comes later.
    DELETE FROM tables WHERE id = gone;
    -- Waits for whoever appends to its matches, and refuses who comes later: all of them lock the
    -- first row of the log. Nothing is deleted before, since an append that has the lock would wait
    -- for that.
    PERFORM FROM events WHERE id = gone AND seq = 1 FOR UPDATE;
    -- What was waited for is only seen by the next statement.
    LOOP
        DELETE FROM events WHERE id = gone;
        EXIT WHEN NOT FOUND;
    END LOOP;
    DELETE FROM commands WHERE id = gone;
    DELETE FROM secrets WHERE id = gone;
    DELETE FROM deadlines WHERE id = gone;
    DELETE FROM holders WHERE id = gone;
    DELETE FROM presence WHERE id = gone;
    {notify}
END
$drop$
"""


def drop_statement(id: str, *, notify: bool) -> str:
    """A block can't be given values, so the id is written into it, in digits that mean no SQL."""
    tell = f"PERFORM pg_notify('{CHANNEL}', gone || ' {GONE}');"
    return DROP_TABLE.format(id=id.encode().hex(), notify=tell if notify else "")
