"""Sampling: from what a seat knows back to a complete random position that fits."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.chemistry.deck import KINDS, compounds
from engine.chemistry.filling import fill, read
from engine.chemistry.observation import (
    DRAW,
    GAIN,
    HAND,
    SHUFFLE,
    TAKE,
    Observation,
    parts,
)
from engine.chemistry.state import CollectState


def sample(seen: Observation, rng: random.Random) -> CollectState:
    """Return a random position the observer cannot tell from the real one, with its own deal key."""
    state = CollectState(
        seen.seats, canasta=seen.canasta, decks=seen.decks, rounds=seen.rounds, key=rng.randbytes(32)
    )
    state.restore(seen)
    state.orders = list(fill(seen, read(seen), rng))
    state.at = len(state.orders[-1]) - seen.stock
    state.hands = hands_of(seen, state.orders)
    unseen = sorted(set(compounds(seen.decks)).difference(seen.turned))
    rng.shuffle(unseen)
    state.stack = [*seen.turned, *unseen]
    state.up = len(seen.turned)
    state.derive()
    return state


def hands_of(seen: Observation, orders: Sequence[Sequence[int]]) -> list[bytearray]:
    """Return the hands that the history leads to."""
    hands = [bytearray(KINDS) for _ in range(seen.seats)]
    for seat, hand in enumerate(hands):
        for card in orders[0][seat * HAND : (seat + 1) * HAND]:
            hand[card] += 1
    epoch, at = 0, seen.seats * HAND + 1
    for one in seen.log:
        op, seat, card = parts(one)
        if op == DRAW:
            hands[seat][orders[epoch][at]] += 1
            at += 1
        elif op in (TAKE, GAIN):
            hands[seat][card] += 1
        elif op == SHUFFLE:
            epoch, at = epoch + 1, 0
        else:
            hands[seat][card] -= 1
    return hands
