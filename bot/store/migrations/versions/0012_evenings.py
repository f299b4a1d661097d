"""Who wants to be called when people are sought, and evenings planned ahead."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "seekers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id"),
    )
    op.create_index("seekers_by_user", "seekers", ["user_id"])
    op.create_table(
        "nights",
        sa.Column("id", _KEY, autoincrement=True, nullable=False),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("seats", sa.BigInteger(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("event_id", sa.BigInteger(), nullable=True),
        sa.Column("game_id", sa.BigInteger(), nullable=True),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("nights_by_guild", "nights", ["guild_id", "phase", "starts_at"])
    op.create_index("nights_by_host", "nights", ["host_id", "phase"])
    op.create_table(
        "night_answers",
        sa.Column("night_id", _KEY, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.String(length=8), nullable=False),
        sa.Column("entropy", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["night_id"], ["nights.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("night_id", "user_id"),
    )
    op.create_index("night_answers_by_user", "night_answers", ["user_id"])
    op.create_table(
        "night_calls",
        sa.Column("night_id", _KEY, nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["night_id"], ["nights.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("night_id", "kind"),
    )
    op.create_index("night_calls_by_due", "night_calls", ["due_at"])
