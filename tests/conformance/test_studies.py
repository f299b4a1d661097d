"""What a study owes the teacher, in every game that has one and with every number of seats."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from engine import catalog, levels
from engine.ai.advice import advise
from engine.arena import key_of
from engine.game import AnyGame
from tests.support.games.laws import STUDIED, hold_laws


def tables() -> Iterator[Any]:
    """The games with every number of seats, those between the fewest and the most in `make long`."""
    for key in STUDIED:
        allowed = catalog.get(key).seats(catalog.get(key).defaults())
        for seats in allowed:
            end = seats in (allowed[0], allowed[-1])
            yield pytest.param(key, seats, marks=() if end else pytest.mark.long)


FEW = 24
"""Tries: enough to meet every candidate, too few to be wise."""
DECISIONS, EVERY = 5, 6


def decisions(game: AnyGame, seats: int) -> Iterator[tuple[Any, Sequence[Any]]]:
    """Some decisions of a game that the steady opponent plays against itself."""
    rng, steady = random.Random(7), game.opponents[levels.STEADY]
    state, met, found = game.deal(game.setup(seats, key_of(seats, 3))), 0, 0
    while (waiting := state.to_act()) and found < DECISIONS:
        seat = waiting[0]
        seen, actions = state.observe(seat), state.legal_actions(seat)
        if len(actions) > 1:
            met += 1
            if met % EVERY == 1:
                found += 1
                yield seen, actions
        state.push(seat, steady(seen, actions, rng))


@pytest.mark.long
@pytest.mark.parametrize(("key", "seats"), list(tables()))
def test_a_study_tries_legal_decisions_and_says_what_came_of_them(key: str, seats: int) -> None:
    game = catalog.get(key)
    for seen, actions in decisions(game, seats):
        hold_laws(game, seen, actions, FEW)


@pytest.mark.parametrize("key", STUDIED)
def test_a_study_stops_when_told_and_still_answers(key: str) -> None:
    game = catalog.get(key)
    assert game.study is not None
    for seen, actions in decisions(game, game.seats(game.defaults())[-1]):
        verdict = game.study.think(seen, actions, random.Random(1), tries=10**9, stop=lambda: True)
        assert verdict.action in actions


@pytest.mark.parametrize("key", STUDIED)
def test_every_measure_is_declared_and_found(key: str) -> None:
    game, met = catalog.get(key), set[str]()
    assert game.study is not None
    for seen, actions in decisions(game, game.seats(game.defaults())[0]):
        for candidate in game.study.think(seen, actions, random.Random(1), tries=FEW).candidates:
            met |= set(candidate.measured)
    assert met == set(game.measures)


@pytest.mark.long
@pytest.mark.parametrize("key", STUDIED)
def test_advice_is_about_legal_decisions(key: str) -> None:
    game = catalog.get(key)
    assert game.study is not None
    for seen, actions in decisions(game, game.seats(game.defaults())[0]):
        advice = advise(game, seen, actions, random.Random(1), tries=200)
        assert advice.best in actions
        assert advice.second is None or (advice.second in actions and advice.second != advice.best)
        assert not advice.clear or advice.lead > 0
