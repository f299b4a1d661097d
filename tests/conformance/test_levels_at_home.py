"""A level made for some tables plays at the others as the one that it names, and is not offered there."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from engine import catalog
from engine.arena import key_of
from engine.game import AnyGame
from engine.setups import Kind, covering, every_kind
from tests.conformance.walk import each_choice_once

NARROW = [(key, level) for key in catalog.listed() for level in catalog.get(key).usual]
EVERY = 7
"""How many decisions lie between those that are compared."""
COMPARED = 4
GAMES = 4
MOST_DECISIONS = 1000


def away_from_home(game: AnyGame, level: str) -> list[Kind]:
    """Return kinds of tables where a level plays as another one."""
    return [kind for kind in covering(game) if game.level_in(level, kind.seats, kind.options) != level]


@pytest.mark.parametrize(("key", "level"), NARROW)
def test_every_level_is_offered_at_some_table(key: str, level: str) -> None:
    game = catalog.get(key)
    assert any(level in game.levels_in(kind.seats, kind.options) for kind in every_kind(game))


@pytest.mark.parametrize("key", catalog.listed())
def test_the_first_levels_are_offered_at_every_table(key: str) -> None:
    """A new player always finds gentle opponents, and a seat can always be filled."""
    game = catalog.get(key)
    for kind in covering(game):
        offered = game.levels_in(kind.seats, kind.options)
        assert offered[:3] == game.levels[:3]
        assert [*offered] == [level for level in game.levels if level in offered]


@pytest.mark.long
@pytest.mark.parametrize("key", catalog.listed())
def test_no_two_offered_levels_are_the_same_opponent(key: str) -> None:
    """Somewhere in a few games each level decides otherwise than the one below it."""
    game = catalog.get(key)
    for kind in each_choice_once(covering(game)):
        offered = game.levels_in(kind.seats, kind.options)
        for below, level in pairwise(offered[2:]):
            assert any(differ(game, kind, below, level, number) for number in range(GAMES)), (kind, level)


def differ(game: AnyGame, kind: Kind, below: str, level: str, number: int) -> bool:
    """Return whether two levels decide differently in a game that `below` plays."""
    state = game.deal(game.setup(kind.seats, key_of(number, 9), **kind.options))
    for turn in range(MOST_DECISIONS):
        if not (waiting := state.to_act()):
            return False
        seat = waiting[0]
        actions = state.legal_actions(seat)
        action = actions[0]
        if len(actions) > 1:
            seen = state.observe(seat)
            action = game.opponents[below](seen, actions, random.Random(turn))
            if game.opponents[level](seen, actions, random.Random(turn)) != action:
                return True
        state.push(seat, action)
    return False


@pytest.mark.parametrize(
    ("key", "level"),
    [pytest.param(*each, marks=pytest.mark.long if each[0] == "molecular" else ()) for each in NARROW],
)
def test_away_from_home_it_plays_as_the_level_that_it_names(key: str, level: str) -> None:
    """With each number of seats and each value of an option: what is home is told by these."""
    game = catalog.get(key)
    compare_in(game, level, each_choice_once(away_from_home(game, level)))


@pytest.mark.long
@pytest.mark.parametrize(("key", "level"), NARROW)
def test_away_from_home_it_plays_so_with_every_two_choices(key: str, level: str) -> None:
    game = catalog.get(key)
    compare_in(game, level, away_from_home(game, level))


def compare_in(game: AnyGame, level: str, away: list[Kind]) -> None:
    """Compare a level with those that it names in these kinds of tables."""
    assert away
    for number, kind in enumerate(away):
        other = game.level_in(level, kind.seats, kind.options)
        assert other in game.levels
        compare(game, kind, number, level, other)


def compare(game: AnyGame, kind: Kind, number: int, level: str, other: str) -> None:
    """Ask both for some decisions of a game that is played at random."""
    state = game.deal(game.setup(kind.seats, key_of(number, 8), **kind.options))
    rng = random.Random(number)
    for turn in range(EVERY * COMPARED):
        if not (waiting := state.to_act()):
            return
        seat = waiting[0]
        actions = state.legal_actions(seat)
        if turn % EVERY == 0 and len(actions) > 1:
            seen = state.observe(seat)
            chosen = [game.opponents[one](seen, actions, random.Random(turn)) for one in (level, other)]
            assert chosen[0] == chosen[1], (kind, turn)
        state.push(seat, rng.choice(actions))
