"""The tables of games: the present, the journal, what hangs on both, and who may write."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models.base import Base, Identity


class GameRow(Base):
    """One table: its setup, where it is shown, and how far it has come."""

    __tablename__ = "games"
    __table_args__ = (
        Index("games_by_phase", "phase"),
        Index("games_by_channel", "channel_id", "phase"),
        Index("games_by_guild", "guild_id", "phase"),
        Index(
            "games_awake",
            "phase",
            "touched_at",
            sqlite_where=text("asleep_at = 0"),
            postgresql_where=text("asleep_at = 0"),
        ),
        Index(
            "games_asleep",
            "why",
            "asleep_at",
            sqlite_where=text("asleep_at > 0"),
            postgresql_where=text("asleep_at > 0"),
        ),
        Index(
            "games_resting",
            "id",
            sqlite_where=text("resting <> ''"),
            postgresql_where=text("resting <> ''"),
        ),
        Index(
            "games_unshown",
            "id",
            sqlite_where=text("edition <> shown"),
            postgresql_where=text("edition <> shown"),
        ),
        Index(
            "games_to_fold",
            "phase",
            "ended_at",
            sqlite_where=text("folded = 0"),
            postgresql_where=text("folded = 0"),
        ),
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True, autoincrement=True)
    game: Mapped[str] = mapped_column(String(32))
    version: Mapped[int]
    phase: Mapped[str] = mapped_column(String(16))
    options: Mapped[dict[str, object]]
    terms: Mapped[dict[str, object]]
    """What the table agreed on beside the rules, see `bot.store.terms.Terms`."""
    guild_id: Mapped[int | None]
    channel_id: Mapped[int]
    message_id: Mapped[int | None]
    posted_at: Mapped[int] = mapped_column(default=0)
    host_id: Mapped[int]
    locale: Mapped[str] = mapped_column(String(16), default="en")
    seed: Mapped[bytes]
    nonce: Mapped[bytes]
    created_at: Mapped[int]
    ended_at: Mapped[int | None]
    why: Mapped[str] = mapped_column(Text, default="")
    """Why it was cancelled, as a key of the strings."""
    revision: Mapped[int] = mapped_column(default=0, server_default="0")
    """Counts every stored change of the table: each write expects the one before it."""
    edition: Mapped[int] = mapped_column(default=0, server_default="0")
    """Counts the changes that everybody can see."""
    shown: Mapped[int] = mapped_column(default=0, server_default="0")
    """The edition that its message shows."""
    touched_at: Mapped[int] = mapped_column(default=0, server_default="0")
    """When it was last changed."""
    resting: Mapped[str] = mapped_column(Text, default="", server_default=text("''"))
    """Why it cannot be replayed by this version; empty while it can."""
    asleep_at: Mapped[int] = mapped_column(default=0, server_default="0")
    """Since when nobody is waited for; 0 while it is awake."""
    folded: Mapped[int] = mapped_column(server_default="0")
    """Where its journal is: 0 in `entries`, 1 in `folds`, 2 in `entries` for good: it could not be folded."""


class SeatRow(Base):
    """Who sits where. A computer opponent has a level and no user."""

    __tablename__ = "seats"
    __table_args__ = (Index("seats_by_user", "user_id"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int | None]
    name: Mapped[str] = mapped_column(String(64))
    level: Mapped[str | None] = mapped_column(String(32))
    entropy: Mapped[int | None]
    """The snowflake of the Join press; opponents add none."""


class EntryRow(Base):
    """One line of a game's journal, append-only. `seq` counts from 1 and never goes back."""

    __tablename__ = "entries"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    seat: Mapped[int]
    data: Mapped[list[object]]
    at: Mapped[int]
    press: Mapped[int | None]
    """The first entry of the press that made this one too; None for an entry that a press began with."""


class SnapshotRow(Base):
    """The position of a long game a while ago, for the source that wrote it; the journal says what it is."""

    __tablename__ = "snapshots"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    source: Mapped[str] = mapped_column(String(64))
    acts: Mapped[int]
    decisions: Mapped[list[object]]
    position: Mapped[bytes]


class ReviewRow(Base):
    """What a review of a finished game found for one seat, see `engine.ai.review`; made when asked for."""

    __tablename__ = "reviews"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[dict[str, object]]


class ClockRow(Base):
    """A deadline; `bot.store.games.Deadline` says which kinds there are."""

    __tablename__ = "clocks"
    __table_args__ = (Index("clocks_by_due", "due_at"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    due_at: Mapped[int]


class GuessRow(Base):
    """Who wins, as somebody who watches a table has said; how many said what stands in its terms."""

    __tablename__ = "guesses"
    __table_args__ = (Index("guesses_by_user", "user_id"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    side: Mapped[int]
    """One of those of `bot.tables.watched.choices`."""
    right: Mapped[int | None]
    """1 where it came so, 0 where it did not; None while nobody knows, and after a draw."""
    at: Mapped[int]


class LeaseRow(Base):
    """Which process may write a part of the tables: part 0 is all of them, the others are shards. Its renewal
    is the heartbeat."""

    __tablename__ = "leases"

    part: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    holder: Mapped[str] = mapped_column(String(128))
    """Whose it is; empty when it was given back."""
    epoch: Mapped[int]
    """Rises with every new holder: a write of an older epoch is refused."""
    until: Mapped[int]
    """When it ends unless it is renewed, by the holder's clock; for people, nothing compares it."""
    at: Mapped[int]
    """The table time of the last renewal, in milliseconds."""
