"""Weaker opponents: cooler is better, and no sure win is let go."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine import catalog, levels
from engine.ai.choosers import Relaxed
from engine.arena import key_of
from engine.game import AnyGame, AnyState
from engine.molecular.game import GAME

GAMES = [game for game in map(catalog.get, catalog.listed()) if levels.STEADY in game.opponents]
"""Those with levels; a game may have the random opponent alone (docs/add-a-game.md)."""


def relaxed(game: AnyGame) -> Relaxed:
    found = game.opponents[levels.CASUAL]
    assert isinstance(found, Relaxed)
    return found


def at_first(game: AnyGame) -> AnyState:
    """The first position of a game in which there is something to choose."""
    state = game.deal(game.setup(max(2, game.seats(game.defaults())[0]), key_of(3, 1)))
    while len(state.legal_actions(state.to_act()[0])) < 2:
        state.push(state.to_act()[0], state.legal_actions(state.to_act()[0])[0])
    return state


def test_our_games_have_levels() -> None:
    assert len(GAMES) >= 7


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_game_has_the_levels_in_their_order(game: AnyGame) -> None:
    assert game.levels == tuple(level for level in levels.LEVELS if level in game.opponents)
    assert game.levels[:3] == levels.LEVELS[:3]
    newcomer = game.opponents[levels.NEWCOMER]
    assert isinstance(newcomer, Relaxed)
    assert newcomer.temperature > relaxed(game).temperature


@pytest.mark.parametrize("temperature", [0.01, 1000.0])
def test_the_cooler_the_better(temperature: float) -> None:
    state = at_first(GAME)
    seat = state.to_act()[0]
    seen, actions = state.observe(seat), state.legal_actions(seat)
    opinion = {action: float(place) for place, action in enumerate(actions)}

    def scores(_seen: Any, some: Sequence[Any], _rng: random.Random) -> list[float]:
        return [opinion[action] for action in some]

    opponent = replace(relaxed(GAME), scores=scores, temperature=temperature)
    chosen = Counter(opponent(seen, actions, random.Random(seed)) for seed in range(30))
    if temperature < 1:
        assert list(chosen) == [actions[-1]]
    else:
        assert len(chosen) > 10


@pytest.mark.repeats
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_no_sure_win_is_let_go(game: AnyGame) -> None:
    """Games are played at random to decisions at which one action wins at once: even an opponent that would
    do anything takes it where it wins in all the worlds that it looks at."""
    wild, found = replace(relaxed(game), temperature=1e9), 0
    for number in range(60):
        rng = random.Random(f"{game.key}/{number}")
        state = game.deal(game.setup(max(2, game.seats(game.defaults())[0]), key_of(number, 1)))
        while waiting := state.to_act():
            seat, actions = waiting[0], state.legal_actions(waiting[0])
            seen = state.observe(seat)
            if len(actions) > 1 and (sure := wild._wins(seen, actions, random.Random(number))):
                found += len(sure) < len(actions)
                assert wild(seen, actions, random.Random(number)) in sure
            state.push(seat, rng.choice(actions))
        if found > 2:
            break
    # where all play at once, or the last card decides, nothing is left to choose that wins at once
    assert found or game.key in ("atom_duel", "chemistry_battle")
