"""Snapshots of long games."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
only_adds = True
"""Code from before goes on: what it adds to a journal comes after the snapshot."""

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table; each game gets its first snapshot as it goes on."""
    op.create_table(
        "snapshots",
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("acts", sa.BigInteger(), nullable=False),
        sa.Column("decisions", sa.JSON(), nullable=False),
        sa.Column("position", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seq"),
    )
