"""Decisions find their cards, lanes and cells in the picture of the hand, in every game."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from bot import presenters
from bot.render.check import audit
from bot.render.parts import ringed
from bot.render.scene import places
from engine.game import AnyGame
from tests.conformance.walk import a_setup, every_game, random_play
from tests.support.discord.wording import look

LOOKED = 0.04
"""Share of the decisions of a random game whose pictures are made."""


@every_game
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_decision_is_about_something_in_the_picture(game: AnyGame, data: st.DataObject, seed: int) -> None:
    rng, presenter = random.Random(seed), presenters.get(game.key)
    for state, _ in random_play(game, a_setup(data, game), rng):
        for seat in state.to_act():
            if rng.random() > LOOKED:
                continue
            seen, actions = state.observe(seat), state.legal_actions(seat)
            scene = presenter.hand(seen, look())
            shown = places(scene.items)
            for action in rng.sample(actions, min(6, len(actions))):
                spots = presenter.spots(seen, action)
                assert not spots or any(spot in shown for spot in spots), (action, spots)
                marked = ringed(scene, spots)
                assert (marked is scene) == (not spots)
                assert audit(marked) == audit(scene)
