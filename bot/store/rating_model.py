"""How games change ratings: the model alone, without a database.

A game is settled on every board it belongs to: all-time and season (a quarter of a year), in its server and
globally. A `RatingBook` holds the ratings before and after. Updating ratings when games end and recalculating
them from the results both call `rate`, so they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import product
from math import lcm, log2
from typing import Any, Final, NamedTuple

import msgspec
from openskill.models import PlackettLuce

from bot.store.days import DAY_MS
from bot.store.people import EVERYWHERE
from engine import levels

_MODEL = PlackettLuce()
ALL_TIME: Final = 0
"""Season number of the all-time boards."""
POINTS: Final = 60
"""Points per unit of the model's scale. New players start at 1500, and no rating falls below 0."""
PROVISIONAL: Final = 7.0
"""Ratings with a sigma above this are provisional. It takes about six games against new opponents to get
below."""
HALF_LIFE_MS: Final = 120 * DAY_MS
"""Time after which a game between two people counts half as much towards how often they have met."""
COLD: Final = 0.1
"""Heat below which earlier games of a pair no longer matter: the next game has more than four fifths of its
weight."""
LONGEST_HEAT_MS: Final = 365 * DAY_MS
"""Maximum time that the games of a pair still count after one of the two was deleted."""
_SURE: Final = 1.0
"""Sigma of the fixed rating of a level."""
LEVELS: Final[Mapping[str, float]] = {
    levels.RANDOM: 10.0,
    levels.NEWCOMER: 16.0,
    levels.CASUAL: 20.0,
    levels.STEADY: 25.0,
    levels.SHARP: 28.0,
    levels.MASTER: 30.0,
}
"""Fixed ratings of computer opponents. They change no one's rating; they only fill the seats of missing
partners."""


class RatingBoard(NamedTuple):
    """A rating list: one game, one variant, a season or all time, one server or all servers."""

    game: str
    variant: str
    season: int
    guild_id: int


class Rating(msgspec.Struct, frozen=True):
    """One person's rating on a board. `wins` and `streak` are counted as in totals."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0
    wins: int = 0
    streak: int = 0

    @property
    def points(self) -> int:
        """The rating on the scale shown to players."""
        return points(self.mu)

    @property
    def sure(self) -> float:
        """A conservative estimate: mu minus three sigma, so that one lucky game does not put anyone in the
        lead."""
        return self.mu - 3 * self.sigma

    @property
    def settled(self) -> bool:
        """Whether the rating is certain enough; until then it is shown with a "?"."""
        return self.sigma <= PROVISIONAL


class Rival(msgspec.Struct, frozen=True):
    """One person's record against another in one variant of a game."""

    games: int = 0
    wins: int = 0
    losses: int = 0
    heat: float = 0.0
    """Number of times the two have met, with older games counting less."""
    heat_at: int = 0


class Seated(NamedTuple):
    """One seat of a rated game: the side it plays for, and the place its player came in."""

    user_id: int | None
    level: str | None
    side: int
    place: int
    won: bool


class RatedGame(NamedTuple):
    """A rated game."""

    game_id: int
    game: str
    variant: str
    guild_id: int | None
    at: int
    seats: tuple[Seated, ...]
    met: tuple[tuple[int, int, float, int], ...] = ()
    """Pairs who met before one of them was deleted and came back: their heat, and when they last met."""

    def boards(self) -> list[RatingBoard]:
        """Return every board that the game belongs to, starting with the global all-time board."""
        guilds = [EVERYWHERE] + ([self.guild_id] if self.guild_id else [])
        both = product(guilds, (ALL_TIME, season_of(self.at)))
        return [RatingBoard(self.game, self.variant, season, guild) for guild, season in both]

    def people(self) -> dict[int, Seated]:
        """Return the seats that people held, by person."""
        return {seat.user_id: seat for seat in self.seats if seat.user_id is not None}

    def pairs(self) -> list[tuple[int, int]]:
        """Return all ordered pairs of people who played for different sides."""
        people = self.people()
        return [(one, other) for one in people for other in people if people[one].side != people[other].side]


class RatingBook:
    """Ratings by board and person, and people's records against each other."""

    def __init__(self) -> None:
        self.ratings: dict[tuple[RatingBoard, int], Rating] = {}
        self.rivals: dict[tuple[str, str, int, int], Rival] = {}
        self.before: dict[tuple[str, str, int, int], Rival] = {}
        """Initial heat of pairs without a rival entry, see `RatedGame.met`."""

    def met(self, game: RatedGame, one: int, other: int) -> Rival:
        """Return one person's record against another in the variant of a game."""
        key = (game.game, game.variant, one, other)
        return self.rivals.get(key) or self.before.get(key, Rival())

    def recall(self, game: RatedGame) -> None:
        """Set the initial heat of pairs who met before a deletion."""
        for one, other, heat, at in game.met:
            for pair in ((one, other), (other, one)):
                self.before.setdefault((game.game, game.variant, *pair), Rival(heat=heat, heat_at=at))


def points(mu: float) -> int:
    """Return a rating on the scale that starts at 1500."""
    return max(0, round(POINTS * mu))


def season_of(at: int) -> int:
    """Return the quarter of the year (UTC) that contains a time.

    >>> season_of(0), season_of(1_793_000_000_000)
    (19701, 20264)
    """
    day = datetime.fromtimestamp(at / 1000, UTC)
    return day.year * 10 + (day.month + 2) // 3


def chance(one: Rating, other: Rating) -> float:
    """Return the estimated probability that one person beats another."""
    sides = [[_MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in (one, other)]
    return float(_MODEL.predict_win(sides)[0])


def weight(heat: float) -> float:
    """Return how much a game counts between two people with this heat.

    The sum over any number of consecutive games is below 1.65, so an account gains no more from a thousand
    games against the same opponent than from two.
    """
    return 1.0 / ((1.0 + heat) * (1.0 + heat))


def rate(book: RatingBook, game: RatedGame) -> dict[int, Rating]:
    """Settle a game on all its boards. Return the new global all-time ratings by person."""
    people = game.people()
    book.recall(game)
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
        had_met = book.met(game, one, other)
        ahead, behind = people[one].place < people[other].place, people[one].place > people[other].place
        book.rivals[key] = Rival(
            had_met.games + 1,
            had_met.wins + ahead,
            had_met.losses + behind,
            _cooled(had_met, game.at) + 1.0,
            max(game.at, had_met.heat_at),
        )
    return {who: book.ratings[game.boards()[0], who] for who in people}


def heat_expires_at(rival: Rival) -> int:
    """Return when the games of a pair no longer count if they do not meet again."""
    if rival.heat <= COLD:
        return rival.heat_at
    return rival.heat_at + min(LONGEST_HEAT_MS, int(HALF_LIFE_MS * log2(rival.heat / COLD)))


def _cooled(rival: Rival, at: int) -> float:
    return float(rival.heat * 0.5 ** (max(0, at - rival.heat_at) / HALF_LIFE_MS))


def _weights(book: RatingBook, game: RatedGame) -> dict[int, float]:
    """Return how much the game counts for each person, averaged over their opponents."""
    found: dict[int, list[float]] = {}
    for one, other in game.pairs():
        met = book.met(game, one, other)
        found.setdefault(one, []).append(weight(_cooled(met, game.at)))
    return {who: sum(each) / len(each) for who, each in found.items()}


def _moved(
    game: RatedGame, before: Mapping[int, Rating], weights: Mapping[int, float]
) -> dict[int, tuple[float, float]]:
    """Return the new mu and sigma of every player.

    A side is placed by the players who stayed. Players who left it are placed by themselves: the game is
    evaluated a second time with their side behind all others, and that result is used only for them.
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
    after = _evenly(teams, [places[side] for side in sides])
    return {
        seat.user_id: new
        for seats, team in zip(sides.values(), after, strict=True)
        for seat, new in zip(seats, team, strict=True)
        if seat.user_id is not None
    }


def _evenly(teams: list[list[Any]], places: Sequence[int]) -> list[list[tuple[float, float]]]:
    """Return the new mu and sigma of every player, without bias towards either end of the ranking or towards
    ties.

    Plackett-Luce picks a winner, then the next one among the rest. It learns more about the last than about
    the first, so the mean of a board would sink, and its update for ties would give tied winners less than
    the third. Therefore the game is evaluated from the top and from the bottom, and tied sides take each of
    their places once. The result is the mean of all these evaluations. With two sides and no tie they are all
    the same.
    """
    mirrored = [[_MODEL.rating(mu=-each.mu, sigma=each.sigma) for each in team] for team in teams]
    mu, sigma = [[0.0] * len(team) for team in teams], [[0.0] * len(team) for team in teams]
    count = 0
    for sign, sides, ends in ((1, teams, places), (-1, mirrored, [-place for place in places])):
        for ranks in _orders(ends):
            count += 1
            for side, team in enumerate(_MODEL.rate(sides, ranks=ranks)):
                for seat, new in enumerate(team):
                    mu[side][seat] += sign * new.mu
                    sigma[side][seat] += new.sigma
    return [
        [(one / count, other / count) for one, other in zip(*pair, strict=True)]
        for pair in zip(mu, sigma, strict=True)
    ]


def _orders(places: Sequence[int]) -> list[list[float]]:
    """Return orders without ties in which each tied side takes each of its places equally often.

    >>> _orders([1, 3, 1])
    [[0.0, 2.0, 1.0], [1.0, 2.0, 0.0]]
    """
    tied = [[at for at, place in enumerate(places) if place == each] for each in sorted(set(places))]
    found = []
    for turn in range(lcm(*map(len, tied))):
        best_first = [group[(turn + nth) % len(group)] for group in tied for nth in range(len(group))]
        found.append([float(best_first.index(at)) for at in range(len(places))])
    return found
