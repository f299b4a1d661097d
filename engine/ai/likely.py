"""Worlds as often as they are likely by what others have done."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from engine.ai.search import Sampler
from engine.game import AnyState

DRAWN: Final = 4
"""Out of so many worlds one is taken, by weight. More would be nearer to the likely ones, and slower."""


def likely(
    sampler: Sampler, likelihood: Callable[[Any], Callable[[Any], float]], drawn: int = DRAWN
) -> Sampler:
    """A sampler of those worlds, each about as often as it comes times what `Game.likelihood` says of it.

    That is importance resampling: exact only for many worlds drawn, near enough for a search.
    """

    def read(observation: Any) -> Callable[[random.Random], AnyState]:
        draw, weigh = sampler(observation), likelihood(observation)

        def world(rng: random.Random) -> AnyState:
            found = [draw(rng) for _ in range(drawn)]
            return rng.choices(found, [weigh(each) for each in found])[0]

        return world

    return read
