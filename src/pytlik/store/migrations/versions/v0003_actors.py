"""Who caused each event."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("events", sa.Column("actor", sa.Text))
