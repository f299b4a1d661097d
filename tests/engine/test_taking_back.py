"""What can be taken back without anybody having learned something by it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from engine import catalog
from engine.arena import key_of
from engine.duel52.cards import VARIANTS
from engine.game import AnyGame, AnyState, Seat, Value
from engine.taking_back import shows_nothing
from tests.conformance.walk import every_game


class Move(NamedTuple):
    """A move of a random game: the positions around it, and whether it could be taken back freely."""

    kind: str
    seat: Seat
    before: Any
    after: Any
    free: bool


def moves(
    key: str, seats: int = 0, deals: int = 3, acts: int = 60, options: Mapping[str, Value] | None = None
) -> Iterator[Move]:
    """The moves of random games, by as few people as may play where nobody says how many."""
    game = catalog.get(key)
    chosen = {**game.defaults(), **(options or {})}
    for deal in range(deals):
        setup = game.setup(seats or game.seats(chosen)[0], key_of(3, deal), **chosen)
        state, rng = game.deal(setup), random.Random(deal)
        for _ in range(acts):
            if not (waiting := state.to_act()):
                break
            seat, before = waiting[0], state.clone()
            action = rng.choice(state.legal_actions(seat))
            free = shows_nothing(game, setup, state, [(seat, action)])
            state.apply(seat, action)
            yield Move(action[0], seat, before, state.clone(), free)


def kinds(key: str, seats: int = 0) -> dict[str, set[bool]]:
    """By the kind of a move in random games: whether it could be taken back freely."""
    found = dict[str, set[bool]]()
    for move in moves(key, seats):
        found.setdefault(move.kind, set()).add(move.free)
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
        setup = duel.setup(2, key_of(31, deal))
        state, rng = duel.deal(setup), random.Random(deal)
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
                    assert not shows_nothing(duel, setup, state, [(seat, action)])
            state.apply(seat, action)
    assert told > 10


@pytest.mark.repeats
def test_a_card_that_opponents_have_seen_may_be_taken_up_again() -> None:
    assert True in kinds("atom_duel")["play"]
    assert True in kinds("molecular")["group"]


@pytest.mark.repeats
@pytest.mark.parametrize("seats", [4, 5])
def test_a_card_that_a_partner_may_have_seen_is_taken_up_by_consent_alone(seats: int) -> None:
    found = kinds("atom", seats)
    assert found["play"] == {False}
    assert found["pass"] == {True}


@pytest.mark.long
@pytest.mark.repeats
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_last_action_of_a_turn_of_duel_52_is_not_free_as_the_next_player_has_drawn(variant: str) -> None:
    drawn = 0
    for move in moves("duel52", options={"variant": variant}):
        if len(move.after.pile) < len(move.before.pile) and move.after.turn != move.seat:
            drawn += 1
            assert not move.free
    assert drawn or variant == "solo"


@pytest.mark.long
@every_game
@pytest.mark.repeats
def test_nobody_else_holds_other_cards_after_a_move_that_is_free(game: AnyGame) -> None:
    for options in game.variants().values():
        chosen = {**game.defaults(), **options}
        for seats in {game.seats(chosen)[0], game.seats(chosen)[-1]}:
            for move in moves(game.key, seats, 1, 25, chosen):
                others = [seat for seat in range(seats) if seat != move.seat]
                hands = [
                    [sorted(game.in_hand(state.observe(seat))) for seat in others]
                    for state in (move.before, move.after)
                ]
                assert not move.free or hands[0] == hands[1]


@pytest.mark.repeats
def test_who_plays_first_may_take_it_back_and_who_plays_last_opens_the_round() -> None:
    assert kinds("chemistry_battle") == {"play": {True, False}}


@every_game
@pytest.mark.repeats
def test_nothing_changes_by_asking(game: AnyGame) -> None:
    seats = game.seats(game.defaults())[0]
    setup = game.setup(seats, key_of(2, 2))
    state: AnyState = game.deal(setup)
    rng = random.Random(2)
    for _ in range(20):
        if not (waiting := state.to_act()):
            break
        before: Any = state.fingerprint()
        act = (waiting[-1], rng.choice(state.legal_actions(waiting[-1])))
        assert shows_nothing(game, setup, state, [act]) == shows_nothing(game, setup, state, [act])
        assert state.fingerprint() == before
        state.apply(*act)
