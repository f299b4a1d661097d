"""Sharp is Steady with a part of Master's correction, and makes no mistake between two hands."""

from __future__ import annotations

import random

import pytest

from engine.arena import key_of
from engine.atom import GAME
from engine.atom.ai.heuristic import scores as of_steady
from engine.atom.ai.master import TRIED, scores, sharp
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


@pytest.mark.parametrize("moves", [0, 60, 110])
def test_with_five_it_is_the_steady_one(moves: int) -> None:
    state = later(5, moves)
    assert chosen(state, seed=3) == chosen(state, "steady", seed=3)


def test_away_from_the_usual_game_it_says_that_it_plays_as_steady() -> None:
    assert GAME.level_in("sharp", 4, {}) == "sharp"
    assert GAME.level_in("sharp", 4, {"jokers": "three"}) == "steady"
    assert GAME.level_in("sharp", 5, {}) == "steady"


@pytest.mark.parametrize("moves", [0, 13, 40, 76])
def test_its_scores_lie_between_those_of_steady_and_master(moves: int) -> None:
    state = later(4, moves)
    seen, actions = state.observe(state.turn), state.legal_actions(state.turn)
    steady, most = of_steady(seen, actions, random.Random(0)), scores(seen, actions)
    found = scores(seen, actions, sharp.share)
    tried = sorted(range(len(actions)), key=lambda index: -steady[index])[: TRIED - 1]
    for index in tried:
        part = steady[index] + sharp.share * (most[index] - steady[index])
        assert found[index] == pytest.approx(part)


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
