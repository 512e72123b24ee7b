"""The boards of the day as rows, in place of one document for each day."""

import sqlalchemy as sa
from alembic import op

from pytlik.store.old_daily_documents import rows_of_day

revision = "0004"
down_revision = "0003"

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    daily = op.create_table(
        "daily",
        sa.Column("day", ID, primary_key=True),
        sa.Column("game", ID, primary_key=True),
        sa.Column("board", ID, primary_key=True),
        sa.Column("holder", ID, primary_key=True),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("pieces", sa.Integer, nullable=False),
        sa.Column("ms", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_index("daily_by_holder", "daily", ["holder"])
    op.create_index(
        "daily_by_result",
        "daily",
        ["day", "game", "board", "pieces", "ms", "name"],
        sqlite_where=sa.text("name IS NOT NULL"),
        postgresql_where=sa.text("name IS NOT NULL"),
    )
    tables = sa.table("tables", sa.column("id", sa.Text), sa.column("doc", sa.LargeBinary))
    connection = op.get_bind()
    is_daily = tables.c.id.like("daily-%")
    for id, doc in connection.execute(sa.select(tables.c.id, tables.c.doc).where(is_daily)):
        rows = rows_of_day(id, doc)
        if rows:
            connection.execute(
                daily.insert(), [dict(zip(daily.c.keys(), row, strict=True)) for row in rows]
            )
    connection.execute(tables.delete().where(is_daily))
