"""Attacks: damage, deaths, the trap of the 3 (docs/rules/duel52.md, decisions 1 to 5 and 11)."""

from __future__ import annotations

from engine.duel52.cards import LONE, POINTS, VAMPIRES
from engine.duel52.marks import DIES, EXTRA, FACES, KILLED, SHOWN, SPENT, SPRINGS, STANDS, UP, Blow, Hit
from engine.duel52.menu import changed, touch
from engine.duel52.position import Position
from engine.game import Seat
from engine.playing_cards import EIGHT, JACK, NINE, THREE


def points(state: Position, unit: int) -> int:
    """Return a unit's hit points before damage; all face-down cards are alike (decision 5)."""
    return POINTS[state.card[unit] >> 2] if state.flags[unit] & UP else LONE


def attack(state: Position, seat: Seat, unit: int, target: int, second: int) -> None:
    """Carry out an attack: all damage at once, then the deaths."""
    mate = state.mate[unit]
    at = state.place[unit]
    rank = state.card[unit] >> 2
    strength = 1 if mate < 0 else 2
    struck = _struck(state, target, strength, rank)
    targets: tuple[Hit, ...] = (struck,)
    fates = struck[4]
    eights = 1 if struck[1] >> 2 == EIGHT else 0
    if second >= 0:
        struck = _struck(state, second, 1, rank)
        targets += (struck,)
        fates |= struck[4]
        eights += struck[1] >> 2 == EIGHT
    back = 0 if rank == NINE else eights
    heal = 1 if fates and state.vampiric and rank in VAMPIRES else 0
    spent = _spent(state, unit, back, heal)
    attackers: tuple[Hit, ...] = (spent,)
    fates |= spent[4]
    if mate >= 0:
        spent = _spent(state, mate, back, heal)
        attackers += (spent,)
        fates |= spent[4]
    state.last = last = (seat, at % state.lanes, mate >= 0, attackers, targets)
    if state.events is not None:
        _tell(state, last)
    if fates:
        touch(state, at % state.lanes)
        for hit, _, _, _, fate in targets + attackers:
            if fate == DIES:
                kill(state, hit)
            elif fate == SPRINGS:
                _spring(state, hit)
    else:
        state.menus[at] = None


def _struck(state: Position, unit: int, amount: int, by: int) -> Hit:
    """Damage a target of a card of rank `by`. The caller carries out its fate."""
    card = state.card[unit]
    limit, seen, fate = LONE, -1, STANDS
    if state.flags[unit] & UP:
        seen = card
        if card >> 2 == JACK:
            limit = POINTS[JACK]
            if by == NINE:
                amount += 1  # decision 2
    now = state.damage[unit] + amount
    state.damage[unit] = now
    if now >= limit:
        fate = DIES
        if seen < 0 and card >> 2 == THREE and not state.vampiric:
            fate, seen = SPRINGS, card
    return unit, seen, amount, 0, fate


def _spent(state: Position, unit: int, back: int, heal: int) -> Hit:
    """Use up an attack of a card, and apply the damage it takes back and the healing it gets."""
    flags = state.flags
    flag = flags[unit]
    # an Ace's second attack is used up first, so that the remaining one is like any other's
    if flag & EXTRA:
        flags[unit] = flag & ~EXTRA
        state.marked.discard(unit)
    else:
        flags[unit] = flag | SPENT
        state.marked.add(unit)
    card = state.card[unit]
    if not back and not heal:
        return unit, card, 0, 0, STANDS
    hurt = state.damage[unit] + back
    healed = min(heal, hurt)
    state.damage[unit] = hurt - healed
    return unit, card, back, healed, DIES if hurt - healed >= POINTS[card >> 2] else STANDS


def _tell(state: Position, blow: Blow) -> None:
    seat, lane, _, attackers, targets = blow
    facts = {
        "lane": lane,
        "attackers": [[unit, card] for unit, card, _, _, _ in attackers],
        "targets": [
            [unit, -1 if fate == SPRINGS else card, amount] for unit, card, amount, _, fate in targets
        ],
        "back": attackers[0][2],
        "healed": [unit for unit, _, _, healed, _ in attackers if healed],
    }
    state.tell("attack", seat, **facts)


def _spring(state: Position, unit: int) -> None:
    """Turn a 3 that was killed face-down back face-up and undamaged (decision 4)."""
    changed(state, state.place[unit])
    state.flags[unit] |= UP
    state.faces[state.place[unit]] += FACES[state.card[unit]]
    state.known[unit] = 0
    state.damage[unit] = 0
    state.quiet = -1
    state.tell("sprung", state.side(unit), unit=unit, card=state.card[unit], lane=state.lane(unit))


def kill(state: Position, unit: int) -> None:
    """Discard a unit, unseen if it was face-down, and break its pair."""
    at, card = state.place[unit], state.card[unit]
    shown = state.flags[unit] & UP
    state.rows[at].remove(unit)
    changed(state, at)
    state.place[unit] = -1
    state.quiet = -1
    mate = state.mate[unit]
    if mate >= 0:
        state.mate[mate] = -1
        state.mate[unit] = -1
    if shown:
        state.faces[at] -= FACES[card]
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
    # keep no data of a card that is gone
    state.marked.discard(unit)
    state.card[unit] = state.known[unit] = state.flags[unit] = state.damage[unit] = 0
