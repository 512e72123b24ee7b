"""Commits as single statements of PostgreSQL.

A statement is one trip to the server and a transaction of its own, over as soon as it is done: a
worker that freezes, wherever it does, holds no lock that others wait for.
"""

from typing import Any, assert_never

from pytlik.store import (
    GONE,
    Append,
    Beat,
    Come,
    DropTable,
    DropWorker,
    Go,
    MoveDeadline,
    PutSecret,
    PutTable,
    SetDeadlines,
    Write,
)

CHANNEL = "pytlik"
"""Where workers listen: "id number" for each match that has grown and each table that changed."""


class Statement:
    """The parts of a WITH, and the values that they name by number. The text depends only on what
    kinds of writes there are, so that each is prepared once."""

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

    def add(self, name: str, sql: str) -> None:
        self._parts.append(f"{name} AS {sql}")

    def answer(self, sql: str) -> None:
        self._answers.append(sql)

    @property
    def text(self) -> str:
        return f"WITH {', '.join(self._parts)} SELECT {', '.join(self._answers)}"


class Sorted:
    """The writes of a commit by what they are about, where one statement can do them all: it may
    not change a row twice, and what may be refused can't be refused after something else was
    done. `whole` says whether it can."""

    def __init__(self, writes: tuple[Write, ...]) -> None:
        self.whole = True
        self.only: dict[str, Any] = {}
        self.secrets: list[tuple[str, bytes]] = []
        self.due: dict[tuple[str, str], int | None] = {}
        self.moved: dict[tuple[str, str], tuple[int, int | None]] = {}
        self.here: dict[tuple[str, str, str], Come | None] = {}
        for write in writes:
            self._sort(write)
        refusable = self.only.keys() & {"PutTable", "DropWorker"}
        if len(refusable) > 1 or self.due.keys() & self.moved.keys():
            self.whole = False

    def _sort(self, write: Write) -> None:
        match write:
            case Append() | PutTable() | DropWorker() | Beat():
                name = type(write).__name__
                self.whole &= name not in self.only
                self.only[name] = write
            case PutSecret(match, secret):
                self.secrets.append((match, secret))
            case SetDeadlines(match, due):
                self.due.update({(match, kind): at for kind, at in due.items()})
            case MoveDeadline(match, kind, due, to):
                self.whole &= (match, kind) not in self.moved
                self.moved[match, kind] = due, to
            case Come(id, holder, worker, _):
                self.here[id, holder, worker] = write
            case Go(id, holder, worker):
                self.here[id, holder, worker] = None
            case DropTable():
                self.whole = False
            case _:
                assert_never(write)


def commit_statement(*writes: Write, notify: bool) -> Statement | None:
    """One statement for all writes, which answers whether they were done, and with which seq the
    command was done before; None if it takes more than one."""
    asked = Sorted(writes)
    if not asked.whole:
        return None
    statement = Statement()
    add_gate(statement, asked.only)
    if append := asked.only.get("Append"):
        add_events(statement, append)
    if put := asked.only.get("PutTable"):
        add_holders(statement, put)
    if beat := asked.only.get("Beat"):
        add_beat(statement, beat)
    if asked.secrets:
        rows = statement.rows("text bytea", asked.secrets)
        statement.add(
            "kept_secrets", f"(INSERT INTO secrets SELECT new.* FROM gate, {rows} AS new)"
        )
    add_deadlines(statement, asked)
    add_presence(statement, asked.here)
    if notify:
        for write in writes:
            add_notification(statement, write)
    return statement


def add_gate(statement: Statement, only: dict[str, Any]) -> None:
    """What decides whether all is done or nothing: it has a row, or it has none."""
    value = statement.value
    allowed, done = "true", "NULL"
    append: Append | None = only.get("Append")
    put: PutTable | None = only.get("PutTable")
    if append:
        match = value("text", append.match)
        seq = value("int", append.seq)
        # The log has just the length that was expected, and the command is new.
        allowed = f"coalesce((SELECT max(seq) FROM events WHERE match = {match}), 0) = {seq}"
        if append.command is not None:
            command = value("text", append.command)
            statement.add(
                "done",
                "MATERIALIZED"
                f" (SELECT seq FROM commands WHERE match = {match} AND command = {command})",
            )
            allowed += " AND NOT EXISTS (SELECT FROM done)"
            done = "(SELECT seq FROM done)"
        if append.seq and not (put and append.match.rpartition(".")[0] == put.id):
            # Whoever drops the table locks this row first. So either the drop waits for this
            # statement and sees what it adds, or this waits and finds that the row is gone; in
            # neither case the end of a log is left behind. A change of the table has its own lock.
            statement.add(
                "first",
                "MATERIALIZED"
                f" (SELECT FROM events WHERE match = {match} AND seq = 1 FOR KEY SHARE)",
            )
            allowed += " AND EXISTS (SELECT FROM first)"
    if put:
        statement.add("gate", put_table(statement, put, allowed))
    elif drop := only.get("DropWorker"):
        worker, at = value("text", drop.worker), value("bigint", drop.at)
        statement.add(
            "gate",
            f"(DELETE FROM workers WHERE worker = {worker} AND at = {at} AND {allowed}"
            " RETURNING worker)",
        )
    else:
        statement.add("gate", f"MATERIALIZED (SELECT WHERE {allowed})")
    statement.answer("EXISTS (SELECT FROM gate)")
    statement.answer(done)


def put_table(statement: Statement, put: PutTable, allowed: str) -> str:
    value = statement.value
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


def add_events(statement: Statement, append: Append) -> None:
    value = statement.value
    match, seq = value("text", append.match), value("int", append.seq)
    events = value("bytea[]", append.events)
    statement.add(
        "added",
        f"(INSERT INTO events (match, seq, event) SELECT {match}, {seq} + number, event"
        f" FROM gate, unnest({events}) WITH ORDINALITY AS new (event, number))",
    )
    if append.command is not None:
        command = value("text", append.command)
        reached = value("int", append.seq + len(append.events))
        statement.add(
            "said", f"(INSERT INTO commands SELECT {match}, {command}, {reached} FROM gate)"
        )


def add_holders(statement: Statement, put: PutTable) -> None:
    id = statement.value("text", put.id)
    holders = statement.value("text[]", put.holders)
    if put.version:
        statement.add(
            "former_holders",
            f"(DELETE FROM holders USING gate"
            f" WHERE holders.id = {id} AND holder <> ALL({holders}))",
        )
    statement.add(
        "new_holders",
        f"(INSERT INTO holders SELECT DISTINCT new, {id} FROM gate, unnest({holders}) AS new"
        " ON CONFLICT DO NOTHING)",
    )


def add_beat(statement: Statement, beat: Beat) -> None:
    at = statement.value("bigint", beat.at)
    upsert = "DO UPDATE SET at = excluded.at"
    statement.add(
        "server_beat", f"(INSERT INTO beats SELECT 1, {at} FROM gate ON CONFLICT (id) {upsert})"
    )
    if beat.worker is not None:
        worker = statement.value("text", beat.worker)
        statement.add(
            "worker_beat",
            f"(INSERT INTO workers SELECT {worker}, {at} FROM gate ON CONFLICT (worker) {upsert})",
        )


def add_deadlines(statement: Statement, asked: Sorted) -> None:
    gone: list[tuple[Any, ...]] = [key for key, due in asked.due.items() if due is None]
    if gone:
        rows = statement.rows("text text", gone)
        statement.add(
            "former_deadlines",
            f"(DELETE FROM deadlines USING gate, {rows} AS old (match, kind)"
            " WHERE deadlines.match = old.match AND deadlines.kind = old.kind)",
        )
    kept = [(*key, due) for key, due in asked.due.items() if due is not None]
    if kept:
        rows = statement.rows("text text bigint", kept)
        statement.add(
            "new_deadlines",
            f"(INSERT INTO deadlines SELECT new.* FROM gate, {rows} AS new"
            " ON CONFLICT (match, kind) DO UPDATE SET due = excluded.due)",
        )
    same = "deadlines.match = old.match AND deadlines.kind = old.kind AND deadlines.due = old.due"
    done = [(*key, due) for key, (due, to) in asked.moved.items() if to is None]
    if done:
        rows = statement.rows("text text bigint", done)
        statement.add(
            "done_deadlines",
            f"(DELETE FROM deadlines USING gate, {rows} AS old (match, kind, due) WHERE {same})",
        )
    moved = [(*key, due, to) for key, (due, to) in asked.moved.items() if to is not None]
    if moved:
        rows = statement.rows("text text bigint bigint", moved)
        statement.add(
            "moved_deadlines",
            f"(UPDATE deadlines SET due = old.later FROM gate, {rows} AS old"
            f" (match, kind, due, later) WHERE {same})",
        )


def add_presence(statement: Statement, here: dict[tuple[str, str, str], Come | None]) -> None:
    came: list[tuple[Any, ...]] = [(*key, come.lag) for key, come in here.items() if come]
    if came:
        rows = statement.rows("text text text int", came)
        statement.add(
            "came",
            f"(INSERT INTO presence SELECT new.* FROM gate, {rows} AS new"
            " ON CONFLICT (id, holder, worker) DO UPDATE SET lag = excluded.lag)",
        )
    left: list[tuple[Any, ...]] = [key for key, come in here.items() if not come]
    if left:
        rows = statement.rows("text text text", left)
        statement.add(
            "went",
            f"(DELETE FROM presence USING gate, {rows} AS old (id, holder, worker)"
            " WHERE presence.id = old.id AND presence.holder = old.holder"
            " AND presence.worker = old.worker)",
        )


def add_notification(statement: Statement, write: Write) -> None:
    """Heard when, and only if, it commits; and in the order of the commits."""
    if isinstance(write, Append):
        news = f"{write.match} {write.seq + len(write.events)}"
    elif isinstance(write, PutTable):
        news = f"{write.id} {write.version + 1}"
    else:
        return
    payload = statement.value("text", news)
    statement.answer(
        f"CASE WHEN EXISTS (SELECT FROM gate) THEN pg_notify('{CHANNEL}', {payload})::text END"
    )


DROP_TABLE = """
DO $drop$
DECLARE
    gone text := convert_from(decode('{id}', 'hex'), 'UTF8');
    lower_end text := gone || '.';
    upper_end text := gone || '/';  -- what comes after "."
BEGIN
    -- Waits for whoever changes the table, and refuses who comes later.
    DELETE FROM tables WHERE id = gone;
    -- Waits for whoever appends to its matches, and lets who comes later wait for this.
    PERFORM FROM events WHERE match >= lower_end AND match < upper_end AND seq = 1 FOR UPDATE;
    -- Each statement sees what was committed before it: so also what was just waited for.
    LOOP
        DELETE FROM events WHERE match >= lower_end AND match < upper_end;
        EXIT WHEN NOT FOUND;
    END LOOP;
    DELETE FROM commands WHERE match >= lower_end AND match < upper_end;
    DELETE FROM secrets WHERE match >= lower_end AND match < upper_end;
    DELETE FROM deadlines WHERE match >= lower_end AND match < upper_end;
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
