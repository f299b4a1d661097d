"""The sharp opponent of Atom Duel: in the usual game of two it plays by more worlds than the steady one, and
by what a network has learned of whole rounds. In all else it is the steady one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.ai.choosers import Best
from engine.atom_duel import heuristic
from engine.atom_duel.forecast import forecasts
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import Observation

TIMES: Final = 2
"""How many times the worlds of the steady opponent."""
USUAL: Final = (2, 4, 5, 4)
"""Seats, level, cards of a hand and rounds of the games in which it is not the steady one: where it was shown
to be stronger (docs/opponents.md)."""
LEARNED: Final = 0.5
"""How much of a score is the network's: worlds are few, and the network knows little of single cards."""


def scores(seen: Observation, actions: Sequence[Move], rng: random.Random) -> list[float]:
    """By move: how good it looks."""
    if (seen.seats, seen.level, seen.hand_size, seen.rounds) != USUAL or actions[0].verb != "play":
        return heuristic.scores(seen, actions, rng)
    played, learned = heuristic.plays(seen, actions, rng, times=TIMES), forecasts(seen)
    return [
        (1 - LEARNED) * value + LEARNED * (learned[move.card] + heuristic.aside(seen, move))
        for value, move in zip(played, actions, strict=True)
    ]


sharp: Final = Best(scores)
"""For a tenth of a second."""
