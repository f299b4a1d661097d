"""The tables of game results, and of the totals and ratings built from them."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.models.base import Base
from bot.store.models.column_privacy import impersonal, personal, privacy


@privacy(
    game_id=impersonal("the table", "given"),
    seat=impersonal("which seat", "given"),
    user_id=personal("own part", "replaced", "who sat there", "owner"),
    level=impersonal("the level of a computer opponent"),
    guild_id=impersonal("the server", "given"),
    game=impersonal("which game", "given"),
    people=impersonal("how many people played", "given"),
    rank=personal("given", "kept", "the place"),
    score=personal("given", "kept", "the points"),
    hands=personal("given", "kept", "the hands won"),
    ended_at=impersonal("when the game ended", "given"),
    won=personal("given", "kept", "whether it was won"),
    variant=impersonal("in which variant of the game", "given"),
    side=personal("given", "kept", "for which side"),
    place=personal("given", "kept", "the place that ratings go by"),
    mu=personal("given", "removed", "the rating afterwards"),
    sigma=personal("given", "removed", "how sure it was"),
    began=personal("given", "kept", "whether the seat began"),
    cards=personal("given", "kept", "how often it played each card"),
    role=personal("given", "kept", "in which role, in games that have some"),
    met=impersonal("how often two seats had met before one of them was deleted, and when"),
)
class ResultRow(Base):
    """The result of one seat. `people` is the number of seats held by people."""

    __tablename__ = "results"
    __table_args__ = (
        Index("results_by_user", "user_id", "game", "ended_at", "game_id"),
        Index("results_by_end", "user_id", "ended_at", "game_id"),
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
    """Hands (tricks, rounds) won, if the game counts them."""
    ended_at: Mapped[int]
    won: Mapped[int | None]
    """1 for a win, 0 otherwise, None until `bot.store.totals.count` has added the game to the totals."""
    variant: Mapped[str | None] = mapped_column(String(64))
    """The variant chosen by the options, see `engine.game.Game.variant`; None until `bot.store.ratings` sets
    it."""
    side: Mapped[int | None]
    """The side the seat played for, if the game is rated."""
    place: Mapped[int | None]
    """The place used for ratings, with players who left behind all others. None if the game is not rated."""
    mu: Mapped[float | None]
    sigma: Mapped[float | None]
    """All-time global rating after the game, or None if the game did not count."""
    began: Mapped[int | None]
    """1 for the seat that alone had the first decision, 0 for the others, None if unknown."""
    cards: Mapped[dict[str, object] | None]
    """Number of times each card was played, by the keys of `engine.game.Game.played`, or None if unknown."""
    role: Mapped[str | None] = mapped_column(String(32))
    """The seat's role among `engine.game.Game.roles`, or None if the game has no roles or it is unknown."""
    met: Mapped[dict[str, object] | None]
    """Earlier games against other seats that still reduce the weight of this one although a deletion hides
    them: by seat, the heat of the pair and the time of their last game. None if the seat has no such pair."""


@privacy(
    user_id=personal("own part", "removed", "whose totals", "owner"),
    guild_id=personal("given", "removed", "in which server, 0 for all"),
    game=personal("given", "removed", "in which game"),
    games=personal("given", "removed", "games with people"),
    wins=personal("given", "removed", "won"),
    hands=personal("given", "removed", "hands won"),
    practice=personal("given", "removed", "games against the computer"),
    practice_wins=personal("given", "removed", "won"),
    streak=personal("given", "removed", "won in a row"),
    best_streak=personal("given", "removed", "won in a row at best"),
    last_at=personal("given", "removed", "when the last game ended"),
    last_game=personal("given", "removed", "which one"),
)
class TotalRow(Base):
    """Totals of one person's results in one game, in one server or globally (guild_id 0).

    Games against computer opponents only count as `practice`, not in `games`, `wins` or the streaks.
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
    """Consecutive wins in games with people, up to the last such game."""
    best_streak: Mapped[int]
    last_at: Mapped[int]
    last_game: Mapped[int]
    """The id of the game that ended last. If two ended in the same millisecond, it is the later table."""


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


@privacy(
    user_id=personal("own part", "removed", "whose rating", "owner"),
    game=personal("given", "removed", "in which game"),
    variant=personal("given", "removed", "in which variant of it"),
    season=personal("given", "removed", "in which season, 0 for all time"),
    guild_id=personal("given", "removed", "in which server, 0 for all"),
    mu=personal("given", "removed", "the rating"),
    sigma=personal("given", "removed", "how sure it is"),
    sure=personal("given", "removed", "what is sure of it"),
    games=personal("given", "removed", "how many games"),
    wins=personal("given", "removed", "won"),
    streak=personal("given", "removed", "won in a row"),
)
class BoardRatingRow(Base):
    """One person's rating on one board: a game in a variant, in a season (0: all time), in one server or
    globally (guild_id 0). It is derived from the results, see `bot.store.ratings.rebuild`."""

    __tablename__ = "board_ratings"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    variant: Mapped[str] = mapped_column(String(64), primary_key=True)
    season: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    mu: Mapped[float]
    sigma: Mapped[float]
    sure: Mapped[float]
    """A conservative estimate of the rating; leaderboards are sorted by it."""
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


@privacy(
    user_id=personal("own part", "removed", "whose games against somebody; the row goes", "owner"),
    other_id=personal(
        "own part", "replaced", "against whom, in the rows of others; an export names nobody", "mention"
    ),
    game=personal("given", "removed", "in which game"),
    variant=personal("given", "removed", "in which variant of it"),
    games=personal("given", "removed", "how many games"),
    wins=personal("given", "removed", "won"),
    losses=personal("given", "removed", "lost"),
    heat=personal("given", "removed", "how often the two met lately"),
    heat_at=personal("given", "removed", "when they met last"),
)
class RivalRow(Base):
    """One person's record against another in a variant of a game; each pair has two rows."""

    __tablename__ = "rivals"
    __table_args__ = (Index("rivals_by_other", "other_id"),)

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    other_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    variant: Mapped[str] = mapped_column(String(64), primary_key=True)
    games: Mapped[int]
    wins: Mapped[int]
    losses: Mapped[int]
    heat: Mapped[float]
    heat_at: Mapped[int]


Index("rivals_by_games", RivalRow.user_id, RivalRow.games.desc(), RivalRow.other_id)


@privacy(
    kind=impersonal("whether a person or a game counts for nothing in ratings", "given"),
    target=personal("own part", "replaced", "which person or game", "owner"),
    at=personal("given", "kept", "since when"),
)
class VoidRow(Base):
    """An exclusion from ratings: all games of a person, or one game."""

    __tablename__ = "voids"

    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    """`player` or `game`."""
    target: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at: Mapped[int]


@privacy(
    user_id=personal("own part", "removed", "whose achievement", "owner"),
    game=personal("given", "removed", "in which game"),
    key=personal("given", "removed", "which one"),
    first_game=personal("given", "removed", "at which table first"),
    count=personal("given", "removed", "how often"),
    at=personal("given", "removed", "when that game ended"),
)
class AchievementRow(Base):
    """An achievement one person has earned in a game, by its key. It is derived from the finished games, see
    `bot.table.game_statistics.recount`."""

    __tablename__ = "achievements"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    key: Mapped[str] = mapped_column(String(32), primary_key=True)
    first_game: Mapped[int]
    """The table at which it was first earned."""
    count: Mapped[int]
    """Number of times it was earned."""
    at: Mapped[int]
    """End time of the first such game."""


@privacy(
    day=impersonal("which day"),
    game=impersonal("which game"),
    seed=impersonal("the secret of its deal, until the day is over"),
    nonce=impersonal("belongs to the secret"),
    made_at=impersonal("when it was drawn"),
)
class DayRow(Base):
    """The deal of one day in one game: drawn, with its commitment published, before the day; secret until the
    day is over."""

    __tablename__ = "days"

    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    """The UTC day, as `bot.store.days.day_of` writes it."""
    game: Mapped[str] = mapped_column(String(32), primary_key=True)
    seed: Mapped[bytes]
    nonce: Mapped[bytes]
    made_at: Mapped[int]


@privacy(
    day=personal("given", "removed", "the day of a daily deal"),
    game=personal("given", "removed", "in which game"),
    user_id=personal("own part", "removed", "who played it", "owner"),
    game_id=personal("given", "removed", "the table"),
    guild_id=personal("given", "removed", "the server in which it was begun"),
    rank=personal("given", "removed", "the place against the computer"),
    score=personal("given", "removed", "the points"),
    margin=personal("given", "removed", "the points ahead of the best opponent"),
    moves=personal("given", "removed", "how many decisions"),
    ended_at=personal("given", "removed", "when it ended"),
)
class DailyResultRow(Base):
    """A person's only game on a daily deal, with the result if it ended on that day."""

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
    """The server in which the game was started."""
    rank: Mapped[int | None]
    score: Mapped[float | None]
    margin: Mapped[float | None]
    """The lead in points over the best other side."""
    moves: Mapped[int | None]
    """Number of decisions the person made."""
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

Index(
    "daily_results_by_server",
    DailyResultRow.guild_id,
    DailyResultRow.day,
    DailyResultRow.game,
    DailyResultRow.rank,
    DailyResultRow.margin.desc(),
    DailyResultRow.moves,
    DailyResultRow.user_id,
    sqlite_where=text("ended_at IS NOT NULL"),
    postgresql_where=text("ended_at IS NOT NULL"),
)
