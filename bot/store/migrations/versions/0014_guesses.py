"""Guesses: who wins, as those who watch have said."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "guesses",
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("side", sa.BigInteger(), nullable=False),
        sa.Column("right", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "user_id"),
    )
    op.create_index("guesses_by_user", "guesses", ["user_id"])
