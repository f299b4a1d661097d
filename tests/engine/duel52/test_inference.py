"""What backs that lie on the table have shown."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.duel52.ai.search import study
from engine.duel52.game import GAME
from engine.duel52.notation import read
from engine.playing_cards import RANK_CODES, parse
from tests.engine.duel52.positions import unit

LAIN = "standard A3 5h|-|-/(3s)|(Jd)#20|- hands=2s/2h pile=2d2c laid=21"
"""Of B's two backs the first was laid twenty cards ago, the other one just now."""


def weight(text: str, card: str, other: str) -> float:
    """What a world counts for A in which `other` lies where `card` does."""
    state = read(text)
    weigh, world = GAME.likelihood(state.observe(0)), state.clone()
    world.card[unit(state, card)] = parse(other)
    return weigh(world)


def test_a_back_that_has_lain_long_is_rather_a_three_than_a_jack() -> None:
    assert weight(LAIN, "3s", "3h") > 3 * weight(LAIN, "3s", "Jh")


def test_of_a_fresh_back_less_is_known() -> None:
    lain, fresh = (weight(LAIN, card, "3h") / weight(LAIN, card, "Kh") for card in ("3s", "Jd"))
    assert lain > 1.2 * fresh > 1.2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("standard A3 5h|-|-/[3s]|-|- hands=2s/2h pile=2d laid=21", "nobody chose a base"),
        ("standard A3 5h|-|-/(3s)@A|-|- hands=2s/2h pile=2d laid=21", "A knows it"),
        ("standard+v A3 5h|-|-/(3s)|-|- hands=2s/2h pile=2d laid=21", "a 3 is no trap there"),
    ],
)
def test_nothing_is_told_by(text: str, why: str) -> None:
    assert weight(text, "3s", "3h") == weight(text, "3s", "Jh") == 1, why


def test_the_teacher_draws_its_worlds_so() -> None:
    text = "standard A3 5h|-|-/(3s)|-|- hands=2s/4h5c pile=6d7dTd8d9hKcQhJs laid=21"
    state, rng = read(text), random.Random(1)
    seen, place = state.observe(0), unit(state, "3s")
    plain, likely = (
        Counter(RANK_CODES[draw(rng).card[place] >> 2] for _ in range(400))
        for draw in (GAME.sampler(seen), study.worlds(seen))
    )
    assert likely["3"] > 1.5 * plain["3"]
    assert likely["J"] < plain["J"] / 1.5
    assert set(likely) >= {"3", "J", "K", "A"}, "nothing is ruled out"
