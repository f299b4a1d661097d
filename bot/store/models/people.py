"""The tables of choices made by people, channels and servers."""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models.base import Base, Identity, removed_with_server
from bot.store.models.column_privacy import impersonal, personal, privacy


@privacy(
    id=personal("own part", "removed", "the Discord id", "owner"),
    name=personal("given", "removed", "the name of the account, last seen"),
    prefs=personal("given", "removed", "what was chosen in /settings"),
    seen_at=personal("given", "removed", "when the name was seen"),
)
class PlayerRow(Base):
    """A person who has sat at a table: the name of their account, and their preferences."""

    __tablename__ = "players"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(64))
    prefs: Mapped[dict[str, object]]
    seen_at: Mapped[int]


@privacy(
    user_id=personal("own part", "removed", "the Discord id", "owner"),
    guild_id=personal("given", "removed", "the server"),
    name=personal("given", "removed", "the name used in that server, last seen"),
    seen_at=personal("given", "removed", "when the name was seen"),
)
class NameRow(Base):
    """The name by which a server knows a person; it is shown in that server alone."""

    __tablename__ = "names"
    __table_args__ = (Index("names_by_guild", "guild_id"),)

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(64))
    seen_at: Mapped[int]


@privacy(
    scope=personal("given", "removed", "whose setting: of a person, a channel, a server, a table, the bot"),
    scope_id=personal(
        "own part",
        "removed",
        "the id of the person, the channel, the server, the table, the bot",
        "owner",
    ),
    key=personal("given", "removed", "which lesson, puzzles or setting"),
    value=personal("given", "removed", "how far, which rating, what was chosen"),
)
class SettingRow(Base):
    """One setting of a server, a channel or a person."""

    __tablename__ = "settings"

    scope: Mapped[str] = mapped_column(String(16), primary_key=True)
    scope_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    value: Mapped[dict[str, object]]


@privacy(
    digest=personal("own part", "kept", "for whom, as a keyed digest that names nobody", "by hand"),
    kind=personal("given", "kept", "which limit"),
    subject=personal("given", "kept", "of which thing, such as a day and a game"),
    value=personal("given", "kept", "how much of it is used up"),
    until=personal("given", "kept", "until when; then the row is removed"),
)
class KeptLimitRow(Base):
    """A limit that outlives the deletion of its person; see `bot.store.personal_data.kept_limits`."""

    __tablename__ = "kept_limits"
    __table_args__ = (
        Index("kept_limits_by_kind", "kind", "subject"),
        Index("kept_limits_by_end", "until"),
    )

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    """A keyed digest of kind, subject and people. The digests of two limits of one person have nothing in
    common."""
    kind: Mapped[str] = mapped_column(String(16))
    subject: Mapped[str] = mapped_column(String(128))
    """The thing that is limited, such as a day and a game. Never a person."""
    value: Mapped[dict[str, object]]
    until: Mapped[int]
    """The time at which the row is removed; 0 for never."""


@removed_with_server
@privacy(
    guild_id=personal("given", "removed", "in which server somebody wants to be called to play"),
    user_id=personal("own part", "removed", "who", "owner"),
    since=personal("given", "removed", "since when"),
)
class SeekerRow(Base):
    """A person who wants to be notified when someone in a server looks for players."""

    __tablename__ = "seekers"
    __table_args__ = (Index("seekers_by_user", "user_id"),)

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    since: Mapped[int]


@removed_with_server
@privacy(
    id=impersonal("the number of house rules", "given"),
    guild_id=impersonal("the server", "given"),
    channel_id=personal(
        "given", "removed", "the channel; the row goes where it is a direct message", "by hand"
    ),
    game=impersonal("which game", "given"),
    name=personal("given", "replaced", "their name, where it holds the person's", "by hand"),
    folded=personal("given", "replaced", "the same in small letters", "by hand"),
    options=impersonal("the options chosen", "given"),
    saved_by=personal("own part", "replaced", "who saved them", "owner"),
    saved_at=impersonal("when", "given"),
)
class HouseRulesRow(Base):
    """Options of a game, saved under a name for a channel. Tables that use them keep their own copy."""

    __tablename__ = "house_rules"
    __table_args__ = (
        Index("house_rules_by_name", "channel_id", "game", "folded", unique=True),
        Index("house_rules_by_person", "saved_by"),
    )

    id: Mapped[int] = mapped_column(Identity, primary_key=True, autoincrement=True)
    guild_id: Mapped[int | None]
    channel_id: Mapped[int]
    """The channel, or for a thread its parent channel."""
    game: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(64))
    folded: Mapped[str] = mapped_column(String(128))
    """The name in the case-insensitive form used for comparisons."""
    options: Mapped[dict[str, object]]
    saved_by: Mapped[int]
    saved_at: Mapped[int]


@privacy(
    blocker_id=personal("own part", "removed", "who does not want to play with someone", "owner"),
    blocked_id=personal("given", "removed", "with whom; only the person who blocked them sees it", "by hand"),
    at=personal("given", "removed", "since when"),
)
class BlockRow(Base):
    """A person with whom another one does not want to play."""

    __tablename__ = "blocks"
    __table_args__ = (Index("blocks_by_blocked", "blocked_id"),)

    blocker_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    blocked_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at: Mapped[int]


@privacy(
    asker_id=personal("own part", "removed", "who asked someone to play, or for a seat", "owner"),
    asked_id=personal("own part", "removed", "whom; an export names no one", "by hand"),
    count=personal("given", "removed", "how often in a row without a yes"),
    until=personal("given", "removed", "until when they can't ask again"),
)
class RequestRow(Base):
    """The requests that one person has made to another since the last one that was accepted."""

    __tablename__ = "requests"
    __table_args__ = (Index("requests_by_asked", "asked_id"), Index("requests_by_end", "until"))

    asker_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    asked_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    count: Mapped[int]
    until: Mapped[int]
    """The time from which the person may ask again; the row is removed a week later."""
