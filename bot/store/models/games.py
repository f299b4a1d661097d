"""The tables of games: current state, journal, data that depends on them, and write leases."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models.base import Base, Identity
from bot.store.models.column_privacy import HeldColumn, impersonal, personal, privacy


@privacy(
    id=impersonal("the number of a table", "given"),
    game=impersonal("which game", "given"),
    version=impersonal("the version of its rules", "given"),
    phase=impersonal("how far it has come", "given"),
    options=impersonal("the options chosen", "given"),
    terms=personal(
        "own part",
        "replaced",
        "clock, pings, passes, house rules; who was invited or knocks, has left, sits again, asks",
        "by hand",
    ),
    guild_id=impersonal("the server", "given"),
    channel_id=personal("given", "replaced", "the channel; removed where it is a direct message", "by hand"),
    message_id=personal("given", "replaced", "the message; removed where it is a direct message", "by hand"),
    posted_at=impersonal("when that was posted"),
    host_id=personal("own part", "replaced", "who opened the table", "by hand"),
    locale=impersonal("the language of the table", "given"),
    seed=HeldColumn(False, "when over", "kept", "the secret of the deal"),
    nonce=HeldColumn(False, "when over", "kept", "belongs to the secret"),
    created_at=impersonal("when it was opened", "given"),
    ended_at=impersonal("when it ended", "given"),
    why=impersonal("why it was closed", "given"),
    revision=impersonal("counts its changes"),
    edition=impersonal("counts its changes that are seen"),
    shown=impersonal("which of them its message shows"),
    touched_at=impersonal("when it was last changed"),
    resting=impersonal("why it cannot be read"),
    asleep_at=impersonal("since when it sleeps"),
    folded=impersonal("whether its moves are packed into one row"),
)
class GameRow(Base):
    """One table: its setup, the place where it is shown, and its progress."""

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
            "games_open_by_channel",
            "channel_id",
            "asleep_at",
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
        Index(
            "games_open_by_guild",
            "guild_id",
            "asleep_at",
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
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
    """The terms of the table, besides the rules; see `bot.store.terms.Terms`."""
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
    """The reason it was cancelled, as a key of the strings."""
    revision: Mapped[int] = mapped_column(default=0, server_default="0")
    """Counts every stored change of the table: each write expects the previous value."""
    edition: Mapped[int] = mapped_column(default=0, server_default="0")
    """Counts publicly visible changes."""
    shown: Mapped[int] = mapped_column(default=0, server_default="0")
    """The edition that its message shows."""
    touched_at: Mapped[int] = mapped_column(default=0, server_default="0")
    """Time of the last change."""
    resting: Mapped[str] = mapped_column(Text, default="", server_default=text("''"))
    """The reason this version cannot replay it; empty if it can."""
    asleep_at: Mapped[int] = mapped_column(default=0, server_default="0")
    """Time since which the table is asleep; 0 while it is awake."""
    folded: Mapped[int] = mapped_column(server_default="0")
    """Location of the journal: 0 in `entries`, 1 in `folds`, 2 in `entries` permanently because it could not
    be folded."""


@privacy(
    game_id=impersonal("the table", "given"),
    seat=impersonal("which seat", "given"),
    user_id=personal("own part", "replaced", "who sits there", "owner"),
    name=personal("given", "replaced", "by which name", "name"),
    level=impersonal("the level of a computer opponent"),
    entropy=personal("given", "kept", "the number of the press that joined; the deal is proved with it"),
    closed=impersonal("whether the game is over or closed"),
)
class SeatRow(Base):
    """The holder of a seat. A computer opponent has a level and no user."""

    __tablename__ = "seats"
    __table_args__ = (
        Index("seats_by_user", "user_id", "game_id"),
        Index(
            "seats_open",
            "user_id",
            "game_id",
            sqlite_where=text("closed = 0"),
            postgresql_where=text("closed = 0"),
        ),
    )

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int | None]
    name: Mapped[str] = mapped_column(String(64))
    level: Mapped[str | None] = mapped_column(String(32))
    entropy: Mapped[int | None]
    """The snowflake of the Join press; opponents add none."""
    closed: Mapped[int] = mapped_column(default=0, server_default="0")
    """1 only if the game is over or cancelled, so that a person's open games are found without reading the
    others. 0 also for games that an older release has closed."""


@privacy(
    game_id=impersonal("the table", "given"),
    seq=impersonal("the number of the move", "given"),
    kind=impersonal("a move, or one made for a late seat", "given"),
    seat=personal("when over", "kept", "which seat made it", "by hand"),
    data=personal("when over", "kept", "the move"),
    at=personal("when over", "kept", "when it was made"),
    press=impersonal("the move that the same press made first", "given"),
)
class EntryRow(Base):
    """One line of a game's journal, append-only. `seq` counts from 1 and never decreases."""

    __tablename__ = "entries"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    seat: Mapped[int]
    data: Mapped[list[object]]
    at: Mapped[int]
    press: Mapped[int | None]
    """The first entry of the press that also made this one, or None for that first entry itself."""


@privacy(
    game_id=impersonal("the table"),
    seq=impersonal("after which move"),
    source=impersonal("the version that wrote it"),
    acts=impersonal("how many moves"),
    decisions=impersonal("counts decisions"),
    position=impersonal("the cards of a game that goes on; gone with its end"),
)
class SnapshotRow(Base):
    """An earlier position of a long game, for the rules source that wrote it; the journal remains
    authoritative."""

    __tablename__ = "snapshots"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    source: Mapped[str] = mapped_column(String(64))
    acts: Mapped[int]
    decisions: Mapped[list[object]]
    position: Mapped[bytes]


@privacy(
    game_id=personal("given", "removed", "the table"),
    seat=personal("given", "removed", "whose decisions", "seat"),
    data=personal("given", "removed", "what the teacher found"),
)
class ReviewRow(Base):
    """A review of a finished game for one seat, see `engine.ai.review`; made on request."""

    __tablename__ = "reviews"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[dict[str, object]]


@privacy(
    game_id=impersonal("the table", "given"),
    kind=impersonal("what falls due", "given"),
    seat=personal("given", "removed", "for whom; leaving the table removes it", "by hand"),
    due_at=impersonal("when", "given"),
)
class ClockRow(Base):
    """A deadline; `bot.store.games.Deadline` lists the kinds."""

    __tablename__ = "clocks"
    __table_args__ = (Index("clocks_by_due", "due_at"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    due_at: Mapped[int]


@privacy(
    game_id=personal("given", "removed", "the table"),
    user_id=personal("own part", "removed", "who guessed who wins there, watching", "owner"),
    side=personal("given", "removed", "whom they guessed"),
    right=personal("given", "removed", "whether it came so"),
    at=personal("given", "removed", "when"),
)
class GuessRow(Base):
    """A watcher's prediction of the winner. The counts per side are in the table's terms."""

    __tablename__ = "guesses"
    __table_args__ = (Index("guesses_by_user", "user_id"),)

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    side: Mapped[int]
    """One of those of `bot.features.watching.service.choices`."""
    right: Mapped[int | None]
    """1 if the prediction was right, 0 if wrong, None while undecided and after a draw."""
    at: Mapped[int]


@privacy(
    part=impersonal("0 for all servers; 1 and on for the shards of processes that divide them"),
    holder=impersonal("which process of the bot writes"),
    epoch=impersonal("counts them"),
    until=impersonal("until when"),
    at=impersonal("the table time"),
)
class LeaseRow(Base):
    """The process that may write a part of the tables: part 0 is all of them, the others are shards. Renewals
    serve as heartbeat."""

    __tablename__ = "leases"

    part: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    holder: Mapped[str] = mapped_column(String(128))
    """The lease holder; empty if released."""
    epoch: Mapped[int]
    """Increases with every new holder; writes of an older epoch are refused."""
    until: Mapped[int]
    """Expiry unless renewed, by the holder's clock; for people to read, never compared."""
    at: Mapped[int]
    """The table time of the last renewal, in milliseconds."""
