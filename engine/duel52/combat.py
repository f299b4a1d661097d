"""Attacks: damage dealt and taken, deaths, the trap of the 3 (rules/duel52.md, decisions 1 to 5 and 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.duel52.cards import LONE, POINTS, VAMPIRES
from engine.duel52.marks import DIES, EXTRA, KILLED, SHOWN, SPENT, SPRINGS, STANDS, UP, Blow, Hit
from engine.game import Seat
from engine.playing_cards import EIGHT, JACK, NINE, THREE

if TYPE_CHECKING:
    from engine.duel52.state import DuelState


def points(state: DuelState, unit: int) -> int:
    """The hit points of a unit, damage not counted: face-down all are alike (decision 5)."""
    return POINTS[state.card[unit] >> 2] if state.flags[unit] & UP else LONE


def attack(state: DuelState, seat: Seat, unit: int, target: int, second: int) -> None:
    """Carry out an attack: all damage at once, then the deaths."""
    flags, card, damage = state.flags, state.card, state.damage
    mate = state.mate[unit]
    lane = state.place[unit] % state.lanes
    attackers = (unit,) if mate < 0 else (unit, mate)
    rank = card[unit] >> 2
    strength = len(attackers)
    hits = [(target, strength)] if second < 0 else [(target, strength), (second, 1)]
    back = 0
    killed = False
    struck = []
    for hit, amount in hits:
        shown = flags[hit] & UP
        face = card[hit] >> 2
        limit = LONE
        if shown:
            if face == JACK:
                limit = POINTS[JACK]
                if rank == NINE:
                    amount += 1  # noqa: PLW2901 - decision 2
            elif face == EIGHT and rank != NINE:
                back += 1
        damage[hit] += amount
        dies = damage[hit] >= limit
        killed = killed or dies
        struck.append((hit, amount, dies))
    heal = 1 if killed and state.vampiric and rank in VAMPIRES else 0
    limit = POINTS[rank]
    fought = []
    for one in attackers:
        # an Ace's second attack goes first, so that what is left is what others have
        flags[one] = flags[one] & ~EXTRA if flags[one] & EXTRA else flags[one] | SPENT
        before = damage[one]
        damage[one] = max(0, before + back - heal)
        dies = damage[one] >= limit
        fought.append((one, card[one], back, min(heal, before + back), DIES if dies else STANDS))
    targets = tuple(_fate(state, hit, amount, dies=dies) for hit, amount, dies in struck)
    state.last = blow = Blow(seat, lane, strength > 1, tuple(fought), targets)
    if state.events is not None:
        _tell(state, blow)
    for hit, _, dies in struck:
        if dies:
            _fall(state, hit)
    for one, _, _, _, fate in fought:
        if fate == DIES:
            kill(state, one)


def _trap(state: DuelState, unit: int) -> bool:
    """Whether this is a 3 that would come back face-up (decision 4)."""
    return state.card[unit] >> 2 == THREE and not state.flags[unit] & UP and not state.vampiric


def _fate(state: DuelState, unit: int, amount: int, *, dies: bool) -> Hit:
    card = state.card[unit] if state.flags[unit] & UP else -1
    if dies and _trap(state, unit):
        return (unit, state.card[unit], amount, 0, SPRINGS)
    return (unit, card, amount, 0, DIES if dies else STANDS)


def _tell(state: DuelState, blow: Blow) -> None:
    targets = [
        [unit, -1 if fate == SPRINGS else card, amount] for unit, card, amount, _, fate in blow.targets
    ]
    facts = {
        "lane": blow.lane,
        "attackers": [[unit, card] for unit, card, _, _, _ in blow.attackers],
        "targets": targets,
        "back": blow.attackers[0][2],
        "healed": [unit for unit, _, _, healed, _ in blow.attackers if healed],
    }
    state.tell("attack", blow.seat, **facts)


def _fall(state: DuelState, unit: int) -> None:
    """A unit without hit points: a face-down 3 springs, all others go."""
    if not _trap(state, unit):
        kill(state, unit)
        return
    state.flags[unit] |= UP
    state.known[unit] = 0
    state.damage[unit] = 0
    state.quiet = -1
    state.tell("sprung", state.side(unit), unit=unit, card=state.card[unit], lane=state.lane(unit))


def kill(state: DuelState, unit: int) -> None:
    """A unit goes to the discard pile, unseen if it lay face-down; its pair is a pair no more."""
    at, card = state.place[unit], state.card[unit]
    shown = state.flags[unit] & UP
    state.rows[at].remove(unit)
    state.place[unit] = -1
    state.quiet = -1
    mate = state.mate[unit]
    if mate >= 0:
        state.mate[mate] = -1
        state.mate[unit] = -1
    if shown and card >> 2 == JACK:
        state.taunts[at] -= 1
    state.gone.append((card, SHOWN, 0) if shown else (card, KILLED, state.known[unit]))
    if state.events is not None:
        side, lane = divmod(at, state.lanes)
        if shown:
            state.tell("killed", -1, unit=unit, side=side, lane=lane, card=card)
        else:
            state.tell("killed", -1, state.secret(card, state.known[unit]), unit=unit, side=side, lane=lane)
    # nothing of a card that is gone stays behind
    state.card[unit] = state.known[unit] = state.flags[unit] = state.damage[unit] = 0
