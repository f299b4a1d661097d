"""The tables of tournaments and nights."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models.base import Base, Identity


class TournamentRow(Base):
    """A tournament: what is played, who organises it, and its bracket as JSON once it has begun."""

    __tablename__ = "tournaments"
    __table_args__ = (Index("tournaments_by_phase", "phase"),)

    id: Mapped[int] = mapped_column(Identity, primary_key=True, autoincrement=True)
    phase: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(64))
    game: Mapped[str] = mapped_column(String(32))
    options: Mapped[dict[str, object]]
    terms: Mapped[dict[str, object]]
    """Kind, seeding, minutes until a no-show, turn clock."""
    bracket: Mapped[dict[str, object]]
    guild_id: Mapped[int]
    channel_id: Mapped[int]
    message_id: Mapped[int | None]
    host_id: Mapped[int]
    locale: Mapped[str] = mapped_column(String(16), default="en")
    created_at: Mapped[int]
    ended_at: Mapped[int | None]
    revision: Mapped[int] = mapped_column(server_default="0")
    """Counts the changes that people see."""
    shown: Mapped[int] = mapped_column(server_default="0")
    """The revision that its message shows."""
    acted_at: Mapped[int] = mapped_column(server_default="0")
    """When somebody last did something in it."""
    why: Mapped[str | None] = mapped_column(String(16))
    """Why it was called off, as a key of the strings; nothing where people did."""


class MatchRow(Base):
    """A match that is to be played, and how far the opening of its table has come."""

    __tablename__ = "matches"
    __table_args__ = (Index("matches_by_game", "game_id"),)

    tournament_id: Mapped[int] = mapped_column(
        ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(String(8), primary_key=True)
    step: Mapped[str] = mapped_column(String(8))
    """The last thing that is done: see `bot.store.tournaments.STEPS`."""
    thread_id: Mapped[int | None]
    game_id: Mapped[int | None]
    tries: Mapped[int]
    """How often the next step has been tried."""
    next_at: Mapped[int]
    """Not before this time is it tried again."""


class EntrantRow(Base):
    """Somebody who takes part in a tournament, in the order of joining."""

    __tablename__ = "entrants"

    tournament_id: Mapped[int] = mapped_column(
        ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(64))
    joined_at: Mapped[int]


class NightRow(Base):
    """A night that is planned ahead: at its time a lobby opens by itself."""

    __tablename__ = "nights"
    __table_args__ = (
        Index("nights_by_guild", "guild_id", "phase", "starts_at"),
        Index("nights_by_host", "host_id", "phase"),
        Index(
            "nights_past",
            "starts_at",
            sqlite_where=text("phase <> 'planned'"),
            postgresql_where=text("phase <> 'planned'"),
        ),
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True, autoincrement=True)
    phase: Mapped[str] = mapped_column(String(16))
    """See `bot.store.nights.Phase`."""
    game: Mapped[str] = mapped_column(String(32))
    seats: Mapped[int]
    starts_at: Mapped[int]
    guild_id: Mapped[int]
    channel_id: Mapped[int]
    message_id: Mapped[int | None]
    event_id: Mapped[int | None]
    """The scheduled event in Discord, where the bot may make one."""
    game_id: Mapped[int | None]
    """The table, once it has opened."""
    host_id: Mapped[int]
    locale: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[int]
    rules: Mapped[dict[str, object] | None]
    """The house rules by which it is to be played, as `name` and `options`; None for the usual rules."""


class NightAnswerRow(Base):
    """Whether somebody comes to a night; gone once it has begun or was called off."""

    __tablename__ = "night_answers"
    __table_args__ = (Index("night_answers_by_user", "user_id"),)

    night_id: Mapped[int] = mapped_column(ForeignKey("nights.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(64))
    answer: Mapped[str] = mapped_column(String(8))
    entropy: Mapped[int]
    """The snowflake of the press, with which the person sits down."""
    at: Mapped[int]
    """When they first said so: seats are kept in this order."""


class NightCallRow(Base):
    """What falls due for a night, in wall time; gone once it is done."""

    __tablename__ = "night_calls"
    __table_args__ = (Index("night_calls_by_due", "due_at"),)

    night_id: Mapped[int] = mapped_column(ForeignKey("nights.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), primary_key=True)
    due_at: Mapped[int]
