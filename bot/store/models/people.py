"""The tables of what people, channels and servers have chosen."""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models.base import Base, Identity


class PlayerRow(Base):
    """A person who has sat at a table: the name last seen, and what they prefer."""

    __tablename__ = "players"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(64))
    prefs: Mapped[dict[str, object]]
    seen_at: Mapped[int]


class SettingRow(Base):
    """One setting of a server, a channel or a person."""

    __tablename__ = "settings"

    scope: Mapped[str] = mapped_column(String(16), primary_key=True)
    scope_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    value: Mapped[dict[str, object]]


class SeekerRow(Base):
    """Somebody who wants to be called when people are sought in a server."""

    __tablename__ = "seekers"
    __table_args__ = (Index("seekers_by_user", "user_id"),)

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    since: Mapped[int]


class HouseRulesRow(Base):
    """Options of a game, saved under a name for a channel; a table that plays by them has its own copy."""

    __tablename__ = "house_rules"
    __table_args__ = (
        Index("house_rules_by_name", "channel_id", "game", "folded", unique=True),
        Index("house_rules_by_person", "saved_by"),
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True, autoincrement=True)
    guild_id: Mapped[int | None]
    channel_id: Mapped[int]
    """The channel; that of a thread is the one it belongs to."""
    game: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(64))
    folded: Mapped[str] = mapped_column(String(128))
    """The name as it is compared: whether letters are large or small makes no difference."""
    options: Mapped[dict[str, object]]
    saved_by: Mapped[int]
    saved_at: Mapped[int]
