"""The tables of tournaments and game nights."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models.base import Base, Identity
from bot.store.models.column_privacy import impersonal, personal, privacy


@privacy(
    id=impersonal("the number of a tournament", "given"),
    phase=impersonal("how far it has come", "given"),
    name=personal("given", "replaced", "its name, where it holds the person's", "by hand"),
    game=impersonal("which game", "given"),
    options=impersonal("the options chosen", "given"),
    terms=personal(
        "given",
        "replaced",
        "kind, seeding, clock; house rules by their name, where it holds the person's",
        "by hand",
    ),
    bracket=personal("own part", "replaced", "who met whom, and who won", "by hand"),
    guild_id=impersonal("the server", "given"),
    channel_id=impersonal("the channel", "given"),
    message_id=impersonal("the message", "given"),
    host_id=personal("own part", "replaced", "who organised it", "by hand"),
    locale=impersonal("its language", "given"),
    created_at=impersonal("when it was announced", "given"),
    ended_at=impersonal("when it ended", "given"),
    revision=impersonal("counts its changes"),
    shown=impersonal("which of them its message shows"),
    acted_at=impersonal("when somebody last did something"),
    why=impersonal("why it was called off", "given"),
)
class TournamentRow(Base):
    """A tournament: its game, its organiser, and its bracket as JSON once it has begun."""

    __tablename__ = "tournaments"
    __table_args__ = (
        Index("tournaments_by_phase", "phase"),
        Index("tournaments_by_host", "host_id"),
        Index("tournaments_by_guild", "guild_id", "phase", "ended_at"),
        Index("tournaments_by_end", "ended_at"),
    )

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
    """Counts publicly visible changes."""
    shown: Mapped[int] = mapped_column(server_default="0")
    """The revision that its message shows."""
    acted_at: Mapped[int] = mapped_column(server_default="0")
    """Time of the last action by anyone."""
    why: Mapped[str | None] = mapped_column(String(16))
    """The reason it was cancelled, as a key of the strings, or None if people cancelled it."""


@privacy(
    tournament_id=impersonal("the tournament"),
    key=impersonal("which match"),
    step=impersonal("how far its table is opened"),
    thread_id=impersonal("the thread"),
    game_id=impersonal("the table"),
    tries=impersonal("how often that was tried"),
    next_at=impersonal("when it is tried again"),
)
class MatchRow(Base):
    """A match to be played, and the progress of opening its table."""

    __tablename__ = "matches"
    __table_args__ = (Index("matches_by_game", "game_id"),)

    tournament_id: Mapped[int] = mapped_column(
        ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(String(8), primary_key=True)
    step: Mapped[str] = mapped_column(String(8))
    """The last completed step, see `bot.features.tournaments.rows.STEPS`."""
    thread_id: Mapped[int | None]
    game_id: Mapped[int | None]
    tries: Mapped[int]
    """Number of attempts at the next step."""
    next_at: Mapped[int]
    """Earliest time of the next attempt."""


@privacy(
    tournament_id=impersonal("the tournament", "given"),
    user_id=personal("own part", "replaced", "who takes part", "owner"),
    name=personal("given", "replaced", "by which name", "name"),
    joined_at=personal("given", "kept", "since when"),
)
class EntrantRow(Base):
    """A participant in a tournament, in the order of joining."""

    __tablename__ = "entrants"
    __table_args__ = (Index("entrants_by_user", "user_id"),)

    tournament_id: Mapped[int] = mapped_column(
        ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(64))
    joined_at: Mapped[int]


@privacy(
    id=impersonal("the number of a night", "given"),
    phase=impersonal("how far it has come", "given"),
    game=impersonal("which game", "given"),
    seats=impersonal("how many can play", "given"),
    starts_at=impersonal("when it begins", "given"),
    guild_id=impersonal("the server", "given"),
    channel_id=impersonal("the channel", "given"),
    message_id=impersonal("the message", "given"),
    event_id=impersonal("the scheduled event in Discord"),
    event_at=impersonal("the time of that event, if it is another one"),
    game_id=impersonal("the table that was opened", "given"),
    host_id=personal("own part", "replaced", "who planned it", "owner"),
    locale=impersonal("its language", "given"),
    created_at=impersonal("when it was planned", "given"),
    rules=personal(
        "given", "replaced", "by which house rules; their name, where it holds the person's", "by hand"
    ),
    token=impersonal("the key to the answer that showed it, until that is noted; it expires in 15 minutes"),
)
class NightRow(Base):
    """A planned game night: a lobby opens automatically at its time."""

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
    """See `bot.features.nights.rows.Phase`."""
    game: Mapped[str] = mapped_column(String(32))
    seats: Mapped[int]
    starts_at: Mapped[int]
    guild_id: Mapped[int]
    channel_id: Mapped[int]
    message_id: Mapped[int | None]
    event_id: Mapped[int | None]
    """The scheduled event in Discord, if the bot may create one."""
    event_at: Mapped[int | None] = mapped_column(BigInteger)
    """The event's own time, if someone moved it and the planner has been asked about that; -1 if the bot has
    yet to move it to the time of the night; None if both agree."""
    game_id: Mapped[int | None]
    """The table, once it has opened."""
    host_id: Mapped[int]
    locale: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[int]
    rules: Mapped[dict[str, object] | None]
    """The house rules to be used, as `name` and `options`, or None for the usual rules."""
    token: Mapped[str | None] = mapped_column(Text)
    """The token of the interaction that planned it, kept until its message is stored; it expires in 15
    minutes."""


@privacy(
    night_id=personal("given", "removed", "the night"),
    user_id=personal("own part", "removed", "who answered", "owner"),
    name=personal("given", "removed", "by which name"),
    answer=personal("given", "removed", "whether they come"),
    entropy=personal("given", "removed", "the number of the press that said so"),
    at=personal("given", "removed", "when; all answers go when the night begins or is called off"),
)
class NightAnswerRow(Base):
    """A person's answer to a game night; deleted once the night has begun or is cancelled."""

    __tablename__ = "night_answers"
    __table_args__ = (Index("night_answers_by_user", "user_id"),)

    night_id: Mapped[int] = mapped_column(ForeignKey("nights.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(64))
    answer: Mapped[str] = mapped_column(String(8))
    entropy: Mapped[int]
    """The snowflake of the button press, used as entropy when the person sits down."""
    at: Mapped[int]
    """Time of the first such answer: seats are reserved in this order."""


@privacy(
    night_id=impersonal("the night"),
    kind=impersonal("what falls due"),
    due_at=impersonal("when"),
)
class NightCallRow(Base):
    """A deadline of a game night, in wall time; deleted once it is handled."""

    __tablename__ = "night_calls"
    __table_args__ = (Index("night_calls_by_due", "due_at"),)

    night_id: Mapped[int] = mapped_column(ForeignKey("nights.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), primary_key=True)
    due_at: Mapped[int]
