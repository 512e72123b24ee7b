"""Where people can be notified, and the key that the server signs notifications with."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "subscriptions",
        sa.Column("endpoint", ID, primary_key=True),
        sa.Column("holder", ID, nullable=False),
        sa.Column("p256dh", sa.Text, nullable=False),
        sa.Column("auth", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("subscriptions_by_holder", "subscriptions", ["holder"])
    op.create_index("subscriptions_by_at", "subscriptions", ["at"])
    op.create_table(
        "server_keys",
        sa.Column("name", ID, primary_key=True),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
