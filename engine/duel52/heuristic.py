"""An opponent that plans its turn.

Every legal decision is tried in worlds that fit what the seat knows, followed by the best it finds for the
actions that are left (`plan`), and the position at the end of the turn is judged (`outlook`). The only
input is an observation.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from engine.ai.choosers import Best
from engine.duel52.moves import Move
from engine.duel52.observation import Observation
from engine.duel52.outlook import judge
from engine.duel52.plan import plans
from engine.duel52.sample import sample

WORLDS: Final = 1
"""In so many worlds each decision is tried."""


def scores(seen: Observation, actions: Sequence[Move], rng: random.Random) -> list[float]:
    """By decision: how the position looks at the end of the best turn that begins with it."""
    seat = seen.to_act[0]
    worlds = [sample(seen, rng) for _ in range(WORLDS)]
    if actions[0].verb == "bet":
        return [judge(worlds[0], move.target) for move in actions]
    found = [plans(world, seat, actions) for world in worlds]
    return [sum(each) / WORLDS for each in zip(*found, strict=True)]


heuristic: Final = Best(scores)
"""The opponent that takes what scores best."""
