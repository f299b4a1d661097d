"""The kit can fail: for each law, games that break it, and the test that has to notice.

The changes are the mistakes that a new game is likely to make, so a law that lets one pass is a
hole in the kit.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from engine import catalog
from engine.game import Game
from tests.conformance import broken_rules, broken_secrets  # noqa: F401 - they declare the games
from tests.conformance.broken import BROKEN, Law, game_of
from tests.conformance.walk import GAMES, Found, a_setup
from tests.support.games.laws import ALL_LAWS, hold
from tests.support.games.probe import ProbeGame, ProbeState, rank


def check(law: Law, game: Game[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold one law against one game that the catalog does not know."""
    real = catalog.get
    monkeypatch.setattr(catalog, "get", lambda key: game if key == game.key else real(key))
    hold(law, game)


@pytest.mark.parametrize("law", ALL_LAWS, ids=lambda law: law.__name__.removeprefix("test_"))
def test_the_unbroken_game_keeps_every_law(law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
    check(law, game_of(ProbeState), monkeypatch)


@pytest.mark.parametrize(("law", "game", "says"), BROKEN)
def test_a_broken_game_breaks_its_law(
    law: Law, game: ProbeGame, says: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(says):
        check(law, game, monkeypatch)


def test_an_example_is_tried_on_its_own_game_alone() -> None:
    """What a law has found once is pinned beside it; see tests/README.md."""
    atom = catalog.get("atom")
    ran = []

    @settings(phases=[Phase.explicit])
    @example(data=Found(atom.setup(4, bytes(32))), seed=7)
    @given(data=st.data(), seed=st.integers())
    def law(game: Game[Any, Any], data: st.DataObject, seed: int) -> None:
        ran.append((a_setup(data, game), seed))

    for game in GAMES:
        law(game=game)
    assert ran == [(atom.setup(4, bytes(32)), 7)]


def test_every_law_is_broken_by_some_game() -> None:
    assert {row.values[0] for row in BROKEN} == set(ALL_LAWS)


def test_ranks_are_what_the_probe_thinks() -> None:
    assert [rank(card) for card in (0, 12, 13, 51, 52, 53)] == [0, 12, 0, 12, 13, 13]
