"""The opponent that every game has."""

from __future__ import annotations

import random
from collections.abc import Sequence


def at_random(_observation: object, actions: Sequence[object], rng: random.Random) -> object:
    """Any legal action, each equally likely."""
    return actions[int(rng.random() * len(actions))]
