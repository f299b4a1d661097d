"""An opponent that counts: it knows which cards are still out and what each of them is worth.

Every decision is a score for each legal move. A card is scored by the chance to win the game, found by
playing out the rest of the round in worlds that fit what the seat knows (`rollout`), and by what its power
does besides. The only input is an observation.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.ai.choosers import Best
from engine.atom_duel.ai.rollout import outlooks, prices
from engine.atom_duel.ai.sealing import seals
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import HIDDEN, Observation


def scores(seen: Observation, actions: Sequence[Move], rng: random.Random) -> list[float]:
    """By move: how good it looks."""
    return _SCORERS[actions[0].verb](seen, actions, rng)


heuristic: Final = Best(scores)
"""The opponent that takes what scores best."""


def _card_worth(seen: Observation, card: int) -> float:
    """What the card is worth in the next hands, with its best announcement."""
    return prices(seen.level, seen.seats)[card]


def plays(seen: Observation, actions: Sequence[Move], rng: random.Random) -> list[float]:
    """Return how good each card to play looks."""
    values = outlooks(seen, [(move.card, move.power) for move in actions], rng)
    return [value + aside(seen, move) for value, move in zip(values, actions, strict=True)]


def aside(seen: Observation, move: Move) -> float:
    """What a card does besides winning: a bad row is gladly passed on or dealt again, a good one kept."""
    power = move.power or seen.table.powers[move.card]
    if power not in _ASIDE:
        return 0.0
    rest = [card for card in _own(seen) if card != move.card]
    lack = sum(1 / seen.seats - _card_worth(seen, card) for card in rest)
    fresh, each = _ASIDE[power]
    return _SIDE * (fresh * lack + each * len(rest))


def _announce(seen: Observation, actions: Sequence[Move], rng: random.Random) -> list[float]:
    card = seen.pending.card if seen.pending else 0
    return outlooks(seen, [(card, move.power) for move in actions], rng)


def _flip(_seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    """Nobody knows the own cards."""
    return [0.0] * len(actions)


def _at(seen: Observation, seat: int, slot: int) -> float:
    """What the card in this slot is worth; a hidden one as much as an average card."""
    card = seen.rows[seat][slot]
    return 1 / seen.seats if card == HIDDEN else _card_worth(seen, card)


def _ahead(seen: Observation, seat: int) -> float:
    """A small preference for troubling whoever is ahead, and who has yet to play in this hand."""
    return 0.01 * seen.points[seat] + (0.05 if seat in seen.to_play else 0.0)


def _aim(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    """At the best card in sight, never at one that no Laser harms."""
    immune = seen.table.immune_to_laser
    return [
        -1.0
        if seen.rows[move.seat][move.slot] in immune
        else _at(seen, move.seat, move.slot) + _ahead(seen, move.seat)
        for move in actions
    ]


def _look(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    """Where nothing is known yet."""
    return [(seen.rows[move.seat][move.slot] == HIDDEN) + _ahead(seen, move.seat) for move in actions]


def _own(seen: Observation) -> list[int]:
    return [card for card in seen.rows[seen.viewer or 0] if card]


def _trade(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    """Trade if the two best cards of somebody promise more than the two worst of one's own."""
    average = 1 / seen.seats
    own = sorted(average if card == HIDDEN else _card_worth(seen, card) for card in _own(seen))
    price = sum(own[:2]) + 0.02
    return [
        price
        if move.seat < 0
        else sum(
            sorted((_at(seen, move.seat, slot) for slot, c in enumerate(seen.rows[move.seat]) if c))[-2:]
        )
        + 0.1 * _ahead(seen, move.seat)
        for move in actions
    ]


def _give(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    viewer = seen.viewer or 0
    return [
        -(_card_worth(seen, move.card) if move.card else _at(seen, viewer, move.slot)) for move in actions
    ]


def _take(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    target = seen.pending.target if seen.pending else 0
    return [_at(seen, target, move.slot) for move in actions]


_SIDE = 0.1
"""How much of the chance to win the game a hand of this round is, about."""

_ASIDE = {
    "redeal": (1.0, 0.0),
    "pass_left": (1.0, 0.0),
    "trade_two": (0.3, 0.03),
    "plus_5": (0.0, 0.03),
    "laser": (0.0, 0.01),
    "face_down": (0.0, -0.05),
}
"""By power: the share of the row that is made fresh, and what it brings for each card still held."""

_SCORERS: Mapping[str, Callable[[Observation, Sequence[Move], random.Random], list[float]]] = {
    "play": plays,
    "announce": _announce,
    "flip": _flip,
    "aim": _aim,
    "reveal": _look,
    "peek": _look,
    "trade": _trade,
    "keep": _trade,
    "give": _give,
    "take": _take,
    "seal": seals,
}
