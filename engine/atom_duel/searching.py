"""Opponents that think longer: more worlds, the likelier ones first, and the rules of a tie in mind.

The rollouts are those of the heuristic, always to the end of the round; every other decision is its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

from engine.atom_duel.ending import chances
from engine.atom_duel.heuristic import aside, scores
from engine.atom_duel.inference import Factor, factors
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import Observation
from engine.atom_duel.rollout import Effort, Rows, dealer, searched

_LIKELY: Final = 1.6
"""The weight of a row that is kept for certain."""

_SHARP: Final = Effort(((60, 99), (120, 3), (240, 2)), whole=True)
_MASTER: Final = Effort(((300, 99), (800, 4), (2000, 2)), whole=True)
_CROWD: Final = 3
"""With more players a round takes so long to play out that only a third of the worlds are tried."""


def sharp(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """The best move after about 20 ms of thought."""
    return _choose(seen, actions, rng, _SHARP)


def master(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """The best move after a fifth of a second of thought."""
    return _choose(seen, actions, rng, _MASTER)


def _choose(seen: Observation, actions: Sequence[Move], rng: random.Random, effort: Effort) -> Move:
    if len(actions) == 1:
        return actions[0]
    if actions[0].verb in ("play", "announce"):
        values = _weighed(seen, actions, rng, effort)
    else:
        values = scores(seen, actions, rng)
    return max(zip(values, (rng.random() for _ in actions), actions, strict=True))[2]


def _weighed(
    seen: Observation, actions: Sequence[Move], rng: random.Random, effort: Effort
) -> Sequence[float]:
    """By card and announcement: the chance to win the game, and what the card does besides."""
    card = seen.pending.card if seen.pending else 0
    ways = [(move.card or card, move.power) for move in actions]
    values = searched(seen, ways, rng, effort=effort, value=chances(seen), deal=likely(seen, rng))
    if card:
        return values
    return [value + aside(seen, move) for value, move in zip(values, actions, strict=True)]


def likely(seen: Observation, rng: random.Random) -> Callable[[], Rows]:
    """Deals rows as often as they fit what has been played."""
    shown: dict[int, list[Factor]] = {}
    for seat, factor in factors(seen):
        shown.setdefault(seat, []).append(factor)

    def fit(seat: int, cards: Sequence[int]) -> bool:
        if seat not in shown:
            return True
        weight = 1.0
        for factor in shown[seat]:
            weight *= factor(cards)
        return rng.random() * _LIKELY < weight

    return dealer(seen, rng, fit)
