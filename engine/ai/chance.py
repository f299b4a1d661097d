"""The opponent that every game has."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any


def at_random(_observation: Any, actions: Sequence[Any], rng: random.Random) -> Any:
    """Any legal action, each equally likely."""
    return actions[int(rng.random() * len(actions))]
