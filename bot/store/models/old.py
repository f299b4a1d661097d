"""Tables of what is old: the folds of games, and what only releases before this one wrote."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models.base import Base


class FoldRow(Base):
    """The journal of a game that ended long ago, all of it in one row, see `bot.store.folds`."""

    __tablename__ = "folds"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    entries: Mapped[int]
    """How many entries it holds."""
    last_at: Mapped[int]
    """When the last of them was made."""
    digest: Mapped[str] = mapped_column(String(16))
    """`engine.digests` of the position it leads to, as it was when the game was folded."""
    journal: Mapped[bytes]
    folded_at: Mapped[int]


class RatingRow(Base):
    """Ratings of releases before boards, which still write them; nothing reads them any more."""

    __tablename__ = "ratings"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    games: Mapped[int]


class HeartbeatRow(Base):
    """When a bot of the release before leases last lived; one row, read once."""

    __tablename__ = "heartbeat"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at: Mapped[int]
