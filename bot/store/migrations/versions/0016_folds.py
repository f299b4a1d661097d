"""Folds: the journals of games that ended long ago, each in one row; and what retention looks rows up by."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table, and note that no game is folded yet."""
    op.create_table(
        "folds",
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("entries", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(length=16), nullable=False),
        sa.Column("journal", sa.LargeBinary(), nullable=False),
        sa.Column("folded_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id"),
    )
    op.add_column("games", sa.Column("folded", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_index(
        "games_to_fold",
        "games",
        ["phase", "ended_at"],
        sqlite_where=sa.text("folded = 0"),
        postgresql_where=sa.text("folded = 0"),
    )
    op.create_index(
        "nights_past",
        "nights",
        ["starts_at"],
        sqlite_where=sa.text("phase <> 'planned'"),
        postgresql_where=sa.text("phase <> 'planned'"),
    )
    op.create_index("matches_by_game", "matches", ["game_id"])
