"""Ties do not move a board: among equals the mean rating stays at 1500, however often they tie."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import mean

import pytest

from bot.store.people import EVERYWHERE
from bot.store.rating_model import ALL_TIME, POINTS, RatedGame, RatingBoard, RatingBook, Seated, rate

ON = RatingBoard("probe", "", ALL_TIME, EVERYWHERE)
GAMES = 1500
START = 1500
MOST = 2.0
"""Points by which ties may move the mean of a group of equals."""
THREE = 3.0
"""The same where two of three share the win in every second game, which moves it by 2.6 points.

The model learns most about the middle place of three, and tied winners take it half of the time. So their
ratings are surer than the third's, and the third's rises further by later luck than theirs fall. If the last
two tie as often, the mean falls by as much.
"""
CLUB = 60
"""People of a club whose tables are drawn by lot."""
SIZES = range(2, 9)
SHARES = (0.1, 0.5)
"""Shares of games in which the first two tie."""


def group(seats: int, share: float, people: int, *, turn: int = 0, backwards: bool = False) -> float:
    """Return the mean rating of people of equal strength after `GAMES` games of `seats` seats.

    The games are those of a seed. `turn` and `backwards` give the same games with their places handed on.
    """
    rng, book = random.Random(f"drift/{seats}/{share}"), RatingBook()
    for number in range(GAMES):
        order = rng.sample(range(1, people + 1), seats)
        places = list(range(1, seats + 1))
        if rng.random() < share:
            places[1] = 1
        order = order[turn:] + order[:turn]
        rate(book, played(order[::-1] if backwards else order, places, number + 1))
    return POINTS * mean(book.ratings[ON, who].mu for who in range(1, people + 1))


def played(people: Sequence[int], places: Sequence[int], number: int) -> RatedGame:
    seats = (
        Seated(who, None, side, place, place == 1)
        for side, (who, place) in enumerate(zip(people, places, strict=True))
    )
    return RatedGame(number, "probe", "", None, 0, tuple(seats))


@pytest.mark.long
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("seats", SIZES)
def test_who_always_play_with_each_other_keep_their_mean(seats: int, share: float) -> None:
    assert group(seats, share, seats) == pytest.approx(START, abs=MOST)


@pytest.mark.long
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("seats", SIZES)
def test_a_club_of_equals_keeps_its_mean(seats: int, share: float) -> None:
    """The mean of one club is luck: a game moves who is new further than who is not, so 1,500 games end
    some 10 to 20 points above or below. The same games with every place held by everyone in turn cancel it.
    """
    turns = range(0, seats, 1 if seats < 6 else 2)
    found = mean(
        group(seats, share, CLUB, turn=turn, backwards=backwards)
        for turn in turns
        for backwards in (False, True)
    )
    assert found == pytest.approx(START, abs=THREE if (seats, share) == (3, 0.5) else MOST)
