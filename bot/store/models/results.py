"""The tables of how games ended, and of what that adds up to for people."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models.base import Base


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
