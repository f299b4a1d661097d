"""What is worth remembering of a match of Atom."""

from __future__ import annotations

from typing import Final

from engine.achievements import Played
from engine.game import Achievement

_BIG_BOMB: Final = 8
_RICH: Final = 100
_DOUBLE: Final = 2


def _first_out(played: Played) -> int:
    """Out first, and the match won."""
    return int(played.won and any(out["place"] == 1 for out in played.did("out")))


def _sweep(played: Played) -> int:
    """The whole side out before anybody else."""
    return sum(each["sweep"] == each["teams"][played.seat] for each in played.told("settled"))


def _double(played: Played) -> int:
    """Won double or triple."""
    return int(played.won and played.outcome.facts["score"] >= _DOUBLE)


def _big_bomb(played: Played) -> int:
    return sum(each["sort"] == "bomb" and len(each["cards"]) >= _BIG_BOMB for each in played.did("play"))


def _nuke(played: Played) -> int:
    return sum(each["sort"] == "nuke" for each in played.did("play"))


def _rich_trick(played: Played) -> int:
    return sum(each["points"] >= _RICH for each in played.did("trick"))


def _last_bang(played: Played) -> int:
    """Out with an atom or a nuke."""
    strong = ("atom", "nuke")
    return sum(each["left"] == 0 and each["sort"] in strong for each in played.did("play"))


ACHIEVEMENTS: Final = (
    Achievement("first_out", _first_out, fair=True),
    Achievement("sweep", _sweep, fair=True),
    Achievement("double", _double, fair=True),
    Achievement("big_bomb", _big_bomb),
    Achievement("nuke", _nuke),
    Achievement("rich_trick", _rich_trick),
    Achievement("last_bang", _last_bang),
)
