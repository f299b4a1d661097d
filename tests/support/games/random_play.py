"""Random games and random decisions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from engine import catalog
from engine.arena import key_of
from engine.game import Game, Setup


def played(game: Game[Any, Any], setup: Setup, seed: int) -> list[tuple[int, Any]]:
    """A random game to its end."""
    state, rng, acts = game.deal(setup), random.Random(seed), []
    while waiting := state.to_act():
        seat = rng.choice(waiting)
        action = rng.choice(state.legal_actions(seat))
        state.push(seat, action)
        acts.append((seat, action))
    return acts


def question(game: str = "atom_duel") -> tuple[str, str, Any, Sequence[Any]]:
    """A decision with several ways: game, level, observation, actions."""
    rules = catalog.get(game)
    state = rules.deal(rules.setup(2, key_of(1, 0), **rules.defaults()))
    rng = random.Random(1)
    for _ in range(50):
        seat = state.to_act()[0]
        actions = state.legal_actions(seat)
        if len(actions) > 1:
            return game, "steady", state.observe(seat), actions
        state.apply(seat, rng.choice(actions))
    raise AssertionError("no choice in fifty actions")
