"""States of long matches, beside their secrets."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("secrets", sa.Column("state_seq", sa.Integer))
    op.add_column("secrets", sa.Column("state_version", sa.Text))
    op.add_column("secrets", sa.Column("state", sa.LargeBinary))
