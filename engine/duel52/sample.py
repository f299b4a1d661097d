"""Sampling: from what a seat knows back to a complete random position that fits.

Everything except the identity of unseen cards is public. One deduction about them is possible: a card that
was killed face-down and did not spring is not a 3, unless 3s are Vampiric.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, TypeAlias

from engine.duel52.cards import VARIANTS
from engine.duel52.marks import EXTRA, FROZEN, KILLED, LOCKED, SHOWN, SPENT, UP, Hit
from engine.duel52.observation import HIDDEN, HitView, LaneUnit, Observation
from engine.duel52.state import DuelState
from engine.game import Event, Viewer
from engine.playing_cards import DECK52, THREE

World: TypeAlias = DuelState
"""A position sampled from an observation, the only kind that opponents may search."""


def sample(seen: Observation, rng: random.Random) -> DuelState:
    """Return a random position that the observer cannot tell from the real one."""
    state = DuelState(VARIANTS[seen.variant], vampiric=seen.vampiric)
    hidden, killed = _unseen(seen, rng)
    state.restore(seen)
    if seen.last is not None:
        last = seen.last
        state.last = (last.seat, last.lane, last.paired, _hits(last.attackers), _hits(last.targets))
    state.hands = [
        list(hand) if hand else sorted(hidden.pop() for _ in range(count))
        for hand, count in zip(seen.hands, seen.counts, strict=True)
    ]
    state.gone = [
        (
            one.card if one.card != HIDDEN else (killed if one.way == KILLED else hidden).pop(),
            one.way,
            one.knowers,
        )
        for one in seen.gone
    ]
    _lay(state, seen, hidden)
    state.drawn = seen.drawn
    if seen.ask is not None and seen.ask.verb == "discard" and seen.viewer != seen.turn and seen.drawn < 0:
        state.drawn = rng.choice(state.hands[seen.turn])
    state.pile, state.aside = tuple(hidden[: seen.pile]), tuple(hidden[seen.pile :])
    state.derive()
    return state


def conditioned_on(world: World, told: Event, viewer: Viewer) -> World:
    """Return the sample with the true card under a back that was flipped, if the viewer did not know it.

    The true card swaps places with the sampled one. The sample stays unchanged if the viewer can see the true
    card elsewhere.
    """
    if told.kind != "flip":
        return world
    facts: Mapping[str, Any] = told.facts
    unit, card = facts["unit"], facts["card"]
    sees = 0 if viewer is None else 1 << viewer
    other = world.card[unit]
    if other == card or world.flags[unit] & UP or world.known[unit] & sees:
        return world
    if not _exchanged(world, card, other, viewer, sees):
        return world
    world.card[unit] = card
    world.derive()
    return world


def _exchanged(world: World, card: int, other: int, viewer: Viewer, sees: int) -> bool:
    """Put `other` where `card` is hidden. Return whether it may be there."""
    if card == world.drawn:
        return False
    for seat, hand in enumerate(world.hands):
        if seat != viewer and card in hand:
            world.hands[seat] = sorted({*hand, other} - {card})
            return True
    for place, (gone, way, knowers) in enumerate(world.gone):
        if gone == card and way != SHOWN and not knowers & sees:
            if way == KILLED and other >> 2 == THREE and not world.vampiric:
                return False
            world.gone[place] = (other, way, knowers)
            return True
    for row in world.rows:
        for unit in row:
            if world.card[unit] == card and not (world.flags[unit] & UP or world.known[unit] & sees):
                world.card[unit] = other
                return True
    if card in world.pile or card in world.aside:
        world.pile = tuple(other if one == card else one for one in world.pile)
        world.aside = tuple(other if one == card else one for one in world.aside)
        return True
    return False


def _hits(hits: tuple[HitView, ...]) -> tuple[Hit, ...]:
    return tuple((hit.unit, hit.card, hit.damage, hit.healed, hit.fate) for hit in hits)


def _unseen(seen: Observation, rng: random.Random) -> tuple[list[int], list[int]]:
    """Return the unknown cards, shuffled: those for any place, and those killed face-down."""
    known = {card for hand in seen.hands for card in hand}
    known.update(unit.card for row in seen.rows for unit in row)
    known.update(one.card for one in seen.gone)
    pool = [card for card in DECK52 if card not in known]
    rng.shuffle(pool)
    count = sum(one.way == KILLED and one.card == HIDDEN for one in seen.gone)
    fit = pool if seen.vampiric else [card for card in pool if card >> 2 != THREE]
    killed = fit[:count]
    taken = set(killed)
    return [card for card in pool if card not in taken], killed


def _flags(unit: LaneUnit) -> int:
    flag = 0
    if unit.up:
        flag |= UP if unit.attacks else UP | SPENT
    if unit.frozen:
        flag |= FROZEN
    if unit.extra:
        flag |= EXTRA
    if unit.locked:
        flag |= LOCKED
    return flag


def _lay(state: DuelState, seen: Observation, hidden: list[int]) -> None:
    for values in (state.card, state.flags, state.damage, state.known):
        values.extend([0] * seen.laid)
    state.mate.extend([-1] * seen.laid)
    for at, row in enumerate(seen.rows):
        for unit in row:
            one = unit.unit
            state.card[one] = unit.card if unit.card != HIDDEN else hidden.pop()
            state.flags[one] = _flags(unit)
            state.damage[one] = unit.damage
            state.mate[one] = unit.mate
            state.known[one] = unit.knowers
            state.rows[at].append(one)
