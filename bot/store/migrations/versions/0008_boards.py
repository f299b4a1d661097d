"""Ratings by game, variant, season and server, and what is needed to make them anew."""

import sqlalchemy as sa
from alembic import op

from bot.store import ratings, totals

revision = "0008"
down_revision = "0007"
only_adds = True
"""It fills what it has added; what older code settles meanwhile is rated at the next start."""


def upgrade() -> None:
    """Add the boards, and rate all results of before on them.

    A release without boards may go on settling for a while: what it adds has no `variant`. The index finds
    it, and is empty otherwise.
    """
    op.add_column("results", sa.Column("variant", sa.String(length=64), nullable=True))
    op.add_column("results", sa.Column("side", sa.BigInteger(), nullable=True))
    op.add_column("results", sa.Column("place", sa.BigInteger(), nullable=True))
    op.add_column("results", sa.Column("mu", sa.Double(), nullable=True))
    op.add_column("results", sa.Column("sigma", sa.Double(), nullable=True))
    op.create_table(
        "board_ratings",
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("variant", sa.String(length=64), nullable=False),
        sa.Column("season", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("sure", sa.Double(), nullable=False),
        sa.Column("games", sa.BigInteger(), nullable=False),
        sa.Column("wins", sa.BigInteger(), nullable=False),
        sa.Column("streak", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game", "variant", "season", "guild_id"),
    )
    op.create_table(
        "rivals",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("other_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("variant", sa.String(length=64), nullable=False),
        sa.Column("games", sa.BigInteger(), nullable=False),
        sa.Column("wins", sa.BigInteger(), nullable=False),
        sa.Column("losses", sa.BigInteger(), nullable=False),
        sa.Column("heat", sa.Double(), nullable=False),
        sa.Column("heat_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "other_id", "game", "variant"),
    )
    op.create_table(
        "voids",
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("target", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "target"),
    )
    op.create_index(
        "board_ratings_by_points",
        "board_ratings",
        [
            "game",
            "variant",
            "season",
            "guild_id",
            sa.text("sure DESC"),
            "user_id",
        ],
    )
    none = sa.text("variant IS NULL")
    op.create_index("results_not_rated", "results", ["game_id"], sqlite_where=none, postgresql_where=none)
    totals.catch_up(op.get_bind())
    ratings.catch_up(op.get_bind(), met=False)
