"""Which workers run, and who is connected to each."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "workers",
        sa.Column("worker", ID, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "presence",
        sa.Column("id", ID, primary_key=True),
        sa.Column("holder", ID, primary_key=True),
        sa.Column("worker", ID, primary_key=True),
        sa.Column("lag", sa.Integer),
        sqlite_with_rowid=False,
    )
    op.create_index("presence_by_worker", "presence", ["worker", "id"])
