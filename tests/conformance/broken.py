"""How a broken game is declared: the probe game with one thing changed, and the laws that must notice."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from engine.game import IllegalAction, Setup
from tests.support.games.probe import Observation, ProbeGame, ProbeState

BROKEN: list[Any] = []
"""The rows of the test: the law that must fail, and a maker of the game that breaks it."""

Law = Callable[..., None]

SPEAKS = (AssertionError, IllegalAction, pytest.fail.Exception)
"""How a law says no: its own check, a legal action refused, or `pytest.raises` without a raise.
Anything else would be an accident in the broken game, and prove nothing."""


def breaks(*which: Law, by: type[Exception] | None = None) -> Callable[[type[Any]], type[Any]]:
    """A broken state or game: each of these laws must fail on it; `by` names an exception of its own."""

    def keep(kind: type[Any]) -> type[Any]:
        for law in which:
            name = f"{kind.__name__}-{law.__name__.removeprefix('test_')}"
            BROKEN.append(pytest.param(law, game_of(kind), by or SPEAKS, id=name))
        return kind

    return keep


def game_of(kind: type[Any]) -> ProbeGame:
    """The probe game with this kind of state, or this kind of game itself."""
    if issubclass(kind, ProbeGame):
        return kind()

    class Broken(ProbeGame):
        def deal(self, setup: Setup) -> ProbeState:
            state: ProbeState = kind(setup.seats, int(setup.options["rounds"]), setup.key)
            state._gather()
            return state

        def sample(self, observation: Observation, rng: random.Random) -> ProbeState:
            # the probe's own sampler, with a state that is broken in the same way
            state: ProbeState = kind(observation.seats, observation.rounds, b"")
            fair = super().sample(observation, rng)
            for name in ProbeState.__slots__:
                setattr(state, name, getattr(fair, name))
            return state

    return Broken()
