"""What people did in a finished game: who began, and which cards they played."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the columns; games that have ended before stay without."""
    op.add_column("results", sa.Column("began", sa.BigInteger(), nullable=True))
    op.add_column("results", sa.Column("cards", sa.JSON(), nullable=True))
