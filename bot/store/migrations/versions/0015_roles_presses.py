"""The roles in which seats played a game, which decisions one press made, the house rules of evenings."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add what is None for all that was stored before."""
    op.add_column("results", sa.Column("role", sa.String(32), nullable=True))
    op.add_column("entries", sa.Column("press", sa.BigInteger(), nullable=True))
    op.add_column("nights", sa.Column("rules", sa.JSON(), nullable=True))
