"""Rows of a match are keyed by the id of its table and its number there, not by both in one text.

Then a database can be spread over machines by the id.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

COLUMNS: dict[str, list[sa.Column[object]]] = {
    "events": [
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("event", sa.LargeBinary, nullable=False),
        sa.Column("actor", sa.Text),
    ],
    "commands": [
        sa.Column("command", ID, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
    ],
    "secrets": [sa.Column("secret", sa.LargeBinary, nullable=False)],
    "deadlines": [
        sa.Column("kind", ID, primary_key=True),
        sa.Column("due", sa.BigInteger, nullable=False),
    ],
}

SPLIT = {
    "sqlite": "substr(match, 1, instr(match, '.') - 1),"
    " CAST(substr(match, instr(match, '.') + 1) AS INTEGER)",
    "postgresql": "split_part(match, '.', 1), split_part(match, '.', 2)::int",
}


def upgrade() -> None:
    dialect = op.get_context().dialect.name
    split = SPLIT[dialect]
    op.drop_index("deadlines_by_due", "deadlines")
    for name, columns in COLUMNS.items():
        op.rename_table(name, f"old_{name}")
        if dialect == "postgresql":
            op.execute(f"ALTER INDEX {name}_pkey RENAME TO old_{name}_pkey")
        op.create_table(
            name,
            sa.Column("id", ID, primary_key=True),
            sa.Column("match", sa.Integer, primary_key=True, autoincrement=False),
            *columns,
            sqlite_with_rowid=False,
        )
        others = ", ".join(column.name for column in columns)
        op.execute(
            f"INSERT INTO {name} (id, match, {others}) SELECT {split}, {others} FROM old_{name}"
        )
        op.drop_table(f"old_{name}")
    op.create_index("deadlines_by_due", "deadlines", ["due"])
