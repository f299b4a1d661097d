"""Why an opponent did what it did: told from what the asker may know, in every game that has a study."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from engine import catalog, levels
from engine.ai.advice import luck_of
from engine.ai.motive import Motive, hindsight, motive, visible_event
from engine.arena import key_of
from engine.game import AnyGame, AnyState, Event, Seat

pytestmark = pytest.mark.slow

STUDIED = [key for key in catalog.listed() if catalog.get(key).study is not None]
MOVES, EVERY = 2, 9
WORLDS = 4
HEAVY = frozenset(
    {
        ("atom_duel", 2),
        ("chemistry_battle", 2),
        ("chemistry_battle", 6),
        ("atom", 4),
        ("molecular", 2),
        ("duel52", 2),
    }
)
"""Tables where a motive takes seconds; `make long` holds the law there, for one decision."""


def some_tables() -> Iterator[tuple[str, int]]:
    """The games, each with the fewest and the most seats that have somebody to ask about."""
    for key in STUDIED:
        several = [seats for seats in catalog.get(key).seats(catalog.get(key).defaults()) if seats > 1]
        yield from ((key, seats) for seats in sorted({several[0], several[-1]}))


def moves(game: AnyGame, seats: int) -> Iterator[tuple[AnyState, Seat, Any]]:
    """Some decisions of a game that the steady opponent plays against itself: before it, who, and what."""
    rng, steady = random.Random(11), game.opponents[levels.STEADY]
    state, met, found = game.deal(game.setup(seats, key_of(seats, 5))), 0, 0
    while (waiting := state.to_act()) and found < MOVES:
        seat, actions = waiting[0], state.legal_actions(waiting[0])
        action = steady(state.observe(seat), actions, rng)
        if len(actions) > 1:
            met += 1
            if met % EVERY == 1:
                found += 1
                yield state.clone(), seat, action
        state.push(seat, action)


def told_of(state: AnyState, seat: Seat, action: Any, asker: Seat) -> Event | None:
    after = state.clone()
    after.events = []
    after.push(seat, action)
    return visible_event(after.events, seat, asker)


def asked(game: AnyGame, state: AnyState, told: Event | None, asker: Seat) -> Motive:
    before = state.observe(asker)
    return motive(game, game.opponents[levels.STEADY], before, told, luck_of(before, told))


@pytest.mark.parametrize(
    ("key", "seats"),
    [pytest.param(*at, marks=[pytest.mark.long] if at in HEAVY else []) for at in some_tables()],
)
def test_a_motive_is_the_same_in_every_world_that_the_asker_may_be_in(key: str, seats: int) -> None:
    game = catalog.get(key)
    for state, seat, action in islice(moves(game, seats), 1 if (key, seats) in HEAVY else MOVES):
        asker = (seat + 1) % seats
        told = told_of(state, seat, action, asker)
        found = asked(game, state, told, asker)
        assert found.usual <= found.worlds
        assert found.forced <= found.worlds
        assert {one.measure for one in found.differences} <= set(game.measures)
        world = game.sample(state.observe(asker), random.Random(3))
        assert asked(game, world, told, asker) == found
        # and where the seat may do so there, what the asker is told is the same as well
        for other in world.legal_actions(seat):
            if (there := told_of(world, seat, other, asker)) == told:
                assert asked(game, world, there, asker) == found
                break


@pytest.mark.parametrize(("key", "seats"), list(some_tables()))
def test_a_conditioned_sample_is_one_that_the_asker_may_be_in(key: str, seats: int) -> None:
    game = catalog.get(key)
    for state, seat, action in moves(game, seats):
        asker = (seat + 1) % seats
        if (told := told_of(state, seat, action, asker)) is None:
            continue
        before = state.observe(asker)
        for seed in range(WORLDS):
            world = game.conditioned_on(game.sample(before, random.Random(seed)), told, asker)
            assert world.observe(asker) == before
            assert world.census() == game.sample(before, random.Random(seed)).census()


@pytest.mark.parametrize("key", STUDIED)
def test_of_what_nobody_saw_nothing_is_told(key: str) -> None:
    game = catalog.get(key)
    seats = game.seats(game.defaults())[-1]
    state, seat, _ = next(moves(game, seats))
    assert asked(game, state, None, (seat + 1) % seats).hidden


@pytest.mark.long
@pytest.mark.parametrize("key", STUDIED)
def test_hindsight_compares_what_was_done_with_the_best(key: str) -> None:
    game = catalog.get(key)
    for state, seat, action in moves(game, game.seats(game.defaults())[-1]):
        seen, actions = state.observe(seat), state.legal_actions(seat)
        found = hindsight(game, seen, actions, action, luck_of(seen))
        assert found.best in actions
        assert action in (found.best, found.second)
        again = game.sample(seen, random.Random(2)).observe(seat)
        assert hindsight(game, again, actions, action, luck_of(again)) == found
