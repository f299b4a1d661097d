"""Reviews of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table; a game gets its reviews as they are asked for."""
    op.create_table(
        "reviews",
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("seat", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seat"),
    )
