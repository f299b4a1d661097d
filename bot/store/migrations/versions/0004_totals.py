"""Totals of people, kept where games are settled."""

import sqlalchemy as sa
from alembic import op

from bot.store import totals

revision = "0004"
down_revision = "0003"
only_adds = True
"""It fills what it has added."""


def upgrade() -> None:
    """Add the totals, fill them from the results, and mark those as counted.

    A release without totals may go on settling for a while: what it adds has no `won`, and is counted at
    the next start. The index finds it, and is empty otherwise.
    """
    op.add_column("results", sa.Column("won", sa.BigInteger(), nullable=True))
    op.create_table(
        "totals",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("games", sa.BigInteger(), nullable=False),
        sa.Column("wins", sa.BigInteger(), nullable=False),
        sa.Column("hands", sa.BigInteger(), nullable=False),
        sa.Column("practice", sa.BigInteger(), nullable=False),
        sa.Column("practice_wins", sa.BigInteger(), nullable=False),
        sa.Column("streak", sa.BigInteger(), nullable=False),
        sa.Column("best_streak", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.Column("last_game", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "guild_id", "game"),
    )
    totals.recount(op.get_bind())
    some = sa.text("games > 0")
    op.create_index(
        "totals_by_wins",
        "totals",
        ["game", "guild_id", sa.text("wins DESC"), "games", "user_id"],
        sqlite_where=some,
        postgresql_where=some,
    )
    none = sa.text("won IS NULL")
    op.create_index("results_not_counted", "results", ["game_id"], sqlite_where=none, postgresql_where=none)
