"""How games move ratings: the model alone, without a database.

A game is settled on every board it belongs to: of all time and of its season (a quarter of a year), in its
server and everywhere. What is known before and after stands in a `Book`. Whoever keeps ratings as games end
and whoever makes them anew from the results both call `rate`, so they cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import product
from typing import Any, Final, NamedTuple

import msgspec
from openskill.models import PlackettLuce

from bot.store.days import DAY_MS
from bot.store.people import EVERYWHERE
from engine import levels

_MODEL = PlackettLuce()
ALL_TIME: Final = 0
"""The season of boards that never end."""
POINTS: Final = 60
"""So many points are one of the model: who is new starts at 1500, and nobody falls below 0."""
PROVISIONAL: Final = 7.0
"""Above this sigma a rating is provisional: some six games with people one has not met lately."""
HALF_LIFE_MS: Final = 120 * DAY_MS
"""After so long a game of two people counts half as much towards how often they have met."""
_SURE: Final = 1.0
"""How uncertain the rating of a level is."""
LEVELS: Final[Mapping[str, float]] = {
    levels.RANDOM: 10.0,
    levels.NEWCOMER: 16.0,
    levels.CASUAL: 20.0,
    levels.STEADY: 25.0,
    levels.SHARP: 28.0,
    levels.MASTER: 30.0,
}
"""The fixed ratings of opponents. They move nobody: they only fill the places of missing partners."""


class Board(NamedTuple):
    """Who is rated against whom: a game in one variant, in one season or all time, in one server or all."""

    game: str
    variant: str
    season: int
    guild_id: int


class Rating(msgspec.Struct, frozen=True):
    """Where one person stands on a board. `wins` and `streak` count games as totals do."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0
    wins: int = 0
    streak: int = 0

    @property
    def points(self) -> int:
        """The rating as people read it."""
        return points(self.mu)

    @property
    def sure(self) -> float:
        """What is sure of it: mu less three sigma, so that nobody leads by one lucky game."""
        return self.mu - 3 * self.sigma

    @property
    def settled(self) -> bool:
        """Whether enough is known; as long as it is not, a "?" stands behind the points."""
        return self.sigma <= PROVISIONAL


class Rival(msgspec.Struct, frozen=True):
    """How one person has done against another in one variant of a game."""

    games: int = 0
    wins: int = 0
    losses: int = 0
    heat: float = 0.0
    """How often the two have met, older games for less."""
    heat_at: int = 0


class Seated(NamedTuple):
    """One seat of a game that is rated: the side it plays for, and the place that its person came in."""

    user_id: int | None
    level: str | None
    side: int
    place: int
    won: bool


class Played(NamedTuple):
    """A game that is rated."""

    game_id: int
    game: str
    variant: str
    guild_id: int | None
    at: int
    seats: tuple[Seated, ...]

    def boards(self) -> list[Board]:
        """Every board that it belongs to, that of all servers and all time first."""
        guilds = [EVERYWHERE] + ([self.guild_id] if self.guild_id else [])
        both = product(guilds, (ALL_TIME, season_of(self.at)))
        return [Board(self.game, self.variant, season, guild) for guild, season in both]

    def people(self) -> dict[int, Seated]:
        """The seats that people held, by person."""
        return {seat.user_id: seat for seat in self.seats if seat.user_id is not None}

    def pairs(self) -> list[tuple[int, int]]:
        """Everybody with everybody who played for another side."""
        people = self.people()
        return [(one, other) for one in people for other in people if people[one].side != people[other].side]


class Book:
    """Ratings by board and person, and how people did against each other."""

    def __init__(self) -> None:
        self.ratings: dict[tuple[Board, int], Rating] = {}
        self.rivals: dict[tuple[str, str, int, int], Rival] = {}


def points(mu: float) -> int:
    """A rating on the scale that starts at 1500."""
    return max(0, round(POINTS * mu))


def season_of(at: int) -> int:
    """The quarter of the year (UTC) in which a time lies.

    >>> season_of(0), season_of(1_793_000_000_000)
    (19701, 20264)
    """
    day = datetime.fromtimestamp(at / 1000, UTC)
    return day.year * 10 + (day.month + 2) // 3


def chance(one: Rating, other: Rating) -> float:
    """How likely one person is to beat another, by what is known of both."""
    sides = [[_MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in (one, other)]
    return float(_MODEL.predict_win(sides)[0])


def weight(heat: float) -> float:
    """How much a game counts between two who have met so often lately.

    The sum over any number of games in a row is below 1.65, so one account gains as little from a thousand
    games against another as from two.
    """
    return 1.0 / ((1.0 + heat) * (1.0 + heat))


def rate(book: Book, game: Played) -> dict[int, Rating]:
    """Settle a game on all its boards; the new ratings of all time everywhere by person."""
    people = game.people()
    weights = _weights(book, game)
    for board in game.boards():
        before = {who: book.ratings.get((board, who), Rating()) for who in people}
        for who, (mu, sigma) in _moved(game, before, weights).items():
            had, won = before[who], people[who].won
            book.ratings[board, who] = Rating(
                mu, sigma, had.games + 1, had.wins + won, had.streak + 1 if won else 0
            )
    for one, other in game.pairs():
        key = (game.game, game.variant, one, other)
        had_met = book.rivals.get(key, Rival())
        ahead, behind = people[one].place < people[other].place, people[one].place > people[other].place
        book.rivals[key] = Rival(
            had_met.games + 1,
            had_met.wins + ahead,
            had_met.losses + behind,
            _cooled(had_met, game.at) + 1.0,
            max(game.at, had_met.heat_at),
        )
    return {who: book.ratings[game.boards()[0], who] for who in people}


def _cooled(rival: Rival, at: int) -> float:
    return float(rival.heat * 0.5 ** (max(0, at - rival.heat_at) / HALF_LIFE_MS))


def _weights(book: Book, game: Played) -> dict[int, float]:
    """By person, how much the game counts: on average over those of other sides."""
    found: dict[int, list[float]] = {}
    for one, other in game.pairs():
        met = book.rivals.get((game.game, game.variant, one, other), Rival())
        found.setdefault(one, []).append(weight(_cooled(met, game.at)))
    return {who: sum(each) / len(each) for who, each in found.items()}


def _moved(
    game: Played, before: Mapping[int, Rating], weights: Mapping[int, float]
) -> dict[int, tuple[float, float]]:
    """Mu and sigma of everybody after a game.

    A side is placed by who stayed. Who left it is placed by themselves: the game is looked at once more with
    their side behind all others, and only they are moved by that.
    """
    sides: dict[int, list[Seated]] = {}
    for seat in game.seats:
        sides.setdefault(seat.side, []).append(seat)
    playing = {side: seats for side, seats in sides.items() if any(s.user_id is not None for s in seats)}
    best, worst = ({side: of(s.place for s in seats) for side, seats in playing.items()} for of in (min, max))
    stayed = _looked_at(playing, before, best)
    left = stayed if best == worst else _looked_at(playing, before, worst)
    found = {}
    for who, seat in game.people().items():
        had, share = before[who], weights[who]
        mu, sigma = (stayed if seat.place == best[seat.side] else left)[who]
        found[who] = (had.mu + share * (mu - had.mu), had.sigma + share * (sigma - had.sigma))
    return found


def _looked_at(
    sides: Mapping[int, list[Seated]], before: Mapping[int, Rating], places: Mapping[int, int]
) -> dict[int, tuple[float, float]]:
    def rating(seat: Seated) -> Any:
        if seat.user_id is None:
            return _MODEL.rating(mu=LEVELS.get(levels.renamed(seat.level or ""), _MODEL.mu), sigma=_SURE)
        return _MODEL.rating(mu=before[seat.user_id].mu, sigma=before[seat.user_id].sigma)

    teams = [[rating(seat) for seat in seats] for seats in sides.values()]
    after = _MODEL.rate(teams, ranks=[float(places[side]) for side in sides])
    return {
        seat.user_id: (new.mu, new.sigma)
        for seats, team in zip(sides.values(), after, strict=True)
        for seat, new in zip(seats, team, strict=True)
        if seat.user_id is not None
    }
