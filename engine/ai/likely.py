"""Sampling weighted by what the others have done."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from engine.ai.search import Sampler
from engine.game import AnyState

DRAWN: Final = 4
"""Samples drawn for each one kept, chosen by weight. More would approximate the weights better, but more
slowly."""


def likely(
    sampler: Sampler, likelihood: Callable[[Any], Callable[[Any], float]], drawn: int = DRAWN
) -> Sampler:
    """Return a sampler that weights each position by `Game.likelihood`.

    This is importance resampling: exact only in the limit of many draws, but close enough for a search.
    """

    def read(observation: Any) -> Callable[[random.Random], AnyState]:
        draw, weigh = sampler(observation), likelihood(observation)

        def world(rng: random.Random) -> AnyState:
            found = [draw(rng) for _ in range(drawn)]
            return rng.choices(found, [weigh(each) for each in found])[0]

        return world

    return read
