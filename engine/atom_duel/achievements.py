"""What is worth remembering of a game of Atom Duel."""

from __future__ import annotations

from typing import Final

from engine.achievements import Played
from engine.game import Achievement

_SMALL: Final = 10
_ROUNDS: Final = 3
_BEHIND: Final = 2
_BEATEN: Final = ("anti", "stopper", "beats_alloy", "magnet_beats")
"""What a hand tells where a power has beaten cards."""


def _clean_round(played: Played) -> int:
    """Every hand of a round, three at least."""
    rounds = [each["won"] for each in played.told("round_over")]
    return sum(won[played.seat] == sum(won) >= _ROUNDS for won in rounds)


def _comeback(played: Played) -> int:
    """Two points behind before the last round, and the game won."""
    points = [each["points"] for each in played.told("round_over")]
    return int(played.won and len(points) > 1 and points[-2][played.seat] <= max(points[-2]) - _BEHIND)


def _in_front(played: Played) -> int:
    """Alone in front after each of three rounds or more, and the game won."""
    points = [each["points"] for each in played.told("round_over")]

    def ahead(now: list[int]) -> bool:
        return all(now[played.seat] > other for seat, other in enumerate(now) if seat != played.seat)

    return int(played.won and len(points) >= _ROUNDS and all(map(ahead, points)))


def _small_card(played: Played) -> int:
    """A hand won with one of the first ten elements."""
    return sum(each["card"] <= _SMALL for each in played.did("hand_won"))


def _giant_slayer(played: Played) -> int:
    """A hand won by a power that beats what is higher."""
    return sum(
        any(
            line["kind"] in _BEATEN and line["seat"] == played.seat and line["card"] == each["card"]
            for line in each["trace"]
        )
        for each in played.did("hand_won")
    )


def _alloy(played: Played) -> int:
    """A hand won with an alloy."""
    return sum(
        any(line["kind"] == "alloy" and line["seat"] == played.seat for line in each["trace"])
        for each in played.did("hand_won")
    )


ACHIEVEMENTS: Final = (
    Achievement("clean_round", _clean_round, fair=True),
    Achievement("comeback", _comeback, fair=True),
    Achievement("in_front", _in_front, fair=True),
    Achievement("small_card", _small_card),
    Achievement("giant_slayer", _giant_slayer),
    Achievement("alloy", _alloy),
)
