"""What play shows of the cards still held: how well a world explains it."""

from __future__ import annotations

import random

import pytest

from engine.atom_duel import GAME
from engine.atom_duel.ai.inference import likelihood
from engine.atom_duel.state import AtomDuelState
from tests.engine.atom_duel.positions import arrange, play


def weighed(state: AtomDuelState, *rows: str) -> list[float]:
    """How well each of these rows of seat 1 explains what was played, as seat 0 sees it."""
    weigh = likelihood(state.observe(0))
    worlds = []
    for row in rows:
        world = arrange("Ba Kr I", row, level=1, rounds=1)
        worlds.append(weigh(world))
    return worlds


def test_nothing_is_known_before_anybody_has_played() -> None:
    state = arrange("Ba Kr I Cd Ag", "Og U Se Br H", level=4, rounds=3)
    weigh = likelihood(state.observe(0))
    draw, rng = GAME.sampler(state.observe(0)), random.Random(1)
    assert {weigh(draw(rng)) for _ in range(20)} == {1.0}


def test_who_came_last_and_lost_kept_no_winner_and_nothing_cheaper() -> None:
    state = arrange("Ba Kr I", "Og Zn Se", level=1, rounds=1)
    play(state, "Ba", "Zn")
    fits, winner, cheaper = weighed(state, "Se Ag", "Se Og", "Se H")
    assert fits == 1.0
    assert cheaper < winner < fits


def test_who_came_last_and_won_kept_no_cheaper_winner() -> None:
    state = arrange("Ba Kr I", "U Zn Se", level=1, rounds=1)
    play(state, "Ba", "U")
    dear, cheaper, loser = weighed(state, "Se Og", "Se Pb", "Se Ag")
    assert dear == loser == 1.0
    assert cheaper < 0.5


def test_who_leads_seldom_leads_the_highest_card() -> None:
    state = arrange("Ba Kr I", "Ag Zn Se", level=1, rounds=1, leader=1)
    play(state, "Ag")
    lowest, middle, highest = weighed(state, "Og U", "Og Se", "Zn Se")
    assert highest < lowest
    assert highest < middle


@pytest.mark.parametrize("power", ["Cl", "H"])
def test_rows_that_moved_show_nothing(power: str) -> None:
    state = arrange("Ba Kr I", f"{power} Zn Se", level=7, rounds=2)
    play(state, "Ba", power)
    seen = state.observe(0)
    weigh, draw, rng = likelihood(seen), GAME.sampler(seen), random.Random(1)
    assert {weigh(draw(rng)) for _ in range(20)} == {1.0}
