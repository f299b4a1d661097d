"""Indexes for queries that read everything a person, a server or the bot ever had."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
only_adds = True

LONGER = (
    ("seats_by_user", "seats", ["user_id", "game_id"]),
    ("results_by_user", "results", ["user_id", "game", "ended_at", "game_id"]),
)
"""Indexes that get more columns."""


def upgrade() -> None:
    """Mark the seats of closed games, which takes some 2 µs each, and make the indexes.

    An older release closes games without marking their seats. Those are read and left out by their phase.
    """
    op.add_column("seats", sa.Column("closed", sa.BigInteger(), server_default="0", nullable=False))
    op.execute(
        "UPDATE seats SET closed = 1 WHERE game_id IN "
        "(SELECT id FROM games WHERE phase IN ('over', 'cancelled'))"
    )
    for name, table, columns in LONGER:
        op.drop_index(name, table)
        op.create_index(name, table, columns)
    here = sa.text("closed = 0")
    op.create_index("seats_open", "seats", ["user_id", "game_id"], sqlite_where=here, postgresql_where=here)
    open_ = sa.text("ended_at IS NULL")
    for place in ("channel", "guild"):
        columns = [f"{place}_id", "asleep_at"]
        op.create_index(
            f"games_open_by_{place}", "games", columns, sqlite_where=open_, postgresql_where=open_
        )
    op.create_index("results_by_end", "results", ["user_id", "ended_at", "game_id"])
    op.create_index("rivals_by_games", "rivals", ["user_id", sa.text("games DESC"), "other_id"])
    op.create_index("tournaments_by_guild", "tournaments", ["guild_id", "phase", "ended_at"])
    op.create_index("tournaments_by_end", "tournaments", ["ended_at"])
