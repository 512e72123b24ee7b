"""The tables of the database, the same in SQLite and PostgreSQL."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

metadata = MetaData()

events = Table(
    "events",
    metadata,
    Column("match", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("event", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

commands = Table(
    "commands",
    metadata,
    Column("match", Text, primary_key=True),
    Column("command", Text, primary_key=True),
    Column("seq", Integer, nullable=False),
    sqlite_with_rowid=False,
)

secrets = Table(
    "secrets",
    metadata,
    Column("match", Text, primary_key=True),
    Column("secret", LargeBinary, nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("doc", LargeBinary, nullable=False),
    Column("phase", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("touched", BigInteger, nullable=False),
    Index("tables_by_phase", "phase", "touched"),
)

holders = Table(
    "holders",
    metadata,
    Column("holder", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Index("holders_by_table", "id"),
)

deadlines = Table(
    "deadlines",
    metadata,
    Column("match", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("due", BigInteger, nullable=False),
    Index("deadlines_by_due", "due"),
)

beats = Table(
    "beats",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)
