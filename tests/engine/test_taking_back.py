"""What can be taken back without anybody having learned something by it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import catalog
from engine.arena import key_of
from engine.game import AnyGame, AnyState
from engine.taking_back import shows_nothing
from tests.conformance.walk import every_game


def kinds(key: str, deals: int = 3, acts: int = 60) -> dict[str, set[bool]]:
    """By the kind of an action in random games: whether it could be taken back."""
    game, found = catalog.get(key), dict[str, set[bool]]()
    seats = game.seats(game.defaults())[0]
    for deal in range(deals):
        state, rng = game.deal(game.setup(seats, key_of(3, deal))), random.Random(deal)
        for _ in range(acts):
            if not (waiting := state.to_act()):
                break
            seat = waiting[0]
            action = rng.choice(state.legal_actions(seat))
            found.setdefault(action[0], set()).add(shows_nothing(game, state, [(seat, action)], seats))
            state.apply(seat, action)
    return found


@pytest.mark.repeats
def test_cards_that_were_drawn_flipped_or_looked_at_are_seen() -> None:
    duel, canasta = kinds("duel52"), kinds("canasta")
    assert duel["flip"] == {False}
    assert False in duel["look"] | duel["attack"]
    assert True in duel["play"]  # face down into a lane, as long as the turn does not end
    assert False in canasta["draw"]
    assert canasta["discard"] == {True}
    assert True in canasta["run"]


@pytest.mark.repeats
def test_that_a_card_was_no_trap_is_seen_too() -> None:
    """An attack on a card face down turns nothing over, but had it been a trap it would have sprung: where
    that is so in one of fifteen worlds, the attack has told the attacker something."""
    duel, told = catalog.get("duel52"), 0
    for deal in (9, 24, 30):
        state, rng = duel.deal(duel.setup(2, key_of(31, deal))), random.Random(deal)
        while waiting := state.to_act():
            seat = waiting[0]
            action = rng.choice(state.legal_actions(seat))
            if action[0] == "attack":
                draw, after = duel.sampler(state.observe(seat)), state.clone()
                after.apply(seat, action)
                worlds = [draw(random.Random(number)) for number in range(60)]
                for world in worlds:
                    world.apply(seat, action)
                otherwise = sum(world.observe(seat) != after.observe(seat) for world in worlds)
                if 15 * otherwise >= len(worlds):
                    told += 1
                    assert not shows_nothing(duel, state, [(seat, action)], 2)
            state.apply(seat, action)
    assert told > 10


@pytest.mark.repeats
def test_what_was_played_openly_from_the_hand_is_no_secret_of_the_game() -> None:
    assert kinds("atom") == {"play": {True}, "pass": {True}}


@pytest.mark.repeats
def test_who_plays_first_may_take_it_back_and_who_plays_last_opens_the_round() -> None:
    assert kinds("chemistry_battle") == {"play": {True, False}}


@every_game
@pytest.mark.repeats
def test_nothing_changes_by_asking(game: AnyGame) -> None:
    seats = game.seats(game.defaults())[0]
    state: AnyState = game.deal(game.setup(seats, key_of(2, 2)))
    rng = random.Random(2)
    for _ in range(20):
        if not (waiting := state.to_act()):
            break
        before: Any = state.fingerprint()
        act = (waiting[-1], rng.choice(state.legal_actions(waiting[-1])))
        assert shows_nothing(game, state, [act], seats) == shows_nothing(game, state, [act], seats)
        assert state.fingerprint() == before
        state.apply(*act)
