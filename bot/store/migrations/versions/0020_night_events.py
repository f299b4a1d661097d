"""The time of a night's scheduled event, if it is not the night's."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
only_adds = True


def upgrade() -> None:
    """Add a column, empty for all nights planned before: their events have their time."""
    op.add_column("nights", sa.Column("event_at", sa.BigInteger(), nullable=True))
