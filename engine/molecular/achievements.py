"""The achievements of Molecular."""

from __future__ import annotations

from typing import Final

from engine.achievements import Played
from engine.game import Achievement

_GREAT_GROUP: Final = 8
_GROUPS: Final = 5
_TILE: Final = 5
_CLEAR: Final = 12
_KINDS: Final = 3


def _great_group(played: Played) -> int:
    """Count group cards played for eight points or more."""
    return sum(each["points"] >= _GREAT_GROUP for each in played.did("group"))


def _collector(played: Played) -> int:
    """Return 1 if five or more groups scored."""
    return int(sum(each["points"] > 0 for each in played.did("group")) >= _GROUPS)


def _all_sorts(played: Played) -> int:
    """Return 1 if three different groups scored and no group card scored nothing."""
    found = [(each["group"], each["points"]) for each in played.did("group")]
    return int(len({group for group, _ in found}) >= _KINDS and all(points > 0 for _, points in found))


def _keystone(played: Played) -> int:
    """Count tiles played for five points or more."""
    return sum(each["points"] >= _TILE for each in played.did("tile"))


def _clear_win(played: Played) -> int:
    """Return 1 if the seat won by twelve points or more."""
    scores = [standing.score for standing in played.outcome.standings]
    others = [score for seat, score in enumerate(scores) if seat != played.seat]
    return int(played.won and scores[played.seat] >= max(others) + _CLEAR)


def _nothing_wasted(played: Played) -> int:
    """Return 1 if the seat won without passing or giving anything up."""
    wasted = [*played.did("pass"), *played.did("forfeit"), *played.did("no_free_tile")]
    return int(played.won and not wasted)


ACHIEVEMENTS: Final = (
    Achievement("great_group", _great_group),
    Achievement("collector", _collector),
    Achievement("all_sorts", _all_sorts),
    Achievement("keystone", _keystone),
    Achievement("clear_win", _clear_win, fair=True),
    Achievement("nothing_wasted", _nothing_wasted, fair=True),
)
