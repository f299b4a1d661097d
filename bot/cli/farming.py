"""How far an account gets by winning game after game against one other account."""

from __future__ import annotations

from typing import Final

from bot.store.people import EVERYWHERE
from bot.store.rating import ALL_TIME, RatedGame, Rating, RatingBoard, RatingBook, Seated, rate

HOUR: Final = 3_600_000
PACES: Final = {"minute": HOUR // 60, "hour": HOUR, "day": 24 * HOUR, "week": 7 * 24 * HOUR}


def measure(games: int) -> list[dict[str, object]]:
    """The rating of the winner after so many games, by how far they lie apart.

    Nothing here is drawn by chance: the same number of games gives the same figures.
    """
    return [_farmed(name, apart, games) for name, apart in PACES.items()]


def _farmed(name: str, apart: int, games: int) -> dict[str, object]:
    book, on = RatingBook(), RatingBoard("farmed", "", ALL_TIME, EVERYWHERE)
    seats = (Seated(1, None, 0, 1, won=True), Seated(2, None, 1, 2, won=False))
    for number in range(games):
        rate(book, RatedGame(number + 1, "farmed", "", None, number * apart, seats))
    found = book.ratings[on, 1]
    moved = found.mu - Rating().mu
    return {
        "pace": name,
        "rating": f"{found.points}{'' if found.settled else '?'}",
        "moved": found.points - Rating().points,
        "sigma": round(found.sigma, 2),
        "sigmas": round(moved / found.sigma, 2),
    }
