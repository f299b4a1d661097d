"""The roles in which seats played a game, and which decisions one press made."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add what is None for all that was stored before."""
    op.add_column("results", sa.Column("role", sa.String(32), nullable=True))
    op.add_column("entries", sa.Column("press", sa.BigInteger(), nullable=True))
