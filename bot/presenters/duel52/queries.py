"""Where a card lies, found in an observation: what tree, pictures and explanations share."""

from __future__ import annotations

from typing import NamedTuple

from engine.duel52.cards import POINTS
from engine.duel52.observation import Observation, Unit


class Spot(NamedTuple):
    """A card on the table: side, lane, its place in its row from 1, and what is seen of it."""

    side: int
    lane: int
    position: int
    unit: Unit


def spots(seen: Observation) -> dict[int, Spot]:
    """All cards on the table, by number."""
    lanes = seen.setup.lanes
    return {
        unit.unit: Spot(at // lanes, at % lanes, place, unit)
        for at, row in enumerate(seen.rows)
        for place, unit in enumerate(row, 1)
    }


def left(unit: Unit) -> int:
    """The hit points that everybody sees left on a card: a back has two, whatever it hides."""
    return (POINTS[unit.card >> 2] if unit.up else 2) - unit.damage


def before(seen: Observation) -> bool:
    """Whether the first turn is still to come: in solo, while the hands are opened and the bet is made."""
    return seen.ask is not None and seen.ask.verb in ("open", "bet")


def side_of(seen: Observation, seat: int) -> int:
    """The side for which a seat plays."""
    return seat % seen.setup.sides


def seats_of(seen: Observation, side: int) -> range:
    """The seats that play for a side."""
    return range(side, seen.setup.seats, seen.setup.sides)


def alone(seen: Observation, lane: int) -> int:
    """The side that is the only one with cards in a lane, -1 where none or several are."""
    here = [side for side in range(seen.setup.sides) if seen.row(side, lane)]
    return here[0] if len(here) == 1 else -1
