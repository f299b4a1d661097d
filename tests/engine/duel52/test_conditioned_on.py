"""Worlds in which a back that was flipped lies where it was seen."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine import levels
from engine.ai.motive import visible_event
from engine.arena import key_of
from engine.duel52.game import GAME
from engine.duel52.notation import read
from engine.duel52.sample import conditioned_on
from engine.duel52.state import DuelState
from engine.game import Event, Seat

WORLDS = 8


def flips(seed: int) -> Iterator[tuple[DuelState, Seat, Event]]:
    """The flips of a game that come as news: the position before, who looks on, and what is told."""
    rng, state = random.Random(seed), GAME.deal(GAME.setup(2, key_of(seed, 4)))
    while waiting := state.to_act():
        seat = waiting[0]
        actions = state.legal_actions(seat)
        action = GAME.opponents[levels.CASUAL](state.observe(seat), actions, rng)
        before = state.clone()
        state.events = []
        state.push(seat, action)
        told = visible_event(state.events, seat, 1 - seat)
        if action.verb == "flip" and told is not None:
            yield before, 1 - seat, told


def test_what_was_flipped_lies_there_and_nothing_else_that_is_known_has_moved() -> None:
    met = there = 0
    for state, viewer, told in flips(3):
        before = state.observe(viewer)
        for seed in range(WORLDS):
            world = conditioned_on(GAME.sample(before, random.Random(seed)), told, viewer)
            assert world.observe(viewer) == before
            assert world.census() == state.census()
            there += world.card[told.facts["unit"]] == told.facts["card"]
            met += 1
    # where a 3 would have to have died face-down it may not
    assert met > 5 * WORLDS
    assert there > 0.95 * met


def test_what_the_viewer_sees_elsewhere_stays_there() -> None:
    # a made-up message: the king is in the hand of who is told
    state = read("standard A3 (5s)|-|-/-|-|- hands=2s/Kh pile=2d3d3c")
    told = Event("flip", 0, {"unit": 0, "card": state.hands[1][0], "lane": 0, "by": -1})
    assert conditioned_on(state.clone(), told, 1).fingerprint() == state.fingerprint()


def test_a_card_that_died_face_down_gives_its_place_to_no_three() -> None:
    state = read("standard A3 (3s)|-|-/-|-|- gone=(Kh)@- pile=2d")
    told = Event("flip", 0, {"unit": 0, "card": state.gone[0][0], "lane": 0, "by": -1})
    assert conditioned_on(state.clone(), told, 1).card[0] == state.card[0]
