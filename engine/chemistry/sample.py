"""From what a seat knows back to a whole position: a random world that fits.

A hidden draw is a *token*: a place in a stock. What a stock holds in all is known: the first one the deck,
a later one the discard pile that was shuffled. Each card that another seat laid must have been one of its
tokens, or a card that it had openly taken. Of which stock is sometimes open, so that choice is searched.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from engine.chemistry.deck import KINDS, WILD, compounds, draw_cards
from engine.chemistry.observation import (
    DRAW,
    GAIN,
    HAND,
    HIDDEN,
    LAY,
    RUN,
    SHUFFLE,
    TAKE,
    Observation,
    parts,
)
from engine.chemistry.state import CollectState

TRIES = 30
"""Random tries before the choice is searched in full."""


@dataclass(slots=True)
class _Laid:
    """A hidden card that a seat laid: its kind, and the seat's tokens by stock up to then."""

    seat: int
    card: int
    tokens: dict[int, list[int]]


@dataclass(slots=True)
class _Story:
    """The history of a round: the hidden cards that were laid, and what each stock holds unseen."""

    laid: list[_Laid] = field(default_factory=list)
    pools: list[Counter[int]] = field(default_factory=list)


def sample(seen: Observation, rng: random.Random) -> CollectState:
    """A random world that the observer cannot tell from the real one, with a deal key of its own."""
    state = CollectState(
        seen.seats, canasta=seen.canasta, decks=seen.decks, rounds=seen.rounds, key=rng.randbytes(32)
    )
    state.orders = _orders(seen, rng)
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


def _orders(seen: Observation, rng: random.Random) -> list[list[int]]:
    """Each stock of the round, its hidden places filled in so that every card laid was really there."""
    orders = [list(order) for order in seen.orders]
    story = _story(seen)
    used: set[tuple[int, int]] = set()
    for laid, epoch in zip(story.laid, _choose(story, rng), strict=True):
        free = [at for at in laid.tokens[epoch] if (epoch, at) not in used]
        at = rng.choice(free)
        used.add((epoch, at))
        orders[epoch][at] = laid.card
        story.pools[epoch][laid.card] -= 1
    for order, pool in zip(orders, story.pools, strict=True):
        rest = sorted(pool.elements())
        rng.shuffle(rest)
        for at, card in enumerate(order):
            if card == HIDDEN:
                order[at] = rest.pop()
    return orders


def _story(seen: Observation) -> _Story:
    """Read the history as the viewer can: known cards are laid first, the others were tokens."""
    seats, opening = seen.seats, seen.seats * HAND
    story = _Story()
    deck = Counter(draw_cards(seen.decks, basic=seen.canasta))
    story.pools.append(deck - Counter(card for card in seen.orders[0] if card != HIDDEN))
    known = [Counter[int]() for _ in range(seats)]
    tokens: list[dict[int, list[int]]] = [
        {0: list(range(seat * HAND, (seat + 1) * HAND))} for seat in range(seats)
    ]
    pile = [seen.orders[0][opening]]
    epoch, at = 0, opening + 1

    def laid(seat: int, card: int) -> None:
        if seat == seen.viewer:
            return
        if known[seat][card]:
            known[seat][card] -= 1
            return
        story.laid.append(_Laid(seat, card, {e: list(places) for e, places in tokens[seat].items()}))

    for one in seen.log:
        op, seat, card = parts(one)
        if op == DRAW:
            tokens[seat].setdefault(epoch, []).append(at)
            at += 1
        elif op == TAKE:
            known[seat][pile.pop()] += 1
        elif op == GAIN:
            known[seat][card] += 1
        elif op == SHUFFLE:
            top = pile.pop()
            epoch, at = epoch + 1, 0
            visible = Counter(card for card in seen.orders[epoch] if card != HIDDEN)
            story.pools.append(Counter(pile) - visible)
            pile = [top]
        else:
            laid(seat, card)
            if op == LAY:
                pile.append(card)
    if seen.over and seen.last is not None:
        for seat, hand in enumerate(seen.last.hands):
            for card in hand:
                laid(seat, card)
    return story


def _choose(story: _Story, rng: random.Random) -> list[int]:
    """For each hidden card that was laid, the stock that it came from."""
    for _ in range(TRIES):
        chosen = _descend(story, rng, 1)
        if chosen is not None:
            return chosen
    chosen = _descend(story, rng, len(story.pools))
    if chosen is None:
        raise ValueError("no world fits this observation")
    return chosen


def _descend(story: _Story, rng: random.Random, breadth: int) -> list[int] | None:
    """Choose stock after stock by chance; where one fails, try up to `breadth` others in its place."""
    pools = [Counter(pool) for pool in story.pools]
    totals = [pool.total() for pool in pools]
    taken: Counter[tuple[int, int]] = Counter()
    chosen: list[int] = []
    rests: list[list[int]] = []

    def options(laid: _Laid) -> list[int]:
        weights = {}
        for epoch, places in laid.tokens.items():
            free = len(places) - taken[laid.seat, epoch]
            if free > 0 and pools[epoch][laid.card] > 0:
                weights[epoch] = free * pools[epoch][laid.card] / totals[epoch]
        if len(weights) < 2:
            return list(weights)
        # by chance, the likely ones first; the last of the list is tried first
        return sorted(weights, key=lambda epoch: rng.random() ** (1 / weights[epoch]))[-breadth:]

    def move(epoch: int, laid: _Laid, by: int) -> None:
        taken[laid.seat, epoch] += by
        pools[epoch][laid.card] -= by
        totals[epoch] -= by

    while len(chosen) < len(story.laid):
        rest = options(story.laid[len(chosen)])
        while not rest:
            if not chosen:
                return None
            epoch = chosen.pop()
            move(epoch, story.laid[len(chosen)], -1)
            rest = rests.pop()
        epoch = rest.pop()
        move(epoch, story.laid[len(chosen)], 1)
        chosen.append(epoch)
        rests.append(rest)
    return chosen
