"""Worlds of one observation: what is hidden lies anywhere, each card as likely as any other."""

from __future__ import annotations

import random
from collections import Counter

from engine.atom_duel import GAME
from engine.atom_duel.cards import CARDS
from tests.engine.atom_duel.positions import arrange, play


def test_every_unseen_card_is_as_likely_in_each_hidden_slot_and_to_be_dealt_next() -> None:
    state = arrange("Ba Kr I Cd Ag", "Og U Se Br H", level=1, rounds=2)
    draw, rng = GAME.sampler(state.observe(0)), random.Random(1)
    worlds = [draw(rng) for _ in range(4000)]
    unseen = len(CARDS) - 5
    for found in (
        Counter(world.rows[1][0] for world in worlds),
        Counter(world.rows[1][4] for world in worlds),
        Counter(world.deck[0] for world in worlds),
        Counter(world.deck[9] for world in worlds),
    ):
        assert len(found) == unseen
        # 35 a card: beyond 70 is beyond five standard errors
        assert max(found.values()) < 70


def test_a_card_known_up_to_a_shuffle_is_as_likely_in_each_of_its_places() -> None:
    state = arrange("Sr I Kr Ag Ba", "Cl U Se Br H", level=7, rounds=2)
    play(state, "Sr", "reveal:1.2", "Cl")
    seen = state.observe(0)
    (group,) = seen.groups
    draw, rng = GAME.sampler(seen), random.Random(2)
    worlds = [draw(rng) for _ in range(1200)]
    assert all(world.observe(0) == seen for world in worlds[:100])
    found = Counter(
        (seat, world.rows[seat].index(group.cards[0]))
        for world in worlds
        for seat in range(2)
        if group.cards[0] in world.rows[seat]
    )
    assert {*found} == {*group.places}
    assert min(found.values()) > 0.75 * len(worlds) / len(group.places)


def test_worlds_share_nothing_that_changes() -> None:
    state = arrange("Ba Kr I Cd Ag", "Og U Se Br H", level=4, rounds=3)
    seen = state.observe(0)
    draw, rng = GAME.sampler(seen), random.Random(3)
    one = draw(rng)
    while seats := one.to_act():
        one.push(seats[0], rng.choice(one.legal_actions(seats[0])))
    assert draw(rng).observe(0) == seen


def test_a_world_that_is_played_beyond_the_next_round_deals_any_card_there() -> None:
    """Its deck is in order for one round; the rest is shuffled when it is dealt, in a copy just so."""
    state = arrange("Ba Kr I Cd Ag", "Og U Se Br H", level=1, rounds=3)
    draw, rng = GAME.sampler(state.observe(0)), random.Random(4)
    found: Counter[int] = Counter()
    for number in range(2000):
        world = draw(rng)
        twin = world.clone() if number < 20 else world
        while world.round < 3:
            (seat,) = world.to_act()
            move = world.legal_actions(seat)[0]
            world.push(seat, move)
            if twin is not world:
                twin.push(seat, move)
        assert twin.fingerprint() == world.fingerprint()
        found.update(world.rows[1])
    assert len(found) == len(CARDS) - 5
    # 88 a card: beyond 140 is beyond five standard errors
    assert max(found.values()) < 140
