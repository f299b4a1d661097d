"""Attacks: damage, deaths, the trap of the 3 (docs/rules/duel52.md, decisions 1 to 5 and 11)."""

from __future__ import annotations

from engine.duel52.cards import LONE, POINTS, VAMPIRES
from engine.duel52.marks import DIES, EXTRA, KILLED, SHOWN, SPENT, SPRINGS, STANDS, UP, Blow
from engine.duel52.menu import rested, touch
from engine.duel52.position import Position
from engine.game import Seat
from engine.playing_cards import EIGHT, JACK, NINE, THREE


def points(state: Position, unit: int) -> int:
    """The hit points of a unit, damage not counted: face-down all are alike (decision 5)."""
    return POINTS[state.card[unit] >> 2] if state.flags[unit] & UP else LONE


def attack(state: Position, seat: Seat, unit: int, target: int, second: int) -> None:
    """Carry out an attack: all damage at once, then the deaths."""
    flags, card, damage = state.flags, state.card, state.damage
    mate = state.mate[unit]
    at = state.place[unit]
    rank = card[unit] >> 2
    strength = 1 if mate < 0 else 2
    back = 0
    fates = STANDS
    targets = []
    for hit, dealt in ((target, strength),) if second < 0 else ((target, strength), (second, 1)):
        amount, limit, face, seen = dealt, LONE, card[hit] >> 2, -1
        if flags[hit] & UP:
            seen = card[hit]
            if face == JACK:
                limit = POINTS[JACK]
                if rank == NINE:
                    amount += 1  # decision 2
            elif face == EIGHT and rank != NINE:
                back += 1
        damage[hit] = now = damage[hit] + amount
        fate = STANDS
        if now >= limit:
            fate = DIES
            if face == THREE and seen < 0 and not state.vampiric:
                fate, seen = SPRINGS, card[hit]
            fates = fate
        targets.append((hit, seen, amount, 0, fate))
    heal = 1 if fates and state.vampiric and rank in VAMPIRES else 0
    fought, tired = [], 0
    for one in (unit,) if mate < 0 else (unit, mate):
        # an Ace's second attack goes first, so that what is left is what others have
        flags[one] = flags[one] & ~EXTRA if flags[one] & EXTRA else flags[one] | SPENT
        tired |= flags[one] & SPENT
        fate, healed = STANDS, 0
        if back or heal:
            hurt = damage[one] + back
            healed = min(heal, hurt)
            damage[one] = hurt - healed
            if hurt - healed >= POINTS[rank]:
                fate = fates = DIES
        fought.append((one, card[one], back, healed, fate))
    state.last = Blow(seat, at % state.lanes, strength > 1, tuple(fought), tuple(targets))
    if state.events is not None:
        _tell(state, state.last)
    if fates:
        touch(state, at % state.lanes)
        for hit, _, _, _, fate in (*targets, *fought):
            if fate == DIES:
                kill(state, hit)
            elif fate == SPRINGS:
                _spring(state, hit)
    elif tired:
        rested(state, at, unit if mate < 0 else min(unit, mate))


def _tell(state: Position, blow: Blow) -> None:
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


def _spring(state: Position, unit: int) -> None:
    """A 3 that was killed face-down stands again, face-up and whole (decision 4)."""
    state.flags[unit] |= UP
    state.known[unit] = 0
    state.damage[unit] = 0
    state.quiet = -1
    state.tell("sprung", state.side(unit), unit=unit, card=state.card[unit], lane=state.lane(unit))


def kill(state: Position, unit: int) -> None:
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
        owners = state.owners(side)
        if shown:
            state.tell("killed", -1, unit=unit, owners=owners, lane=lane, card=card)
        else:
            state.tell(
                "killed", -1, state.secret(card, state.known[unit]), unit=unit, owners=owners, lane=lane
            )
    # nothing of a card that is gone stays behind
    state.card[unit] = state.known[unit] = state.flags[unit] = state.damage[unit] = 0
