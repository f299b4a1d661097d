"""Opponents that think longer: what they see that the heuristic does not."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from engine.arena import key_of
from engine.atom_duel import GAME
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import Observation
from engine.atom_duel.searching import likely, master, sharp
from tests.engine.atom_duel.positions import arrange, play, z


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("choose", [sharp, master])
def test_it_takes_the_hand_that_settles_a_tie(
    choose: Callable[[Observation, Sequence[Move], random.Random], Move], seed: int
) -> None:
    """One hand more makes the points equal, and the last round is won: so it is taken while that is sure."""
    state = arrange("Xe H", "Kr Ag", level=1, rounds=4, round_=4, leader=1)
    state.points, state.round_points[-1] = [9, 9], [2, 1]
    play(state, "Kr")
    assert choose(state.observe(0), state.legal_actions(0), random.Random(seed)).card == z("Xe")


@pytest.mark.parametrize(("seats", "level"), [(2, 4), (2, 7), (4, 6)])
def test_it_plays_whole_games_and_the_same_twice(seats: int, level: int) -> None:
    def played() -> list[Move]:
        state = GAME.deal(GAME.setup(seats, key_of(8, 1), level=level, rounds=1))
        rng, moves = random.Random(1), []
        while waiting := state.to_act():
            seat = waiting[0]
            actions = state.legal_actions(seat)
            moves.append(sharp(state.observe(seat), actions, rng))
            state.apply(seat, moves[-1])
        return moves

    assert played() == played()


def test_worlds_that_play_makes_unlikely_are_seldom_dealt() -> None:
    state = arrange("Ba Kr I", "Og Zn Se", level=1, rounds=1)
    play(state, "Ba", "Zn")
    draw = likely(state.observe(0), random.Random(1))
    kept = [{card for _, card, _, _, _ in draw()[1]} for _ in range(300)]
    # by chance nearly every other row of two would have a card below Zinc
    assert sum(any(card < z("Zn") for card in row) for row in kept) < 0.2 * len(kept)
