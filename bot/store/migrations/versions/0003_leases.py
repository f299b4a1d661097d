"""The lease of the process that may write, and what a table needs to be left alone in the database.

Tables that an earlier release had set aside come back: they rest, and are tried again at each start.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
only_adds = True
"""What it changes in rows is a phase that the release before reads as well."""

NUMBERS = ("revision", "edition", "shown", "touched_at", "asleep_at")


def upgrade() -> None:
    """Add the lease and the columns; wake what was set aside."""
    op.create_table(
        "leases",
        sa.Column("part", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("holder", sa.String(length=128), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("part"),
    )
    for name in NUMBERS:
        op.add_column("games", sa.Column(name, sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("games", sa.Column("resting", sa.Text(), server_default=sa.text("''"), nullable=False))
    op.execute("UPDATE games SET touched_at = created_at")
    op.execute(
        "UPDATE games SET resting = 'rules', why = '', phase = CASE WHEN EXISTS "
        "(SELECT 1 FROM clocks WHERE clocks.game_id = games.id AND clocks.kind = 'lobby') "
        "THEN 'lobby' ELSE 'live' END WHERE phase = 'aside'"
    )
    op.create_index("games_by_guild", "games", ["guild_id", "phase"])
    for name, columns, where in (
        ("games_awake", ["phase", "touched_at"], sa.text("asleep_at = 0")),
        ("games_asleep", ["why", "asleep_at"], sa.text("asleep_at > 0")),
        ("games_resting", ["id"], sa.text("resting <> ''")),
    ):
        op.create_index(name, "games", columns, sqlite_where=where, postgresql_where=where)
    unshown = sa.text("edition <> shown")
    op.create_index("games_unshown", "games", ["id"], sqlite_where=unshown, postgresql_where=unshown)
