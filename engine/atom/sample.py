"""From what a seat knows back to a whole position: a random world that fits.

What is known of hidden cards: the turned-up card lies with its receiver until he has played one like it;
the caller holds no copy of the called card; the other copies lie as `sides.spreads` allows, each way as
likely as it has arrangements. All other unseen cards are dealt at random.
"""

from __future__ import annotations

import random
from itertools import accumulate

from engine.atom import position as positions
from engine.atom.cards import CARDS, SLOTS, by_rank, count, flat
from engine.atom.observation import Observation
from engine.atom.sides import spreads
from engine.atom.state import AtomState
from engine.playing_cards import JOKER

_PHASES = {"call": positions.CALLING, "play": positions.PLAYING, "over": positions.OVER}


def sample(seen: Observation, rng: random.Random) -> AtomState:
    """A random world that the observer cannot tell from the real one, with a deal key of its own."""
    state = AtomState(seen.seats, rng.randbytes(32), jokers_as_three=seen.jokers_as_three)
    state.restore(seen)
    state.deals = seen.game
    state.phase = _PHASES[seen.phase]
    state.set_blade(seen.blade)
    state.turn = seen.to_act[0] if seen.to_act else 0
    ranks = state.ranks
    state.laid = [[played[rank] for rank in ranks] for played in seen.played]
    state.best_cards, state.ended = seen.best, seen.tricks
    state.hands = _hands(state, seen, rng)
    while state.calling and not state.callable(state.receiver):
        state.hands = _hands(state, seen, rng)
    state.derive()
    return state


def _hands(state: AtomState, seen: Observation, rng: random.Random) -> list[list[int]]:
    """The hands: that of the viewer, and the unseen cards at random among the others."""
    unseen = [state.packs] * CARDS
    for played in seen.played:
        for card, many in enumerate(flat(played)):
            unseen[card] -= many
    hands: list[list[int]] = [[] for _ in range(seen.seats)]
    for seat in range(seen.seats):
        if seat == seen.viewer:
            hands[seat] = [card for card, many in enumerate(seen.hand) for _ in range(many)]
    for card in hands[seen.viewer] if seen.viewer is not None else ():
        unseen[card] -= 1
    room = [many - len(hand) for many, hand in zip(seen.left, hands, strict=True)]

    def give(seat: int, card: int, many: int) -> None:
        hands[seat] += [card] * many
        unseen[card] -= many
        room[seat] -= many

    receiver = seen.receiver
    if room[receiver] and not count(seen.played[receiver][seen.turned >> 2], seen.turned):
        give(receiver, seen.turned, 1)
    called = seen.called
    if called >= 0 and seen.phase == "play":
        played = tuple(state.copies_laid(called))
        own = (seen.viewer, seen.hand[called]) if seen.viewer is not None else None
        ways = spreads(seen.caller, played, own, seen.left, False)
        dealt = rng.choices([dealt for dealt, _ in ways], cum_weights=list(accumulate(w for _, w in ways)))[0]
        for seat, many in enumerate(dealt):
            if seat != seen.viewer:
                give(seat, called, many - played[seat])
    pool = [card for card, many in enumerate(unseen) for _ in range(many)]
    rng.shuffle(pool)
    for seat, free in enumerate(room):
        hands[seat] += pool[:free]
        del pool[:free]
    slots = state.slots
    packed = []
    for hand in hands:
        held, row = by_rank(hand), [0] * SLOTS
        for rank in range(JOKER + 1):
            row[slots[rank]] = held[rank]
        packed.append(row)
    return packed
