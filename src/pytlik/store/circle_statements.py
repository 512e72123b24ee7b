"""Changes to circles: one statement in PostgreSQL, several in a transaction of SQLite."""

from typing import Any

from pytlik.store.circle_writes import CircleWrite, PutCircle

# The values are the fields of `PutCircle` and `DeleteCircle`, in order. Changing the circle's own
# row locks everything that belongs to it.
POSTGRES_PUT_CIRCLE = """
WITH made AS (
    INSERT INTO circles (id, version, doc, touched) SELECT $1::text, 1, $3::bytea, $4::bigint
    WHERE $2::int = 0 ON CONFLICT DO NOTHING RETURNING id),
changed AS (
    UPDATE circles SET version = $2 + 1, doc = $3, touched = $4
    WHERE id = $1 AND version = $2 AND $2 > 0 RETURNING id),
gate AS (SELECT id FROM made UNION ALL SELECT id FROM changed),
former_holders AS (
    DELETE FROM holders USING gate WHERE holders.id = gate.id AND holder <> ALL($5::text[])),
new_holders AS (
    INSERT INTO holders (holder, id) SELECT DISTINCT new, gate.id
    FROM gate, unnest($5::text[]) AS new ON CONFLICT DO NOTHING),
old_results AS (
    DELETE FROM circle_results USING gate
    WHERE circle_results.id = gate.id AND $6::text IS NOT NULL AND played NOT IN (
        SELECT played FROM circle_results WHERE id = $1
        ORDER BY ended DESC, played DESC LIMIT $9::int - 1)),
new_result AS (
    INSERT INTO circle_results (id, played, ended, doc)
    SELECT gate.id, $6, $7::bigint, $8::bytea FROM gate WHERE $6 IS NOT NULL)
SELECT EXISTS (SELECT FROM gate), NULL
"""

POSTGRES_DELETE_CIRCLE = """
WITH gate AS (DELETE FROM circles WHERE id = $1 AND version = $2 RETURNING id),
results AS (DELETE FROM circle_results USING gate WHERE circle_results.id = gate.id),
former_holders AS (DELETE FROM holders USING gate WHERE holders.id = gate.id)
SELECT EXISTS (SELECT FROM gate), NULL
"""

SQLITE_INSERT_CIRCLE = """
INSERT INTO circles (id, version, doc, touched) VALUES ($1, $2 + 1, $3, $4) ON CONFLICT DO NOTHING
"""
SQLITE_UPDATE_CIRCLE = """
UPDATE circles SET version = $2 + 1, doc = $3, touched = $4 WHERE id = $1 AND version = $2
"""
SQLITE_DELETE_FORMER_HOLDERS = """
DELETE FROM holders WHERE id = $1 AND holder NOT IN (SELECT value FROM json_each($2))
"""
SQLITE_INSERT_NEW_HOLDERS = """
INSERT INTO holders (holder, id) SELECT DISTINCT value, $1 FROM json_each($2) WHERE true
ON CONFLICT DO NOTHING
"""
SQLITE_DELETE_OLD_RESULTS = """
DELETE FROM circle_results WHERE id = $1 AND played NOT IN (
    SELECT played FROM circle_results WHERE id = $1
    ORDER BY ended DESC, played DESC LIMIT $2 - 1)
"""
SQLITE_INSERT_RESULT = """
INSERT INTO circle_results (id, played, ended, doc) VALUES ($1, $2, $3, $4)
"""

Statement = tuple[str, tuple[Any, ...]]


def sqlite_circle_statements(write: CircleWrite) -> list[Statement]:
    """Statements and their values; `$1` is the first. If the first one changes nothing, there is a
    conflict."""
    id, version = write.id, write.version
    if not isinstance(write, PutCircle):
        return [
            ("DELETE FROM circles WHERE id = $1 AND version = $2", (id, version)),
            ("DELETE FROM circle_results WHERE id = $1", (id,)),
            ("DELETE FROM holders WHERE id = $1", (id,)),
        ]
    put = SQLITE_UPDATE_CIRCLE if version else SQLITE_INSERT_CIRCLE
    holders = list(write.holders)
    statements: list[Statement] = [
        (put, (id, version, write.doc, write.touched)),
        (SQLITE_DELETE_FORMER_HOLDERS, (id, holders)),
        (SQLITE_INSERT_NEW_HOLDERS, (id, holders)),
    ]
    if write.played is not None:
        statements += [
            (SQLITE_DELETE_OLD_RESULTS, (id, write.most)),
            (SQLITE_INSERT_RESULT, (id, write.played, write.ended, write.result)),
        ]
    return statements
