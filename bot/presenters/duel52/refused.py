"""What the rules refuse to the cards on the table, and people are likely to try."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.presenters.duel52.queries import Spot, side_of, spots
from engine.duel52.moves import ATTACKS, FLIPS, Move
from engine.duel52.observation import Observation, Unit


class Refusals(NamedTuple):
    """Decisions that are refused: `flips` of backs, attacks `by` cards that can't fight now, and attacks
    `on` cards that can't be hit now, by whoever would attack them."""

    flips: tuple[Move, ...]
    by: tuple[Move, ...]
    on: dict[int, tuple[Move, ...]]


def refusals(seen: Observation, moves: Sequence[Move]) -> Refusals:
    """What the rules refuse to the cards on the table now, and people are likely to try, beside these legal
    decisions of the viewer. All of it is public: whether a card may act or be hit never depends on what a
    back hides."""
    found = spots(seen)
    side = side_of(seen, seen.viewer or 0)
    own = [spot for spot in found.values() if spot.side == side]
    foes = {lane: _foes(found, side, lane) for lane in range(seen.setup.lanes)}
    aims: dict[int, set[int]] = {}
    for move in moves:
        if move.verb == "attack":
            aims.setdefault(move.unit, set()).update((move.target, move.second))
    by, on = list[Move](), dict[int, tuple[Move, ...]]()
    for spot in own:
        unit, enemies = spot.unit, foes[spot.lane]
        if not unit.up or not enemies:
            continue
        mate = found[unit.mate].unit if unit.mate >= 0 else unit
        if not (_can_fight(unit) and _can_fight(mate)):
            by.append(ATTACKS[unit.unit][enemies[0]])
        elif unit.unit <= mate.unit:
            open_to = aims.get(unit.unit, set())
            on[unit.unit] = tuple(ATTACKS[unit.unit][foe] for foe in enemies if foe not in open_to)
    flips = tuple(FLIPS[spot.unit.unit] for spot in own if _is_stuck(spot.unit))
    return Refusals(flips, tuple(by), on)


def _foes(found: dict[int, Spot], side: int, lane: int) -> list[int]:
    return [unit for unit, spot in found.items() if spot.lane == lane and spot.side != side]


def _can_fight(unit: Unit) -> bool:
    return unit.attacks > 0 and not unit.frozen


def _is_stuck(unit: Unit) -> bool:
    return not unit.up and (unit.frozen or unit.locked)
