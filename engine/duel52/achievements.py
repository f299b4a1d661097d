"""Achievements of Duel 52."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.achievements import Played
from engine.game import Achievement, Event

_SWIFT: Final = 30
_FEW: Final = 5
_AT_ONCE: Final = 2
_FROZEN: Final = 3


def _swift(played: Played) -> int:
    """Won within thirty turns, counting both sides."""
    return int(played.won and played.outcome.facts["turns"] <= _SWIFT)


def _killed(events: Sequence[Event], *, own: bool, seat: int) -> int:
    """Count the cards killed in a decision: the seat's own, or only those of others."""
    owners = [event.facts["owners"] for event in events if event.kind == "killed"]
    return sum((seat in each) is own for each in owners if isinstance(each, list))


def _few_losses(played: Played) -> int:
    """Won with at most five cards lost."""
    lost = sum(_killed(events, own=True, seat=played.seat) for _, events in played.steps)
    return int(played.won and lost <= _FEW)


def _two_at_once(played: Played) -> int:
    """Two enemy cards killed by one decision without an own loss."""
    seat = played.seat
    return sum(
        _killed(events, own=False, seat=seat) >= _AT_ONCE and not _killed(events, own=True, seat=seat)
        for events in played.own_steps()
    )


def _trap(played: Played) -> int:
    """A trap that another player walked into, and that killed."""
    seat = played.seat
    return sum(
        any(event.kind == "sprung" and event.seat == seat for event in events)
        and _killed(events, own=False, seat=seat) > 0
        for who, events in played.steps
        if who != seat
    )


def _healer(played: Played) -> int:
    return sum(len(each["units"]) >= _AT_ONCE for each in played.did("heal"))


def _deep_freeze(played: Played) -> int:
    return sum(len(each["units"]) >= _FROZEN for each in played.did("freeze"))


ACHIEVEMENTS: Final = (
    Achievement("swift", _swift, fair=True),
    Achievement("few_losses", _few_losses, fair=True),
    Achievement("two_at_once", _two_at_once),
    Achievement("trap", _trap),
    Achievement("healer", _healer),
    Achievement("deep_freeze", _deep_freeze),
)
