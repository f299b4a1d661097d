"""What the teacher owes with any number of seats and any two values of options.

A game is played by the steady opponent with a random decision now and then; at some decisions the teacher is
asked whatever people may ask, with few tries, and in the end for the review.
"""

from __future__ import annotations

import random
from itertools import count

import pytest

from engine import catalog, levels
from engine.ai.advice import advise
from engine.ai.motive import motive, visible_event
from engine.ai.review import review
from engine.arena import key_of
from engine.game import Action, AnyGame, AnyState, Seat
from engine.setups import Kind, covering
from engine.verdict import Stop
from tests.support.games.laws import STUDIED, hold_laws

FEW = 12
"""Tries: more candidates than worlds."""
ASKED = 3
"""How often each thing is asked in a game."""
AT_ONCE = 1 / 8
"""At which share of the decisions, until it has been asked so often."""
STRANGE = 0.3
"""The share of decisions that are random."""
WORLDS = 200
"""After so many looks at the clock the time of a review is up."""
SAMPLE = [*((key, {}) for key in STUDIED), ("chemistry_battle", {"blind": True})]  # there nobody has a choice
"""Of each game a setup that is tried every day."""


def patience(looks: int) -> Stop:
    """A clock that is up after so many looks at it, on any machine."""
    looked = count()
    return lambda: next(looked) >= looks


def ask_why(game: AnyGame, state: AnyState, seat: Seat, made: Action) -> None:
    """Seat 0 asks why another seat does what it is about to do."""
    tried = state.clone()
    tried.events = []
    tried.push(seat, made)
    found = motive(
        game,
        game.opponents[levels.STEADY],
        state.observe(0),
        visible_event(tried.events, seat, 0),
        random.Random(3),
        stop=patience(2),
    )
    assert 0 <= found.usual <= found.worlds
    assert {one.measure for one in found.differences} <= set(game.measures)


def teach_through(game: AnyGame, kind: Kind, number: int) -> None:
    """A game of this kind to its end, with all that the teacher may be asked on the way."""
    setup, steady = game.setup(kind.seats, key_of(number, 5), **kind.options), game.opponents[levels.STEADY]
    state, rng, acts = game.deal(setup), random.Random(number), list[tuple[Seat, Action]]()
    studied, asked_why = 0, 0
    while waiting := state.to_act():
        seat, made = waiting[0], None
        actions = state.legal_actions(seat)
        if len(actions) == 1:
            made = actions[0]
        else:
            seen = state.observe(seat)
            if studied < ASKED and rng.random() < AT_ONCE:
                studied += 1
                hold_laws(game, seen, actions, FEW)
                advice = advise(game, seen, actions, random.Random(2), tries=FEW)
                assert advice.best in actions
                assert advice.worse is None or advice.worse.action in actions
            made = rng.choice(actions) if rng.random() < STRANGE else steady(seen, actions, rng)
            if seat and asked_why < ASKED and rng.random() < AT_ONCE:
                asked_why += 1
                ask_why(game, state, seat, made)
        acts.append((seat, made))
        state.push(seat, made)
    found = review(game, setup, acts, 0, hints=1, stop=patience(WORLDS))
    assert all(0 <= chance <= 1 for chance in found.curve())


@pytest.mark.long
@pytest.mark.parametrize(("key", "options"), SAMPLE)
def test_what_the_teacher_owes_in_a_few_setups(key: str, options: dict[str, object]) -> None:
    game = catalog.get(key)
    kinds = (kind for kind in covering(game) if kind.seats > 1 and options.items() <= kind.options.items())
    teach_through(game, next(kinds), 0)


# Molecular's searches take minutes
EACH = [
    pytest.param(key, marks=pytest.mark.soak if key == "molecular" else pytest.mark.long) for key in STUDIED
]


@pytest.mark.parametrize("key", EACH)
def test_what_the_teacher_owes_in_every_setup(key: str) -> None:
    for number, kind in enumerate(covering(catalog.get(key))):
        try:
            teach_through(catalog.get(key), kind, number)
        except Exception as error:
            error.add_note(f"{kind}, game {number}")
            raise
