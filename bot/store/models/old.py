"""Tables for old data: the folds of games, and tables that only earlier releases write."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models.base import Base
from bot.store.models.column_privacy import impersonal, personal, privacy


@privacy(
    game_id=impersonal("a table whose game ended long ago", "given"),
    entries=impersonal("how many moves", "given"),
    last_at=impersonal("when the last one was made", "given"),
    digest=impersonal("by which the last position is proved"),
    journal=personal(
        "when over",
        "kept",
        "the moves, packed, as in entries; who made them stands in seats alone",
        "by hand",
    ),
    folded_at=impersonal("when that was done"),
)
class FoldRow(Base):
    """The journal of a game that ended long ago, packed into one row, see `bot.store.folds`."""

    __tablename__ = "folds"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    entries: Mapped[int]
    """Number of entries in the journal."""
    last_at: Mapped[int]
    """Time of the last entry."""
    digest: Mapped[str] = mapped_column(String(16))
    """`engine.digests` of the final position at the time of folding."""
    journal: Mapped[bytes]
    folded_at: Mapped[int]


@privacy(
    user_id=personal("own part", "removed", "whose rating", "owner"),
    guild_id=personal("given", "removed", "in which server, 0 for all"),
    game=personal("given", "removed", "in which game"),
    mu=personal("given", "removed", "the rating"),
    sigma=personal("given", "removed", "how sure it is"),
    games=personal("given", "removed", "how many games"),
)
class RatingRow(Base):
    """Ratings of releases before boards, which still write them; no longer read."""

    __tablename__ = "ratings"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    games: Mapped[int]


@privacy(
    id=impersonal("always 1"),
    at=impersonal("when an older version last lived"),
)
class HeartbeatRow(Base):
    """Heartbeat of the last release without leases; a single row, read once."""

    __tablename__ = "heartbeat"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at: Mapped[int]
