"""Most hands skip the steps of section 4: these must end as the steps would have it."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from engine.atom_duel.cards import LEVELS
from engine.atom_duel.evaluate import Played, evaluate
from engine.atom_duel.winning import winner
from engine.atom_duel.worth import lay, ways
from tests.engine.atom_duel.positions import z

WAYS = ways(LEVELS)


def same(plays: list[Played], seats: int) -> bool:
    kinds = 0
    for play in plays:
        kinds |= play[3]
    steps = evaluate(plays, seats)
    return winner(plays, kinds, seats) == (steps.winner, steps.values[steps.winner])


@pytest.mark.parametrize(("first_hand", "zinc"), [(True, False), (False, False), (False, True)])
def test_any_two_cards_between_two(first_hand: bool, zinc: bool) -> None:
    own = [lay(LEVELS, 0, *way, first_hand=first_hand, zinc=zinc) for way in WAYS]
    other = [lay(LEVELS, 1, *way, first_hand=first_hand) for way in WAYS]
    for one, two in permutations(range(len(WAYS)), 2):
        if WAYS[one][0] != WAYS[two][0]:
            assert same([own[one], other[two]], 2), (WAYS[one], WAYS[two])


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_random_hands_of_more(seats: int) -> None:
    rng = random.Random(seats)
    for _ in range(4000):
        cards = rng.sample(range(1, z("Og") + 1), seats)
        hand = [rng.choice([way for way in WAYS if way[0] == card]) for card in cards]
        first = rng.random() < 0.3
        laid = [lay(LEVELS, seat, *way, first_hand=first, zinc=not seat) for seat, way in enumerate(hand)]
        assert same(laid, seats), hand
        # Laser leaves some without cards
        assert same(laid[rng.randrange(seats) :], seats), hand


@pytest.mark.parametrize("way", WAYS)
def test_a_card_alone_between_two(way: tuple[int, str]) -> None:
    assert same([lay(LEVELS, 0, *way)], 2)
