"""Reasons in every game: declared facts, and a sentence for each."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import presenters
from bot.locales import catalogue, languages
from engine.game import AnyGame
from engine.reason import Happenings, Reason, pattern_between, pattern_for
from tests.conformance.tellers import named, teller_of
from tests.conformance.walk import GAMES, a_setup, parameters, random_play
from tests.support.discord.languages import fields
from tests.support.discord.wording import LINE, look, well_said

TELLING = [game for game in GAMES if game.reasons]
every_telling = pytest.mark.parametrize("game", parameters(TELLING))
LOOKED = 0.2
"""Share of the decisions of a random game whose patterns are checked."""
MOST_SAID = LINE


def trouble(game: AnyGame, reason: Reason) -> str:
    """Return what is wrong with the facts of a reason, or "" if they are as declared."""
    return game.reasons[reason.key].trouble(reason.facts)


def happenings_of(game: AnyGame) -> Happenings | None:
    """Return what the study of a game reports of the events in a sample."""
    found: Happenings | None = getattr(game.study, "happenings", None)
    return found


@every_telling
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_patterns_give_the_declared_facts(game: AnyGame, data: st.DataObject, seed: int) -> None:
    rng, setup = random.Random(seed), a_setup(data, game)
    patterns = [pattern for pattern in game.patterns if pattern.key in game.reasons]
    assert len(patterns) == len(game.patterns)
    for state, _ in random_play(game, setup, rng):
        for seat in state.to_act():
            if rng.random() > LOOKED:
                continue
            seen, actions = state.observe(seat), state.legal_actions(seat)
            for action in rng.sample(actions, min(4, len(actions))):
                for pattern in patterns:
                    found = pattern.reason(seen, action)
                    assert found is None or trouble(game, found) == "", (pattern.key, found)
                assert pattern_between(patterns, seen, action, action) is None
                game.spelling(seen, action)


@every_telling
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_happenings_have_the_declared_facts(game: AnyGame, data: st.DataObject, seed: int) -> None:
    happenings = happenings_of(game)
    if happenings is None:  # a sample of Chemistry Battle is played out at once
        return
    setup = a_setup(data, game)
    for state, _ in random_play(game, setup, random.Random(seed), events=True):
        if state.to_act():
            continue
        for seat in range(setup.seats):
            for happening in happenings(state.events or (), seat):
                assert trouble(game, happening.reason()) == "", happening


@every_telling
@pytest.mark.parametrize("language", languages())
def test_every_reason_has_a_sentence_that_names_its_facts(game: AnyGame, language: str) -> None:
    strings, voice = catalogue(language), teller_of(game).speaks
    for key, declared in game.reasons.items():
        template = strings[f"{voice.table}.because.{voice.prefix}{key}"]
        assert fields(template) == named(declared), key


@every_telling
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_reason_is_a_short_sentence(game: AnyGame, data: st.DataObject, seed: int) -> None:
    rng, presenter = random.Random(seed), presenters.get(game.key)
    for state, _ in random_play(game, a_setup(data, game), rng):
        for seat in state.to_act():
            if rng.random() > LOOKED:
                continue
            seen, action = state.observe(seat), rng.choice(state.legal_actions(seat))
            if found := pattern_for(game.patterns, seen, action):
                told = presenter.because(found, look())
                assert well_said(told, MOST_SAID), told
                assert told[-1] in ".!?", told


@every_telling
def test_a_reason_of_an_earlier_version_is_left_out(game: AnyGame) -> None:
    """Reviews are kept for years; the reasons in them may be gone by then."""
    assert presenters.get(game.key).because(Reason("long gone"), look()) == ""


def test_every_game_that_teaches_gives_reasons() -> None:
    assert {game.key for game in GAMES if game.study is not None} == {game.key for game in TELLING}
