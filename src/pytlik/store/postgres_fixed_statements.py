"""Writes whose statement always has the same text: appends, guesses, tokens, deleted tables,
circles."""

from typing import Any

from pytlik.bus_messages import CHANNEL, MAX_PAYLOAD_BYTES, format_bus_message
from pytlik.store.circle_statements import POSTGRES_DELETE_CIRCLE, POSTGRES_PUT_CIRCLE
from pytlik.store.circle_writes import DeleteCircle, PutCircle
from pytlik.store.postgres_statement import Statement
from pytlik.store.writes import (
    DELETED_TABLE_VERSION,
    Append,
    DeleteOldGuesses,
    GiveBackGuess,
    PutState,
    TakeGuess,
    TokenSeen,
    UpdateTrackedTokens,
    Write,
    split_match,
)

# An action, the most frequent commit: the events are inserted if the log has exactly the expected
# length and the command is new, and the rest only if they were. `add_precondition_gate` in
# `postgres_commit_statement` explains what `first` is for.
APPEND_TEMPLATE = """
WITH done AS MATERIALIZED (
    SELECT seq FROM commands WHERE id = $1 AND match = $2 AND command = $5),
first AS MATERIALIZED (
    SELECT FROM events WHERE id = $1 AND match = $2 AND seq = 1 FOR KEY SHARE),
added AS (
    INSERT INTO events (id, match, seq, event, actor, awaited)
    SELECT $1, $2, $3 + number, event, $9, $10
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
APPEND_WITHOUT_NOTIFY = APPEND_TEMPLATE.format(notify="")
APPEND_AND_NOTIFY = APPEND_TEMPLATE.format(
    notify=f", CASE WHEN seq > 0 THEN pg_notify('{CHANNEL}', $11)::text END"
)


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
        append.awaited_text,
    ]
    if not notify:
        return Statement(APPEND_WITHOUT_NOTIFY, values)
    return Statement(APPEND_AND_NOTIFY, [*values, bus_message_for(append)])


def bus_message_for(append: Append, max_bytes: int = MAX_PAYLOAD_BYTES) -> str:
    reached = append.seq + len(append.events)
    return format_bus_message(append.match, reached, append.events, max_bytes)


REMAINING_GUESSES = "least($2, guesses.remaining + greatest(0, $4 - guesses.at) * $3 / 1000.0)"

TAKE_GUESS = f"""
WITH taken AS (
    INSERT INTO guesses (key, remaining, at) VALUES ($1, $2::float - 1, $4::bigint)
    ON CONFLICT (key) DO UPDATE
    SET remaining = {REMAINING_GUESSES} - 1, at = greatest(guesses.at, $4)
    WHERE {REMAINING_GUESSES} >= 1
    RETURNING key)
SELECT EXISTS (SELECT FROM taken), NULL
""".replace("$3", "$3::float")

GIVE_BACK_GUESS = """
WITH gone AS (DELETE FROM guesses WHERE key = $1 AND remaining + 1 >= $2::float),
given_back AS (
    UPDATE guesses SET remaining = remaining + 1 WHERE key = $1 AND remaining + 1 < $2::float)
SELECT true, NULL
"""

DELETE_OLD_GUESSES = """
WITH gone AS (DELETE FROM guesses WHERE at < $1) SELECT true, NULL
"""

UPDATE_LAST_SEEN = """
WITH seen AS (UPDATE last_seen SET at = $2 WHERE holder = $1 AND at < $2) SELECT true, NULL
"""

UPDATE_TRACKED_TOKENS = """
WITH new AS (
    INSERT INTO last_seen (holder, at) SELECT DISTINCT holder, $1::bigint FROM holders
    WHERE NOT EXISTS (SELECT FROM last_seen WHERE last_seen.holder = holders.holder)
    ON CONFLICT DO NOTHING),
gone AS (
    DELETE FROM last_seen WHERE at < $2::bigint
    AND NOT EXISTS (SELECT FROM holders WHERE holders.holder = last_seen.holder))
SELECT true, NULL
"""


PUT_STATE = """
WITH saved AS (
    UPDATE secrets SET state_seq = $3, state_version = $4, state = $5
    WHERE id = $1 AND match = $2)
SELECT true, NULL
"""


FIXED_STATEMENTS: dict[type[Write], str] = {
    PutState: PUT_STATE,
    TakeGuess: TAKE_GUESS,
    GiveBackGuess: GIVE_BACK_GUESS,
    DeleteOldGuesses: DELETE_OLD_GUESSES,
    TokenSeen: UPDATE_LAST_SEEN,
    UpdateTrackedTokens: UPDATE_TRACKED_TOKENS,
    PutCircle: POSTGRES_PUT_CIRCLE,
    DeleteCircle: POSTGRES_DELETE_CIRCLE,
}
"""Statements whose values are the fields of a write, in order."""


DELETE_TABLE = """
DO $drop$
DECLARE
    gone text := convert_from(decode('{id}', 'hex'), 'UTF8');
BEGIN
    -- Waits for changes of the table, and refuses later ones.
    DELETE FROM tables WHERE id = gone;
    -- Waits for appends to its matches, and refuses later ones: all of them lock the
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


def delete_table_statement(id: str, *, notify: bool) -> str:
    """A block takes no values, so the id is written into it, in hexadecimal digits that can't be
    SQL."""
    tell = f"PERFORM pg_notify('{CHANNEL}', gone || ' {DELETED_TABLE_VERSION}');"
    return DELETE_TABLE.format(id=id.encode().hex(), notify=tell if notify else "")
