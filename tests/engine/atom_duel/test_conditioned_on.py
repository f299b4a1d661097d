"""Worlds in which a card that was played lay in the row of who played it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from engine import levels
from engine.ai.motive import visible_event
from engine.arena import key_of
from engine.atom_duel.game import GAME
from engine.atom_duel.sample import conditioned_on
from engine.atom_duel.state import AtomDuelState
from engine.game import Event, Seat

WORLDS = 2


def plays(seed: int, seats: int, level: int) -> Iterator[tuple[AtomDuelState, Seat, Event]]:
    """The plays of a game that come as news: the position before, who looks on, and what is told."""
    rng = random.Random(seed)
    state = GAME.deal(GAME.setup(seats, key_of(seed, 4), level=level))
    while waiting := state.to_act():
        seat = waiting[0]
        action = GAME.opponents[levels.NEWCOMER](state.observe(seat), state.legal_actions(seat), rng)
        before = state.clone()
        state.events = []
        state.push(seat, action)
        viewer = rng.choice([other for other in range(seats) if other != seat])
        told = visible_event(state.events, seat, viewer)
        if action.verb in ("play", "flip") and told is not None:
            yield before, viewer, told


@pytest.mark.repeats
@pytest.mark.parametrize("level", [1, 4, 7])
@pytest.mark.parametrize("seats", GAME.seats(GAME.defaults()))
def test_what_was_played_lay_there_and_nothing_that_is_known_has_moved(seats: int, level: int) -> None:
    met = there = 0
    for state, viewer, told in plays(5, seats, level):
        before = state.observe(viewer)
        for seed in range(WORLDS):
            world = conditioned_on(GAME.sample(before, random.Random(seed)), told, viewer)
            assert world.observe(viewer) == before
            assert world.census() == state.census()
            there += told.facts["card"] in world.rows[told.seat]
            met += 1
    # sealed rows are left as they are, and so is what lies somewhere among cards that were shuffled
    assert there > (0.6 if level == 7 else 0.99) * met


def test_what_the_viewer_holds_itself_stays_there() -> None:
    state = next(plays(7, 2, 4))[0]
    seat = state.to_act()[0]
    held = next(card for card in state.rows[1 - seat] if card)
    told = Event("play", seat, {"card": held, "power": ""})
    assert conditioned_on(state.clone(), told, 1 - seat).fingerprint() == state.fingerprint()


def test_who_was_shown_a_card_keeps_knowing_where_it_lies() -> None:
    """Level 7: another seat has looked at cards, and knows the one that takes their place instead."""
    tried = 0
    for state, viewer, told in plays(11, 3, 7):
        if state.knowledge is None or state.simultaneous:
            continue
        world = conditioned_on(GAME.sample(state.observe(viewer), random.Random(1)), told, viewer)
        for known in world.knowledge.known if world.knowledge else ():
            for card, places in known.items():
                lies = next(
                    1 << (seat * 8 + row.index(card)) for seat, row in enumerate(world.rows) if card in row
                )
                assert lies & places
                tried += 1
    assert tried
