"""Limits that outlive a deletion, and the indexes by which a deletion finds its rows."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the table, the column for earlier meetings, and the indexes."""
    op.create_table(
        "kept_limits",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=128), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_index("kept_limits_by_kind", "kept_limits", ["kind", "subject"])
    op.create_index("kept_limits_by_end", "kept_limits", ["until"])
    op.add_column("results", sa.Column("met", sa.JSON(), nullable=True))
    op.create_index("rivals_by_other", "rivals", ["other_id"])
    op.create_index("entrants_by_user", "entrants", ["user_id"])
    op.create_index("tournaments_by_host", "tournaments", ["host_id"])
