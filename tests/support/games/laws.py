"""Laws that hold for every game, called one at a time."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engine import catalog
from engine.game import AnyGame, Game
from tests.conformance import broken_rules, broken_secrets, laws  # noqa: F401 - they declare the games
from tests.conformance.broken import Law
from tests.support.shared_tests import find_tests


def hold(law: Law, game: Game[Any, Any]) -> None:
    """Hold one law against one game; shrinking is off, as a broken game needs no smaller example."""
    if not hasattr(law, "hypothesis"):
        law(game)
        return
    quick = settings(phases=[Phase.generate], max_examples=40, derandomize=True, deadline=None, database=None)
    drawn = {"data": st.data(), "seed": st.integers(0, 2**32)}

    @quick
    @given(**drawn)
    def held(**values: Any) -> None:
        law.hypothesis.inner_test(game=game, **values)  # type: ignore[attr-defined]

    held()


ALL_LAWS = list(find_tests(laws).values())


STUDIED = [key for key in catalog.listed() if catalog.get(key).study is not None]


def hold_laws(game: AnyGame, seen: Any, actions: Sequence[Any], tries: int) -> None:
    """What any study owes at any decision: legal ones tried, the one that was asked for among them, in worlds
    that all have met, and the same again by the same luck."""
    study, last = game.study, actions[-1]
    assert study is not None
    verdict = study.think(seen, actions, random.Random(1), tries=tries, also=(last,))
    assert verdict == study.think(seen, actions, random.Random(1), tries=tries, also=(last,))
    tried = [candidate.action for candidate in verdict.candidates]
    assert len(tried) == len(set(tried))
    assert last in tried
    for candidate in verdict.candidates:
        assert actions[candidate.place] == candidate.action
        assert all(0 <= value <= 1 for value in candidate.values)
        assert set(candidate.measured) <= set(game.measures)
        assert {len(values) for values in candidate.measured.values()} <= {len(candidate.values)}
    if len(tried) > 1:
        # the chosen one has met as many worlds as any other, so that a lead can be told from luck
        assert len(verdict.candidates[0].values) == max(len(one.values) for one in verdict.candidates) > 1
