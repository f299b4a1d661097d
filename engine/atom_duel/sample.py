"""From what a seat knows back to a whole position: a random world that fits.

Known cards go where they can be, smallest sets first: the sets are nested or apart (`knowledge`), so
that makes every arrangement equally likely. All other slots and the deck share the unseen cards.
"""

from __future__ import annotations

import random

from engine.atom_duel import position as positions
from engine.atom_duel.cards import CARDS, DEAD, PLUS_FIVE, Table
from engine.atom_duel.evaluate import Played
from engine.atom_duel.knowledge import relive
from engine.atom_duel.observation import HIDDEN, HandView, Observation, Place, PlayView
from engine.atom_duel.position import LastHand, Pending
from engine.atom_duel.state import AtomDuelState


def sample(seen: Observation, rng: random.Random) -> AtomDuelState:
    """A random world that the observer cannot tell from the real one, with a deal key of its own."""
    state = AtomDuelState(seen.level, seen.seats, seen.hand_size, seen.rounds, rng.randbytes(32))
    state.restore(seen)
    state.turn = seen.to_act[0] if seen.to_act else 0
    state.phase = positions.OVER if seen.over else positions.SEALING if seen.sealing else positions.PLAYING
    state.plays = [played(play, state.table) for play in seen.plays]
    for seat in seen.zinc:
        state.zinc |= 1 << seat
    state.last = _last(seen.last_hand, state.table) if seen.last_hand else None
    state.earlier = tuple(_last(hand, state.table) for hand in seen.earlier)
    if seen.pending is not None:
        asked = seen.pending
        state.pending = Pending(asked.verb, asked.card, asked.target, asked.own, asked.slots)
    _lay(state, seen, rng)
    if seen.sealing:
        _seal(state, seen, rng)
    elif seen.simultaneous:
        _announce(state, seen, rng)
    if seen.looks:
        state.knowledge = relive(state.rows, seen.looks, seen.memories, rng)
    state.derive()
    return state


def played(view: PlayView, table: Table) -> Played:
    """The card in the hand as the rules hold it."""
    bits = table.announced[view.card].get(view.power, table.bits[view.card])
    if view.dead:
        bits = DEAD
    elif view.plus_five:
        bits |= PLUS_FIVE
    return (view.number2, view.card, view.seat, bits, view.power)


def _last(view: HandView, table: Table) -> LastHand:
    return LastHand(view.round, view.hand, view.leader, tuple(played(play, table) for play in view.plays))


def _lay(state: AtomDuelState, seen: Observation, rng: random.Random) -> None:
    """Deal the unseen cards to the hidden slots and the deck."""
    rows = [list(row) for row in seen.rows]
    unseen = set(CARDS).difference(seen.gone)
    hidden: set[Place] = set()
    for seat, row in enumerate(rows):
        for slot, card in enumerate(row):
            if card == HIDDEN:
                hidden.add((seat, slot))
            else:
                unseen.discard(card)
    for group in seen.groups:  # they ascend by places, so a set comes after all that lie within it
        free = [at for at in group.places if at in hidden]
        for card, (seat, slot) in zip(group.cards, rng.sample(free, len(group.cards)), strict=True):
            rows[seat][slot] = card
            hidden.remove((seat, slot))
            unseen.remove(card)
    pool = sorted(unseen)
    rng.shuffle(pool)
    for seat, slot in sorted(hidden):
        rows[seat][slot] = pool.pop()
    state.rows = rows
    state.deck = pool


def _any_power(state: AtomDuelState, card: int, rng: random.Random) -> str:
    choices = state.table.choices[card]
    return rng.choice(choices) if choices else ""


def _seal(state: AtomDuelState, seen: Observation, rng: random.Random) -> None:
    """The viewer's own row is known; of the others only whether it is complete."""
    for seat, row in enumerate(state.rows):
        if seat == seen.viewer:
            state.sealed.append(list(seen.sealed))
            continue
        cards = [card for card in row if card]
        # any length fits an unfinished row; the longer of two draws shows more orders for the price
        short = max(rng.randrange(len(cards)), rng.randrange(len(cards)))
        done = short if seat in seen.to_act else len(cards)
        state.sealed.append([(card, _any_power(state, card, rng)) for card in rng.sample(cards, done)])


def _announce(state: AtomDuelState, seen: Observation, rng: random.Random) -> None:
    known = dict(seen.announced)
    for row in state.rows:
        for card in row:
            if state.table.choices[card]:
                state.announced[card] = known.get(card) or _any_power(state, card, rng)
