"""The log, the tables, and what is due."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("match", ID, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("event", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "commands",
        sa.Column("match", ID, primary_key=True),
        sa.Column("command", ID, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "secrets",
        sa.Column("match", ID, primary_key=True),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tables",
        sa.Column("id", ID, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("doc", sa.LargeBinary, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("touched", sa.BigInteger, nullable=False),
    )
    op.create_index("tables_by_phase", "tables", ["phase", "listed", "touched"])
    op.create_index("tables_by_touched", "tables", ["touched"])
    op.create_table(
        "holders",
        sa.Column("holder", ID, primary_key=True),
        sa.Column("id", ID, primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("holders_by_table", "holders", ["id"])
    op.create_table(
        "deadlines",
        sa.Column("match", ID, primary_key=True),
        sa.Column("kind", ID, primary_key=True),
        sa.Column("due", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("deadlines_by_due", "deadlines", ["due"])
    op.create_table(
        "beats",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
