"""The sharp opponent, and what the network says of a card."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine.arena import key_of
from engine.atom_duel import GAME
from engine.atom_duel.ai import forecast, heuristic
from engine.atom_duel.ai.sharp import USUAL, sharp
from engine.atom_duel.moves import Move
from engine.atom_duel.state import AtomDuelState
from engine.ladder import fewest_seats
from tests.engine.atom_duel.positions import arrange, play, z
from tools.train.atom_duel_rounds import Level, Seat, described


def chosen(state: AtomDuelState, seed: int = 1) -> Move:
    seat = state.to_act()[0]
    return sharp(state.observe(seat), state.legal_actions(seat), random.Random(seed))


def test_it_is_offered() -> None:
    assert "sharp" in GAME.levels
    assert GAME.opponents["sharp"] is sharp


@pytest.mark.parametrize("seed", range(3))
def test_last_it_takes_a_hand_cheaply_and_throws_its_lowest(seed: int) -> None:
    state = arrange("Ba Kr I", "Og U Se", level=4, rounds=4)
    play(state, "Ba")
    assert chosen(state, seed).card == z("U")
    state = arrange("Og Kr I", "Ba Zn Se", level=4, rounds=4)
    play(state, "Og")
    assert chosen(state, seed).card == z("Zn")


@pytest.mark.parametrize(
    "state",
    [arrange("Og U Se", "Ba Kr I", "Ag Cd Br", level=4, rounds=4), arrange("Og U Se", "Ba Kr I", level=1)],
    ids=["three players", "level 1"],
)
def test_elsewhere_it_is_the_steady_one(state: AtomDuelState) -> None:
    seen, actions = state.observe(0), state.legal_actions(0)
    assert chosen(state, 5) == heuristic.heuristic(seen, actions, random.Random(5))


def test_what_it_says_of_itself_is_the_usual_game() -> None:
    usual = GAME.defaults()
    assert GAME.usual["sharp"] == "steady"
    assert (fewest_seats(GAME, {}), usual["level"], usual["hand_size"], usual["rounds"]) == USUAL


def test_with_all_powers_it_passes_a_bad_row_on() -> None:
    """Hydrogen gives all unplayed cards to the next player: two that win nothing for two that do."""
    state = arrange("H Li Be", "Og Cn Rg", level=7, rounds=4)
    assert chosen(state).card == z("H")


def test_the_last_card_of_a_game_decides() -> None:
    for own, least, most in (("U", 0.95, 1.0), ("Se", 0.0, 0.05)):
        state = arrange("Ba", own, level=1, rounds=1)
        play(state, "Ba")
        assert least <= forecast.forecasts(state.observe(1))[z(own)] <= most


def test_points_decide_what_a_card_is_worth() -> None:
    state = arrange("Og U Se", "Ba Kr I", level=1, rounds=1)
    for points, chance in (([9, 0], 1.0), ([0, 9], 0.0)):
        state.points = points
        assert [*forecast.forecasts(state.observe(0)).values()] == pytest.approx([chance] * 3)


@pytest.mark.parametrize("level", [1, 4])
def test_it_was_learned_of_the_numbers_that_it_is_asked(level: int) -> None:
    table, rng = Level(level), random.Random(level)
    state = GAME.deal(GAME.setup(2, key_of(level, 1), level=level, rounds=2))
    while waiting := state.to_act():
        seat = waiting[0]
        if state.pending is None:
            seen = state.observe(seat)
            asked = forecast.described(seen)
            numbers, cards, _ = described(table, _known(seen))
            for card, learned in zip(cards[0], numbers[0], strict=True):
                assert np.allclose(asked[int(card)], learned, atol=1e-5)
        state.push(seat, rng.choice(state.legal_actions(seat)))


def _known(seen: forecast.Observation) -> Seat:
    seat = seen.viewer or 0
    gone = np.zeros((1, 119), bool)
    gone[0, [0, *seen.gone, *(play.card for play in seen.plays)]] = True
    gone[0, [card for card in seen.rows[1 - seat] if card > 0]] = True
    last, cards = seen.last_hand, {0: 0, 1: 0}
    valid = last is not None and last.round == seen.round and len(last.plays) == 2
    if last is not None and valid:
        cards = {play.seat: play.card for play in last.plays}
    led, won = (last.leader, last.winner) if last is not None else (0, 0)
    return Seat(
        np.array([[card for card in seen.rows[seat] if card]]),
        gone,
        np.array([seen.plays[0].card if seen.plays else 0]),
        np.array([seen.counts[1 - seat]]),
        tuple(np.array([each]) for each in (valid, cards[seat], cards[1 - seat], led != seat, won != seat)),  # type: ignore[arg-type]
    )
