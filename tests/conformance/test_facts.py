"""Law 9: what a game declares of its events and refusals is what it tells, and what its strings name.

`test_words.py` meets its refusals, and looks at their facts too.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.locales import catalogue, languages
from engine.facts import Count, Facts
from engine.game import AnyGame
from tests.conformance.tellers import named, teller_of
from tests.conformance.walk import GAMES, a_setup, parameters, random_play
from tests.support.discord.languages import fields

DECLARED = [game for game in GAMES if game.events]
every_declared = pytest.mark.parametrize("game", parameters(DECLARED))


@every_declared
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_every_event_has_the_declared_facts(game: AnyGame, data: st.DataObject, seed: int) -> None:
    setup = a_setup(data, game)
    for state, _ in random_play(game, setup, random.Random(seed), events=True):
        events, state.events = state.events or [], []
        for event in events:
            assert event.kind in game.events
            assert game.events[event.kind].trouble({**event.facts, **event.secret}) == "", event.kind


def test_every_game_declares_what_it_says() -> None:
    assert {game.key for game in GAMES} - {game.key for game in DECLARED} <= {"probe"}


@every_declared
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_fact_that_is_missing_is_found(game: AnyGame, data: st.DataObject, seed: int) -> None:
    """The check that the others rely on can fail, for every fact of every event that a game tells."""
    for state, _ in random_play(game, a_setup(data, game), random.Random(seed), events=True):
        events, state.events = state.events or [], []
        for event in events:
            declared, facts = game.events[event.kind], {**event.facts, **event.secret}
            for name in (*declared.said, *declared.unsaid):
                less = {key: value for key, value in facts.items() if key != name}
                assert declared.trouble(less) == f"{name} is missing"


@every_declared
@pytest.mark.parametrize("language", languages())
def test_strings_name_what_is_declared(game: AnyGame, language: str) -> None:
    strings, teller, voice = catalogue(language), teller_of(game), teller_of(game).speaks
    assert teller.events is game.events
    assert teller.tells.keys() <= game.events.keys()
    for rule, declared in game.rules.items():
        if (key := f"{voice.table}.why.{voice.prefix}{rule}") in strings:
            assert fields(strings[key]) == named(declared), key
    for kind, declared in game.events.items():
        if kind not in teller.tells and (key := f"{voice.table}.line.{voice.prefix}{kind}") in strings:
            assert fields(strings[key]) - {"name"} == named(declared), key


@pytest.mark.parametrize(
    ("facts", "wrong"),
    [
        ({"card": 3, "n": 1}, ""),
        ({"card": 3, "n": 1, "free": True}, ""),
        ({"n": 1}, "card is missing"),
        ({"card": 3, "n": 1, "lane": 0}, "lane is not declared"),
        ({"card": "3", "n": 1}, "card: Expected `int`, got `str`"),
        ({"card": True, "n": 1}, "card: Expected `int`, got `bool`"),
    ],
)
def test_facts_that_are_not_as_declared_are_found(facts: dict[str, object], wrong: str) -> None:
    assert Facts(card=int).silent(n=Count).may(free=bool).trouble(facts) == wrong
