"""When each token was last used, and how often somebody has guessed."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "last_seen",
        sa.Column("holder", ID, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("last_seen_by_at", "last_seen", ["at"])
    op.create_table(
        "guesses",
        sa.Column("key", ID, primary_key=True),
        sa.Column("remaining", sa.Float, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
