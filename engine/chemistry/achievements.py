"""Achievements of Compound Capture and Chemistry Canasta."""

from __future__ import annotations

from typing import Final

from engine.achievements import Played
from engine.game import Achievement

_WILD: Final = 0
_LARGE: Final = 6
_PURE: Final = 4
_FIVE: Final = 5
_SWIFT: Final = 2
_RUNS: Final = 8
_CAPTURE_ROUND: Final = 110
_CANASTA_ROUND: Final = 220


def _large(played: Played) -> int:
    """A compound of six or more cards."""
    return sum(len(each["cards"]) >= _LARGE for each in played.did("capture"))


def _pure(played: Played) -> int:
    """A compound of four or more cards, none of them wild."""
    cards = [each["cards"] for each in played.did("capture")]
    return sum(len(each) >= _PURE and _WILD not in each for each in cards)


def _five_in_a_round(played: Played) -> int:
    return sum(len(each["compounds"]) >= _FIVE for each in played.did("made"))


def _great_round(played: Played) -> int:
    return sum(each["points"] >= _CAPTURE_ROUND for each in played.did("made"))


def _great_canasta_round(played: Played) -> int:
    return sum(each["points"] >= _CANASTA_ROUND for each in played.did("made"))


def _swift(played: Played) -> int:
    """The target reached first, within two rounds."""
    facts, reason = played.outcome.facts, played.outcome.reason
    return int(played.won and reason == "target" and facts["rounds"] <= _SWIFT)


def _every_round(played: Played) -> int:
    """Most points in every round of a match of two or more rounds, and the match won."""
    rounds = [each["points"] for each in played.told("round_over")]
    best = all(points[played.seat] == max(points) > min(points) for points in rounds)
    return int(played.won and len(rounds) > 1 and best)


def _pure_run(played: Played) -> int:
    """A run without a wild card."""
    return sum(_WILD not in each["cards"] for each in played.did("run"))


def _many_runs(played: Played) -> int:
    return sum(each["runs"] >= _RUNS for each in played.did("made"))


def _borrower(played: Played) -> int:
    """A wild card claimed from another player's run."""
    return sum(each["owner"] != played.seat for each in played.did("claim"))


def _chemist_out(played: Played) -> int:
    """Out in a round in which the player had captured a compound."""
    out = {each["round"] for each in played.did("round_over") if each["reason"] == "out"}
    made = {each["round"] for each in played.did("made") if each["compounds"]}
    return len(out & made)


CAPTURE: Final = (
    Achievement("large", _large),
    Achievement("pure", _pure),
    Achievement("five_in_a_round", _five_in_a_round),
    Achievement("great_round", _great_round),
    Achievement("swift", _swift, fair=True),
    Achievement("every_round", _every_round, fair=True),
)
CANASTA: Final = (
    Achievement("pure_run", _pure_run),
    Achievement("many_runs", _many_runs),
    Achievement("borrower", _borrower),
    Achievement("pure", _pure),
    Achievement("chemist_out", _chemist_out),
    Achievement("great_round", _great_canasta_round),
    Achievement("every_round", _every_round, fair=True),
)
