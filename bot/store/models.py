"""The tables of the database. Times are milliseconds since 1970 (UTC); ids of Discord are 64-bit."""

from __future__ import annotations

from typing import cast

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, String, Table, Text, text
from sqlalchemy.orm import Mapped, mapped_column

# all tables are had from here
from bot.store.base import Base as Base  # noqa: PLC0414 - had from here
from bot.store.old_models import FoldRow as FoldRow  # noqa: PLC0414 - had from here
from bot.store.old_models import HeartbeatRow as HeartbeatRow  # noqa: PLC0414 - had from here
from bot.store.old_models import RatingRow as RatingRow  # noqa: PLC0414 - had from here

SCHEMA = "0016"
"""The newest migration; a database must be at exactly this revision."""

Identity = BigInteger().with_variant(Integer, "sqlite")


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


class ResultRow(Base):
    """How one seat ended. `people` is how many seats were held by people."""

    __tablename__ = "results"
    __table_args__ = (
        Index("results_by_user", "user_id", "game"),
        Index("results_by_guild", "guild_id", "game"),
        Index(
            "results_not_counted",
            "game_id",
            sqlite_where=text("won IS NULL"),
            postgresql_where=text("won IS NULL"),
        ),
        Index(
            "results_not_rated",
            "game_id",
            sqlite_where=text("variant IS NULL"),
            postgresql_where=text("variant IS NULL"),
        ),
    )

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int | None]
    level: Mapped[str | None] = mapped_column(String(32))
    guild_id: Mapped[int | None]
    game: Mapped[str] = mapped_column(String(32))
    people: Mapped[int]
    rank: Mapped[int]
    score: Mapped[float]
    hands: Mapped[int] = mapped_column(default=0)
    """Hands (tricks, rounds) won, where the game counts them."""
    ended_at: Mapped[int]
    won: Mapped[int | None]
    """1 for a win, 0 for none; None until `bot.store.totals.count` has put the game into the totals."""
    variant: Mapped[str | None] = mapped_column(String(64))
    """Which game the options made, `engine.game.Game.variant`; None until `bot.store.ratings` has seen it."""
    side: Mapped[int | None]
    """For which side the seat played, where the game is rated."""
    place: Mapped[int | None]
    """The place that ratings go by: behind everybody for who left; None where the game is not rated."""
    mu: Mapped[float | None]
    sigma: Mapped[float | None]
    """The rating after the game, of all time everywhere; None where it counted for nothing."""
    began: Mapped[int | None]
    """1 for the seat that had the first decision alone, 0 for the others; None where that is not known."""
    cards: Mapped[dict[str, object] | None]
    """How often each card was played, by the keys of `engine.game.Game.played`; None where not known."""
    role: Mapped[str | None] = mapped_column(String(32))
    """As which of `engine.game.Game.roles` the seat played; None where all play alike, or it is not known."""


class BoardRatingRow(Base):
    """The rating of one person on one board: a game in a variant, in a season (0: all time), in one server
    (guild_id) or everywhere (guild_id 0). It follows from the results, see `bot.store.ratings.rebuild`."""

    __tablename__ = "board_ratings"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    variant: Mapped[str] = mapped_column(String(64), primary_key=True)
    season: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    mu: Mapped[float]
    sigma: Mapped[float]
    sure: Mapped[float]
    """What is sure of the rating: leaderboards go by it."""
    games: Mapped[int]
    wins: Mapped[int]
    streak: Mapped[int]


Index(
    "board_ratings_by_points",
    BoardRatingRow.game,
    BoardRatingRow.variant,
    BoardRatingRow.season,
    BoardRatingRow.guild_id,
    BoardRatingRow.sure.desc(),
    BoardRatingRow.user_id,
)


class RivalRow(Base):
    """How one person has done against another in a variant of a game; two rows for a pair."""

    __tablename__ = "rivals"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    other_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    variant: Mapped[str] = mapped_column(String(64), primary_key=True)
    games: Mapped[int]
    wins: Mapped[int]
    losses: Mapped[int]
    heat: Mapped[float]
    heat_at: Mapped[int]


class VoidRow(Base):
    """What does not count for ratings: all games of a person, or one game."""

    __tablename__ = "voids"

    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    """`player` or `game`."""
    target: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at: Mapped[int]


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


class DayRow(Base):
    """The deal of one day in one game: made, and its commitment shown, before the day; secret until it is
    over."""

    __tablename__ = "days"

    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    """As `bot.store.days.day_of` writes it, in UTC."""
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    seed: Mapped[bytes]
    nonce: Mapped[bytes]
    made_at: Mapped[int]


class DailyResultRow(Base):
    """The one game of a person on the deal of a day; how it ended where it ended on that day."""

    __tablename__ = "daily_results"
    __table_args__ = (
        Index("daily_results_by_user", "user_id", "day"),
        Index("daily_results_by_table", "game_id"),
    )

    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    """The table."""
    guild_id: Mapped[int | None]
    """The server in which it was begun."""
    rank: Mapped[int | None]
    score: Mapped[float | None]
    margin: Mapped[float | None]
    """By how much the score was better than that of the best other side."""
    moves: Mapped[int | None]
    """How many decisions the person made."""
    ended_at: Mapped[int | None]


Index(
    "daily_results_by_place",
    DailyResultRow.day,
    DailyResultRow.game,
    DailyResultRow.rank,
    DailyResultRow.margin.desc(),
    DailyResultRow.moves,
    DailyResultRow.user_id,
    sqlite_where=text("ended_at IS NOT NULL"),
    postgresql_where=text("ended_at IS NOT NULL"),
)


class SeekerRow(Base):
    """Somebody who wants to be called when people are sought in a server."""

    __tablename__ = "seekers"
    __table_args__ = (Index("seekers_by_user", "user_id"),)

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    since: Mapped[int]


class NightRow(Base):
    """An evening that is planned ahead: at its time a lobby opens by itself."""

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


class AchievementRow(Base):
    """What one person has done in a game that is worth remembering, by its key among the achievements of the
    game. It follows from the finished games, see `bot.tables.deeds.recount`."""

    __tablename__ = "achievements"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    first_game: Mapped[int]
    """The table at which it was done first."""
    count: Mapped[int]
    """How often it was done in all."""
    at: Mapped[int]
    """When the first game ended."""


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


class TotalRow(Base):
    """What the results of one person in one game add up to, in one server and everywhere (guild_id 0).

    Games against opponents alone are `practice` and enter neither `games`, `wins` nor the streaks.
    """

    __tablename__ = "totals"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    games: Mapped[int]
    wins: Mapped[int]
    hands: Mapped[int]
    practice: Mapped[int]
    practice_wins: Mapped[int]
    streak: Mapped[int]
    """The games with people won in a row, up to the last one."""
    best_streak: Mapped[int]
    last_at: Mapped[int]
    last_game: Mapped[int]
    """The id of the game that ended last; of two in the same millisecond the later table."""


Index(
    "totals_by_wins",
    TotalRow.game,
    TotalRow.guild_id,
    TotalRow.wins.desc(),
    TotalRow.games,
    TotalRow.user_id,
    sqlite_where=text("games > 0"),
    postgresql_where=text("games > 0"),
)


def table_of(model: type[Base]) -> Table:
    """The Core table of a model: the hot path speaks Core, which costs a third less than the ORM."""
    return cast("Table", model.__table__)
