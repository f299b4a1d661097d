"""Worlds in which the cards that somebody played were in that hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from engine import levels
from engine.ai.motive import motive, visible_event
from engine.arena import key_of
from engine.atom.game import GAME
from engine.atom.sample import conditioned_on
from engine.atom.state import AtomState
from engine.game import Event, Seat

WORLDS = 2


def told_of(seed: int, seats: int, kind: str) -> Iterator[tuple[AtomState, Seat, Event]]:
    """What is told of one kind in a game: the position before, who looks on, and the news."""
    rng = random.Random(seed)
    state = GAME.deal(GAME.setup(seats, key_of(seed, 4)))
    while waiting := state.to_act():
        seat = waiting[0]
        action = GAME.opponents[levels.NEWCOMER](state.observe(seat), state.legal_actions(seat), rng)
        before = state.clone()
        state.events = []
        state.push(seat, action)
        viewer = rng.choice([other for other in range(seats) if other != seat])
        told = visible_event(state.events, seat, viewer)
        if told is not None and told.kind == kind:
            yield before, viewer, told


@pytest.mark.repeats
@pytest.mark.parametrize("seats", [4, 5])
def test_what_was_played_was_in_the_hand_and_nothing_that_is_known_has_moved(seats: int) -> None:
    met = there = 0
    for state, viewer, told in told_of(5, seats, "play"):
        before = state.observe(viewer)
        for seed in range(WORLDS):
            world = conditioned_on(GAME.sample(before, random.Random(seed)), told, viewer)
            assert world.observe(viewer) == before
            assert world.census() == state.census()
            assert world.teams == GAME.sample(before, random.Random(seed)).teams
            hand = Counter(dict(enumerate(world.observe(told.seat).hand)))
            there += hand >= Counter(told.facts["cards"])
            met += 1
    # who shows the called card shows a side, which stays as the world has it
    assert there == met if seats == 4 else there > 0.95 * met


def test_a_bomb_that_chance_seldom_deals_is_always_in_the_hand() -> None:
    """Without it hardly a world explains why somebody bombed."""
    bombs = [one for one in told_of(7, 4, "play") if one[2].facts["sort"] == "bomb"]
    state, viewer, told = bombs[0]
    before = state.observe(viewer)
    wanted = Counter(told.facts["cards"])

    def holds(world: AtomState) -> bool:
        return Counter(dict(enumerate(world.observe(told.seat).hand))) >= wanted

    worlds = [GAME.sample(before, random.Random(seed)) for seed in range(40)]
    assert sum(map(holds, worlds)) < 10
    assert all(holds(conditioned_on(world, told, viewer)) for world in worlds)


def test_a_pass_changes_nothing() -> None:
    state = next(told_of(7, 4, "play"))[0]
    told = Event("pass", state.to_act()[0], {})
    assert conditioned_on(state.clone(), told, None).fingerprint() == state.fingerprint()


def test_who_holds_too_few_cards_to_beat_a_play_had_to_pass() -> None:
    state, asker, told = next(
        one for one in told_of(5, 4, "pass") if len(one[0].best_cards) == 3 and one[0].left[one[0].turn] < 3
    )
    usual = GAME.opponents[levels.STEADY]
    found = motive(GAME, usual, state.observe(asker), told, random.Random(1))
    assert found.forced == found.usual == found.worlds
    assert found.is_forced
