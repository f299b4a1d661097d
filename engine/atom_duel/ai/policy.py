"""How a seat plays on in a sampled world: by a quick rule, with all powers, drawn with the world.

Cards are played as in `rollout`. What is left to chance follows from the key of the world, so the same world
goes on in the same way after each decision that is tried in it.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

from engine.atom_duel.ai.rollout import announced, offers, pick, prices
from engine.atom_duel.ai.sealing import forward
from engine.atom_duel.ai.worth import lay
from engine.atom_duel.cards import CARDS
from engine.atom_duel.moves import ANNOUNCES, FLIPS, KEEP, PLAYS, SEALS, Move
from engine.atom_duel.position import Pending
from engine.atom_duel.state import AtomDuelState
from engine.game import Seat


def policy(state: Any, seat: Seat, _rng: random.Random) -> Move:
    """The move of a seat that acts in a sampled world."""
    if state.pending is not None:
        return _answer(state, seat, state.pending)
    if state.sealing:
        return _seal(state, seat)
    row = state.rows[seat]
    if state.hidden:
        return FLIPS[max((slot for slot, card in enumerate(row) if card), key=lambda slot: luck(state, slot))]
    level, seats = state.level, state.seats
    if not state.plays:
        return plays(level, seats)[max(filter(None, row), key=lambda card: luck(state, card))]
    price, powers = prices(level, seats), announced(level, seats)
    zinc = state.zinc >> seat & 1 == 1
    cards = [
        lay(state.table, seat, card, powers[card], first_hand=state.hand == 1, zinc=zinc)
        for card in sorted(filter(None, row), key=price.__getitem__)
    ]
    at = pick(cards, state.plays, state.kinds, len(state.to_play()) - 1, offers(level, seats))
    return plays(level, seats)[cards[at][1]]


def luck(state: AtomDuelState, number: int) -> int:
    """A number for a card or a slot of a world, by chance, but always the same one in this world."""
    return state.key[(number + 11 * (number >> 5)) & 31]


@lru_cache(maxsize=32)
def plays(level: int, seats: int) -> tuple[Move, ...]:
    """By card: to play it with the announcement with which it wins most often."""
    powers, known = announced(level, seats), PLAYS[level]
    return (KEEP, *(next(move for move in known[card] if move.power == powers[card]) for card in CARDS))


def _seal(state: AtomDuelState, seat: Seat) -> Move:
    """What works at once goes to the front of a row, all else by chance."""
    table, powers = state.table, announced(state.level, state.seats)
    done = {card for card, _ in state.sealed[seat]}
    left = [card for card in state.rows[seat] if card and card not in done]
    card = max(
        left,
        key=lambda card: forward(table, card, powers[card] or table.powers[card]) + luck(state, card) / 256,
    )
    return next(move for move in SEALS[card] if move.power == powers[card])


def _answer(state: AtomDuelState, seat: Seat, pending: Pending) -> Move:
    """Answer the choice of a power: give the worst, and take, hit or look at anything."""
    price = prices(state.level, state.seats)
    if pending.verb == "announce":
        return ANNOUNCES[announced(state.level, state.seats)[pending.card]]
    moves = state.legal_actions(seat)
    if pending.verb == "trade":
        worst = sorted(price[card] for card in state.rows[seat] if card)[:2]
        moves = moves[:-1] if sum(worst) < 2 / state.seats else moves[-1:]
    if pending.verb == "give" and moves[0].card:
        return min(moves, key=lambda move: price[move.card])
    return max(moves, key=lambda move: luck(state, 7 * move.seat + move.slot))
