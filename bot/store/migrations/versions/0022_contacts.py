"""Blocks, and pauses between the requests that one person makes to another."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
only_adds = True


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "blocks",
        sa.Column("blocker_id", sa.BigInteger(), autoincrement=False, primary_key=True),
        sa.Column("blocked_id", sa.BigInteger(), autoincrement=False, primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("blocks_by_blocked", "blocks", ["blocked_id"])
    op.create_table(
        "requests",
        sa.Column("asker_id", sa.BigInteger(), autoincrement=False, primary_key=True),
        sa.Column("asked_id", sa.BigInteger(), autoincrement=False, primary_key=True),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
    )
    op.create_index("requests_by_asked", "requests", ["asked_id"])
    op.create_index("requests_by_end", "requests", ["until"])
