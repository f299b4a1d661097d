"""Names by server: how a person is called there, as the seats of their last game there tell."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
only_adds = True


def upgrade() -> None:
    """Add a table, and fill it from the seats of games: some 0.1 ms each."""
    op.create_table(
        "names",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, primary_key=True),
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("names_by_guild", "names", ["guild_id"])
    op.execute(
        "INSERT INTO names (user_id, guild_id, name, seen_at) "
        "SELECT seats.user_id, games.guild_id, seats.name, games.created_at FROM seats "
        "JOIN games ON games.id = seats.game_id "
        "JOIN (SELECT seats.user_id AS user_id, games.guild_id AS guild_id, max(seats.game_id) AS game_id "
        "FROM seats JOIN games ON games.id = seats.game_id "
        "WHERE seats.user_id > 0 AND games.guild_id IS NOT NULL GROUP BY seats.user_id, games.guild_id) last "
        "ON last.user_id = seats.user_id AND last.guild_id = games.guild_id AND last.game_id = seats.game_id "
        "WHERE seats.seat = (SELECT min(s.seat) FROM seats s "
        "WHERE s.game_id = seats.game_id AND s.user_id = seats.user_id)"
    )
