"""Worlds come as often as they are likely."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from engine.ai.likely import likely


def test_a_likely_world_comes_more_often() -> None:
    """Two worlds, equally many, of which one explains three times as well what has been played."""

    def sampler(_seen: Any) -> Any:
        return lambda rng: rng.choice(("hearts", "spades"))

    def likelihood(seen: Any) -> Any:
        return lambda world: 3.0 if world == seen else 1.0

    draw: Any = likely(sampler, likelihood, drawn=16)("hearts")
    rng = random.Random(1)
    found = Counter(draw(rng) for _ in range(2000))
    assert 0.70 < found["hearts"] / 2000 < 0.79
