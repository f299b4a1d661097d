"""Actions on the table that the rules refuse although people are likely to try them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.presenters.duel52.queries import CardPlace, side_of, spots
from engine.duel52.moves import ATTACKS, FLIPS, Move
from engine.duel52.observation import LaneUnit, Observation


class Refusals(NamedTuple):
    """Refused decisions: `flips` of backs, attacks `by` cards that can't fight now, and attacks `on` cards
    that can't be hit now, by attacker."""

    flips: tuple[Move, ...]
    by: tuple[Move, ...]
    on: dict[int, tuple[Move, ...]]


def refusals(seen: Observation, moves: Sequence[Move]) -> Refusals:
    """Return the actions on the table that are refused now but likely to be tried.

    `moves` are the viewer's legal decisions. All of this is public: the cards that may act or be hit never
    depend on what a back hides.
    """
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


def _foes(found: dict[int, CardPlace], side: int, lane: int) -> list[int]:
    return [unit for unit, spot in found.items() if spot.lane == lane and spot.side != side]


def _can_fight(unit: LaneUnit) -> bool:
    return unit.attacks > 0 and not unit.frozen


def _is_stuck(unit: LaneUnit) -> bool:
    return not unit.up and (unit.frozen or unit.locked)
