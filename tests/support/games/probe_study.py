"""A study for the probe game, which has none of its own: most tests want a game without a teacher."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.ai.search import Search
from engine.game import AnyState, Seat
from tests.support.games.probe import GAME, Act, Observation, ProbeGame

MEASURES = ("points",)


def scores(_seen: Observation, actions: Sequence[Act], _rng: random.Random) -> list[float]:
    return [len(action.cards) - action.value for action in actions]


def policy(world: AnyState, seat: Seat, _rng: random.Random) -> Any:
    """Bid nothing, look at the first card, lay as many as there are of a kind."""
    return max(world.legal_actions(seat), key=lambda action: len(action.cards) - action.value)


def judge(world: Any, seat: Seat) -> float:
    """All points of one's own, where nobody has any half of them."""
    ahead = world.points[seat] - max((p for s, p in enumerate(world.points) if s != seat), default=0)
    return min(1.0, max(0.0, 0.5 + ahead / 16))


def measures(world: Any, seat: Seat) -> Mapping[str, float]:
    return {"points": float(world.points[seat])}


STUDY = Search(GAME.sampler, scores, policy, judge, budget=48, top=8, lean=0.0, measures=measures)


def taught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the probe game its study for a test."""
    monkeypatch.setattr(ProbeGame, "study", STUDY)
    monkeypatch.setattr(ProbeGame, "measures", MEASURES)
