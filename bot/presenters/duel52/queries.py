"""Lookups in an observation, shared by choices, pictures and explanations."""

from __future__ import annotations

from typing import NamedTuple

from engine.duel52.cards import POINTS
from engine.duel52.marks import BOTH
from engine.duel52.observation import LaneUnit, Observation


class CardPlace(NamedTuple):
    """A card on the table: side, lane, place in its row counted from 1, and what the observer sees of it."""

    side: int
    lane: int
    position: int
    unit: LaneUnit


def spots(seen: Observation) -> dict[int, CardPlace]:
    """Return all cards on the table, by number."""
    lanes = seen.setup.lanes
    return {
        unit.unit: CardPlace(at // lanes, at % lanes, place, unit)
        for at, row in enumerate(seen.rows)
        for place, unit in enumerate(row, 1)
    }


def left(unit: LaneUnit) -> int:
    """Return the public hit points left on a card. Every back has two."""
    return (POINTS[unit.card >> 2] if unit.up else 2) - unit.damage


def before(seen: Observation) -> bool:
    """Return whether the first turn has not begun: in solo, while hands are opened and the bet is made."""
    return seen.ask is not None and seen.ask.verb in ("open", "bet")


def side_of(seen: Observation, seat: int) -> int:
    """Return the side that a seat plays for."""
    return seat % seen.setup.sides


def seats_of(seen: Observation, side: int) -> range:
    """Return the seats that play for a side."""
    return range(side, seen.setup.seats, seen.setup.sides)


def holder(seen: Observation, lane: int) -> int:
    """Return the side that has a lane to itself or left it empty, -1 for none."""
    here = [side for side in range(seen.setup.sides) if seen.row(side, lane)]
    if not here and seen.held and seen.held[lane] != BOTH:
        return seen.held[lane]
    return here[0] if len(here) == 1 else -1


def is_shared(seen: Observation, lane: int) -> bool:
    """Return whether a lane is empty and counts for both sides, once the pile is empty."""
    return bool(seen.held) and seen.held[lane] == BOTH and not seen.pile and is_empty(seen, lane)


def is_empty(seen: Observation, lane: int) -> bool:
    """Return whether no one has a card in a lane."""
    return not any(seen.row(side, lane) for side in range(seen.setup.sides))
