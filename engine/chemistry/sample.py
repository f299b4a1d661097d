"""From what a seat knows back to a whole position: a random world that fits."""

from __future__ import annotations

import random

from engine.chemistry.deck import KINDS, WILD, compounds
from engine.chemistry.filling import fill
from engine.chemistry.observation import (
    DRAW,
    GAIN,
    HAND,
    RUN,
    SHUFFLE,
    TAKE,
    Observation,
    parts,
)
from engine.chemistry.state import CollectState


def sample(seen: Observation, rng: random.Random) -> CollectState:
    """A random world that the observer cannot tell from the real one, with a deal key of its own."""
    state = CollectState(
        seen.seats, canasta=seen.canasta, decks=seen.decks, rounds=seen.rounds, key=rng.randbytes(32)
    )
    state.orders = fill(seen, rng)
    state.order = state.orders[-1]
    state.at = len(state.order) - seen.stock
    state.round, state.dealer, state.turn = seen.round, seen.dealer, seen.turn
    state.phase, state.took, state.dry = seen.phase, seen.took, seen.dry
    state.log = list(seen.log)
    state.discard = list(seen.discard)
    state.sizes = list(seen.sizes)
    state.hands = _hands(seen, state.orders)
    unseen = sorted(set(compounds(seen.decks)).difference(seen.turned))
    rng.shuffle(unseen)
    state.stack = [*seen.turned, *unseen]
    state.up = len(seen.turned)
    state.total = len(state.stack)
    state.row = list(seen.row)
    state.captured = [list(cards) for cards in seen.captured]
    state.runs = [list(laid) for laid in seen.runs]
    state.wilds = open_wilds(seen)
    state.totals = list(seen.totals)
    state.last = seen.last
    return state


def open_wilds(seen: Observation) -> list[tuple[int, int, int]]:
    """The wild cards in runs, as (number, seat, place), in the order in which they were laid."""
    laid = [
        (start + step, seat, place)
        for seat, runs in enumerate(seen.runs)
        for place, (start, cards) in enumerate(runs)
        for step, card in enumerate(cards)
        if card == WILD
    ]
    turns = _laying_order(seen)
    return sorted(laid, key=lambda one: (turns[one[1], one[2]], one[0]))


def _laying_order(seen: Observation) -> dict[tuple[int, int], int]:
    """When each run was laid: by (seat, place), from the history."""
    found: dict[tuple[int, int], int] = {}
    counts = [0] * seen.seats
    skip = 0
    log = seen.log
    for number, one in enumerate(log):
        op, seat, _ = parts(one)
        if skip:
            skip -= 1
        elif op == RUN and not (number + 1 < len(log) and parts(log[number + 1])[0] == GAIN):
            found[seat, counts[seat]] = number
            counts[seat] += 1
            skip = 2
    return found


def _hands(seen: Observation, orders: list[list[int]]) -> list[bytearray]:
    """The hands that the history leads to."""
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
