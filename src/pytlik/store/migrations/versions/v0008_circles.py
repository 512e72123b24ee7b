"""Circles: groups of people who play regularly, and the results of what they have played."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "circles",
        sa.Column("id", ID, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("doc", sa.LargeBinary, nullable=False),
        sa.Column("touched", sa.BigInteger, nullable=False),
    )
    op.create_index("circles_by_touched", "circles", ["touched"])
    op.create_table(
        "circle_results",
        sa.Column("id", ID, primary_key=True),
        sa.Column("played", ID, primary_key=True),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("doc", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("circle_results_by_ended", "circle_results", ["id", "ended", "played"])
