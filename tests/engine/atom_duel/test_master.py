"""The master opponent, and the habits by which it plays rounds out."""

from __future__ import annotations

import random
from math import exp

import numpy as np
import pytest

from engine.atom_duel import GAME
from engine.atom_duel.ai import master as master_module
from engine.atom_duel.ai.habits import habits
from engine.atom_duel.ai.master import Round, guessed, master, outlooks
from engine.atom_duel.ai.sharp import sharp
from engine.atom_duel.cards import CARDS
from engine.atom_duel.moves import Move
from engine.atom_duel.state import AtomDuelState
from tests.engine.atom_duel.positions import arrange, play, z
from tools.train.atom_duel_habits import HabitPlay, leading, taking

SHORT = ((60, 9), (60, 2))


def chosen(state: AtomDuelState, seed: int = 1) -> Move:
    seat = state.to_act()[0]
    return master(state.observe(seat), state.legal_actions(seat), random.Random(seed))


def test_it_is_offered_above_the_sharp_one() -> None:
    assert GAME.levels[-2:] == ("sharp", "master")
    assert GAME.opponents["master"] is master
    assert GAME.usual["master"] == "sharp"


@pytest.mark.parametrize("seed", range(3))
def test_last_it_takes_a_hand_cheaply_and_throws_its_lowest(seed: int) -> None:
    state = arrange("Ba Kr I", "Og U Se", level=4, rounds=4)
    play(state, "Ba")
    assert chosen(state, seed).card == z("U")
    state = arrange("Og Kr I", "Ba Zn Se", level=4, rounds=4)
    play(state, "Og")
    assert chosen(state, seed).card == z("Zn")


def test_the_same_luck_gives_the_same_decision() -> None:
    state = arrange("Og U Se Kr", "Ba Kr I Zn", level=4, rounds=4)
    seen = state.observe(0)
    assert outlooks(seen, random.Random(7), race=SHORT) == outlooks(seen, random.Random(7), race=SHORT)


@pytest.mark.parametrize(
    ("state", "itself"),
    [
        (arrange("Og U Se", "Ba Kr I", level=4, rounds=4), True),
        (arrange("Og U Se", "Ba Kr I", "Ag Cd Br", level=4, rounds=4), False),
        (arrange("Og U Se", "Ba Kr I", level=1, rounds=4), False),
        (arrange("Og U Se", "Ba Kr I", level=4, rounds=5), False),
    ],
    ids=["the usual game", "three players", "level 1", "five rounds"],
)
def test_where_nothing_was_learned_it_is_the_sharp_one(
    state: AtomDuelState, itself: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = list[object]()

    def noted(*about: object) -> object:
        used.append(about)
        return sharp(*about)  # type: ignore[arg-type]

    monkeypatch.setattr(master_module, "sharp", noted)
    assert chosen(state) in state.legal_actions(0)
    assert bool(used) is not itself


def test_who_let_a_hand_go_is_thought_to_hold_no_winner() -> None:
    """After Barium lost to nothing of theirs, fewer of the rows that are guessed would have beaten it."""
    state = arrange("Ba Kr I Se", "H Og U Zn", level=4, rounds=4)
    before = guessed(state.observe(0), 2000, random.Random(1))
    play(state, "Ba")
    play(state, "H")
    after = guessed(state.observe(0), 2000, random.Random(1))
    winners = habits(4).wins[z("Ba")]

    def held(rows: list[list[int]]) -> float:
        return sum(card in winners for row in rows for card in row) / sum(map(len, rows))

    assert held(after) < 0.75 * held(before)


def test_guessed_rows_hold_unseen_cards_only() -> None:
    state = arrange("Ba Kr I Se", "H Og U Zn", level=4, rounds=4)
    play(state, "Ba")
    play(state, "H")
    seen = {z(name) for name in ("Ba", "Kr", "I", "Se", "H")}
    for row in guessed(state.observe(0), 50, random.Random(2)):
        assert len(set(row)) == 3
        assert not seen & set(row)


def test_a_round_between_known_rows_is_played_out() -> None:
    """Who holds the higher of every pair wins all hands; a Laser that hits the last card ends the round."""
    known = habits(1)
    table = Round(known, random.Random(1).random)
    assert table.play(z("Og"), known.row([z("Ts")]), known.row([z("H"), z("He")]), 0) == 2
    assert table.play(z("H"), known.row([z("He")]), known.row([z("Og")]), z("Ts")) == -2
    laser = next(card for card in CARDS if habits(4).laser[card])
    assert Round(habits(4), random.Random(1).random).play(laser, [], [z("Og")], 0) == 1


def test_what_a_row_does_is_certain_in_sum() -> None:
    known, rng = habits(4), random.Random(3)
    for _ in range(100):
        lead, *cards = rng.sample(CARDS, rng.randint(2, 6))
        row = known.row(cards)
        assert sum(known.answered(row, card, lead) for card in row) == pytest.approx(1)
        assert sum(known.led(row, card, first=True) for card in row) == pytest.approx(1)


def test_it_was_learned_of_the_numbers_that_it_is_asked() -> None:
    known, rng = habits(4), random.Random(4)
    for _ in range(100):
        lead, *cards = rng.sample(CARDS, rng.randint(3, 6))
        row, theirs, first = known.row(cards), rng.randint(1, 5), rng.random() < 0.5
        asked = HabitPlay(0, row, theirs, lead, first, row[0])
        weights = known.weights[len(row) - 2]
        flat = [*(each for place in weights.places for each in place), *weights.card]
        sums = np.array(leading(known, asked)) @ np.array(flat)
        odds = known.leads(row, theirs, first=first)
        assert np.allclose(np.exp(sums - sums.max()), odds, atol=1e-9)
        numbers, answer = taking(known, asked), known.answer(row, lead)
        if numbers:
            sure = float(np.dot(numbers, weights.take))
            assert exp(known.taking(row, answer, lead, theirs)) == pytest.approx(exp(sure))
