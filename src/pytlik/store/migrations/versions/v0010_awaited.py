"""Who can act, stored beside the events."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("events", sa.Column("awaited", sa.Text))
