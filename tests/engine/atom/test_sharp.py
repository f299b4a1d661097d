"""Sharp is Steady until few cards are left; between two hands it errs no more."""

from __future__ import annotations

import random

import pytest

from engine.arena import key_of
from engine.atom import GAME
from engine.atom.ai.sharp import Endings, sharp
from engine.atom.moves import Move
from engine.atom.state import AtomState
from tests.engine.atom.positions import arrange, lay


def chosen(state: AtomState, level: str = "sharp", seed: int = 0) -> Move:
    seat = state.turn
    move: Move = GAME.opponents[level](state.observe(seat), state.legal_actions(seat), random.Random(seed))
    return move


def later(seats: int, moves: int) -> AtomState:
    """A game of Steady after so many moves."""
    state, rng = GAME.deal(GAME.setup(seats, key_of(7, 0))), random.Random(7)
    for _ in range(moves):
        seat = state.turn
        move = GAME.opponents["steady"](state.observe(seat), state.legal_actions(seat), rng)
        state.push(seat, move)
    return state


@pytest.mark.parametrize(("seats", "moves"), [(4, 0), (4, 20), (5, 0), (5, 60), (5, 110)])
def test_with_many_cards_and_with_five_it_is_the_steady_one(seats: int, moves: int) -> None:
    state = later(seats, moves)
    assert seats == 5 or sum(state.left) > sharp.cards
    assert chosen(state, seed=3) == chosen(state, "steady", seed=3)


def test_what_it_says_of_itself_is_the_usual_game() -> None:
    assert GAME.usual["sharp"] == "steady"
    assert GAME.level_in("sharp", 4, {"jokers": "three"}) == "sharp"


def test_between_two_hands_it_makes_the_other_split_its_aces() -> None:
    """With a third player's cards out of the way, two of three sevens are led, as `two_hands` finds."""
    state = arrange(
        "", "", "KH AC AD AS", "2S 5C 5D 7C 7H 7S", blade="4", leader=3, captured=(10, 0, 235, 35)
    )
    state.out = [0, 1]
    assert chosen(state, "steady") == lay("7C 7H 7S")
    assert chosen(state) == lay("7C 7H")


def test_a_hand_that_goes_out_at_once_goes_out() -> None:
    state = arrange("KC KD", "3C 4D 5H", "6C 8D", "9C 10D JH")
    assert chosen(state) == lay("KC KD")


def test_where_no_world_speaks_for_another_move_it_does_what_steady_does() -> None:
    """Trust so large that nothing outweighs it: the tries change nothing."""
    state = later(4, 76)
    assert sum(state.left) <= sharp.cards
    seen, actions = state.observe(state.turn), state.legal_actions(state.turn)
    faithful = Endings(trust=1e6)
    assert faithful(seen, actions, random.Random(1)) == chosen(state, "steady")
