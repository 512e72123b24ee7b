"""The tables of the database, the same in SQLite and PostgreSQL: the result of all migrations.

Everything that belongs to a table of players has its `id` in the primary key, so a database can be
distributed over many machines by that id, with all of a table on one of them. `match` is the number
of a match at its table. A circle and its results have an `id` of their own, which no table has.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

metadata = MetaData()

NOT_IN_BACKUPS = {"transient": True}
"""The `info` of tables and columns that aren't part of backups."""

# Compared byte by byte in both databases, so that an index finds all ids with a given beginning.
ID_TYPE = Text().with_variant(Text(collation="C"), "postgresql")

events = Table(
    "events",
    metadata,
    Column("id", ID_TYPE, primary_key=True),
    Column("match", Integer, primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("event", LargeBinary, nullable=False),
    Column("actor", Text),
    # The seats that can act once the event's append is done, so that lists needn't replay logs.
    Column("awaited", Text, info=NOT_IN_BACKUPS),
    sqlite_with_rowid=False,
)

commands = Table(
    "commands",
    metadata,
    Column("id", ID_TYPE, primary_key=True),
    Column("match", Integer, primary_key=True, autoincrement=False),
    Column("command", ID_TYPE, primary_key=True),
    Column("seq", Integer, nullable=False),
    sqlite_with_rowid=False,
)

secrets = Table(
    "secrets",
    metadata,
    Column("id", ID_TYPE, primary_key=True),
    Column("match", Integer, primary_key=True, autoincrement=False),
    Column("secret", LargeBinary, nullable=False),
    # A cache: the state of a long match after `state_seq` events (`match/saved_states.py`).
    Column("state_seq", Integer, info=NOT_IN_BACKUPS),
    Column("state_version", Text, info=NOT_IN_BACKUPS),
    Column("state", LargeBinary, info=NOT_IN_BACKUPS),
    sqlite_with_rowid=False,
)

tables = Table(
    "tables",
    metadata,
    Column("id", ID_TYPE, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("doc", LargeBinary, nullable=False),
    Column("phase", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("touched", BigInteger, nullable=False),
    Index("tables_by_phase", "phase", "listed", "touched"),
    Index("tables_by_touched", "touched"),
)

holders = Table(
    "holders",
    metadata,
    Column("holder", ID_TYPE, primary_key=True),
    Column("id", ID_TYPE, primary_key=True),
    Index("holders_by_table", "id"),
    sqlite_with_rowid=False,
)

deadlines = Table(
    "deadlines",
    metadata,
    Column("id", ID_TYPE, primary_key=True),
    Column("match", Integer, primary_key=True, autoincrement=False),
    Column("kind", ID_TYPE, primary_key=True),
    Column("due", BigInteger, nullable=False),
    Index("deadlines_by_due", "due"),
    sqlite_with_rowid=False,
)

circles = Table(
    "circles",
    metadata,
    Column("id", ID_TYPE, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("doc", LargeBinary, nullable=False),
    Column("touched", BigInteger, nullable=False),
    Index("circles_by_touched", "touched"),
)

circle_results = Table(
    "circle_results",
    metadata,
    Column("id", ID_TYPE, primary_key=True),
    Column("played", ID_TYPE, primary_key=True),
    Column("ended", BigInteger, nullable=False),
    Column("doc", LargeBinary, nullable=False),
    Index("circle_results_by_ended", "id", "ended", "played"),
    sqlite_with_rowid=False,
)

daily = Table(
    "daily",
    metadata,
    Column("day", ID_TYPE, primary_key=True),
    Column("game", ID_TYPE, primary_key=True),
    Column("board", ID_TYPE, primary_key=True),
    Column("holder", ID_TYPE, primary_key=True),
    Column("started", BigInteger, nullable=False),
    Column("name", Text),
    Column("pieces", Integer, nullable=False),
    Column("ms", BigInteger),
    Index("daily_by_holder", "holder"),
    Index(
        "daily_by_result",
        "day",
        "game",
        "board",
        "pieces",
        "ms",
        "name",  # so that places are counted in the index alone
        sqlite_where=text("name IS NOT NULL"),
        postgresql_where=text("name IS NOT NULL"),
    ),
    sqlite_with_rowid=False,
)

last_seen = Table(
    "last_seen",
    metadata,
    Column("holder", ID_TYPE, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index("last_seen_by_at", "at"),
    sqlite_with_rowid=False,
)

subscriptions = Table(
    "subscriptions",
    metadata,
    Column("endpoint", ID_TYPE, primary_key=True),
    Column("holder", ID_TYPE, nullable=False),
    Column("p256dh", Text, nullable=False),
    Column("auth", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("origin", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("subscriptions_by_holder", "holder"),
    Index("subscriptions_by_at", "at"),
    sqlite_with_rowid=False,
)

server_keys = Table(
    "server_keys",
    metadata,
    Column("name", ID_TYPE, primary_key=True),
    Column("key", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

# 0: whether the database can be written. 1: the last heartbeat. 2: the end of a long downtime.
beats = Table(
    "beats",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)

# Who is connected now, and who has guessed codes.

workers = Table(
    "workers",
    metadata,
    Column("worker", ID_TYPE, primary_key=True),
    Column("at", BigInteger, nullable=False),
    info=NOT_IN_BACKUPS,
    sqlite_with_rowid=False,
)

presence = Table(
    "presence",
    metadata,
    Column("id", ID_TYPE, primary_key=True),
    Column("holder", ID_TYPE, primary_key=True),
    Column("worker", ID_TYPE, primary_key=True),
    Column("lag", Integer),
    Index("presence_by_worker", "worker", "id"),
    info=NOT_IN_BACKUPS,
    sqlite_with_rowid=False,
)

guesses = Table(
    "guesses",
    metadata,
    Column("key", ID_TYPE, primary_key=True),
    Column("remaining", Float, nullable=False),
    Column("at", BigInteger, nullable=False),
    info=NOT_IN_BACKUPS,
    sqlite_with_rowid=False,
)
