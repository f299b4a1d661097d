"""The Sharp opponent, in the only game in which it differs from Steady."""

from __future__ import annotations

import random

import pytest

from engine.atom_duel import GAME
from engine.atom_duel.ai import heuristic
from engine.atom_duel.ai.sharp import SEARCHED, sharp
from engine.atom_duel.moves import Move
from engine.atom_duel.state import AtomDuelState
from tests.engine.atom_duel.positions import arrange, z


def chosen(state: AtomDuelState, seed: int = 1) -> Move:
    seat = state.to_act()[0]
    return sharp(state.observe(seat), state.legal_actions(seat), random.Random(seed))


@pytest.mark.parametrize(
    "state",
    [
        arrange("Og U Se", "Ba Kr I", level=4, rounds=4),
        arrange("Og U Se", "Ba Kr I", "Ag Cd Br", level=7, rounds=4),
        arrange("Og U Se", "Ba Kr I", level=1),
    ],
    ids=["the usual game", "three players", "level 1"],
)
def test_elsewhere_it_plays_like_steady(state: AtomDuelState) -> None:
    seen, actions = state.observe(0), state.legal_actions(0)
    assert chosen(state, 5) == heuristic.heuristic(seen, actions, random.Random(5))


def test_it_is_offered_for_two_with_all_powers() -> None:
    seats, level, hand_size, rounds = SEARCHED
    options = {"level": level, "hand_size": hand_size, "rounds": rounds}
    assert GAME.levels_in(seats, options)[-1] == "sharp"
    assert "sharp" not in GAME.levels_in(seats + 1, options)
    assert "sharp" not in GAME.levels_in(seats, {})


def test_with_all_powers_it_passes_a_bad_row_on() -> None:
    """Hydrogen gives all unplayed cards to the next player: two that win nothing for two that do."""
    state = arrange("H Li Be", "Og Cn Rg", level=7, rounds=4)
    assert chosen(state).card == z("H")
