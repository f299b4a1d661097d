"""The matches of tournaments step by step, and what their messages show."""

import time
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
only_adds = False
"""Code from before would run tournaments without their matches, and leave those behind."""

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the matches that go on, and fill in those of the tournaments that run."""
    for name in ("revision", "shown", "acted_at"):
        op.add_column("tournaments", sa.Column(name, sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("tournaments", sa.Column("why", sa.String(length=16), nullable=True))
    op.create_table(
        "matches",
        sa.Column("tournament_id", _KEY, nullable=False),
        sa.Column("key", sa.String(length=8), nullable=False),
        sa.Column("step", sa.String(length=8), nullable=False),
        sa.Column("thread_id", sa.BigInteger(), nullable=True),
        sa.Column("game_id", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("tournament_id", "key"),
    )
    connection = op.get_bind()
    cups = sa.table("tournaments", sa.column("id"), sa.column("phase"), sa.column("acted_at"))
    connection.execute(sa.update(cups).values(acted_at=int(time.time() * 1000)))
    _fill_in(connection)


def _fill_in(connection: sa.Connection) -> None:
    cups = sa.table(
        "tournaments",
        sa.column("id"),
        sa.column("phase"),
        sa.column("bracket", sa.JSON),
        sa.column("guild_id"),
    )
    games = sa.table(
        "games",
        *(sa.column(name) for name in ("id", "phase", "why", "channel_id", "message_id", "guild_id")),
        sa.column("terms", sa.JSON),
    )
    matches = sa.table(
        "matches",
        *(
            sa.column(name)
            for name in ("tournament_id", "key", "step", "thread_id", "game_id", "tries", "next_at")
        ),
    )
    for cup in connection.execute(sa.select(cups).where(cups.c.phase == "running")).all():
        query = sa.select(games).where(games.c.guild_id == cup.guild_id).order_by(games.c.id)
        of_match: dict[str, list[Any]] = {}
        for game in connection.execute(query):
            if (game.terms or {}).get("cup") == cup.id and _counts(game):
                of_match.setdefault(game.terms["match"], []).append(game)
        for key, tables in of_match.items():
            last, decided = tables[-1], _told(cup.bracket, key)
            if last.phase not in ("lobby", "live") and len(tables) <= decided:
                continue  # all that was played of it has been noted
            connection.execute(
                sa.insert(matches).values(
                    tournament_id=cup.id,
                    key=key,
                    step="called" if last.message_id is None else "stands",
                    thread_id=last.channel_id,
                    game_id=last.id,
                    tries=0,
                    next_at=0,
                )
            )


def _counts(game: Any) -> bool:
    """Whether this table goes on, or its end said how a match went."""
    return game.phase in ("lobby", "live", "over") or game.why in ("expired", "forfeit")


def _told(bracket: Any, key: str) -> int:
    """How often something was reported of a match."""
    return sum(1 for entry in (bracket or {}).get("log", ()) if list(entry)[1:2] == [key])
