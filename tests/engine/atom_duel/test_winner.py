"""Most hands skip the steps of section 4: these must end as the steps would have it."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from engine.atom_duel.ai.worth import lay, ways
from engine.atom_duel.cards import LEVELS, TABLES, table
from engine.atom_duel.evaluate import Played, evaluate
from engine.atom_duel.winning import winner
from tests.engine.atom_duel.positions import z

pytestmark = pytest.mark.repeats

WAYS = ways(LEVELS)
TABLE = TABLES[LEVELS]


def same(plays: list[Played], seats: int) -> bool:
    kinds = 0
    for play in plays:
        kinds |= play[3]
    steps = evaluate(plays, seats)
    return winner(plays, kinds, seats) == (steps.winner, steps.values[steps.winner])


@pytest.mark.parametrize(("first_hand", "zinc"), [(True, False), (False, False), (False, True)])
def test_any_two_cards_between_two(first_hand: bool, zinc: bool) -> None:
    own = [lay(TABLE, 0, *way, first_hand=first_hand, zinc=zinc) for way in WAYS]
    other = [lay(TABLE, 1, *way, first_hand=first_hand) for way in WAYS]
    for one, two in permutations(range(len(WAYS)), 2):
        if WAYS[one][0] != WAYS[two][0]:
            assert same([own[one], other[two]], 2), (WAYS[one], WAYS[two])


@pytest.mark.parametrize("gold_immune_from", [1, 7])
def test_gold_between_two_at_level_6_by_both_rules(gold_immune_from: int) -> None:
    rules, gold = table(6, gold_immune_from), z("Au")
    for card, power in ways(6):
        if card != gold:
            own, other = lay(rules, 0, gold, ""), lay(rules, 1, card, power)
            assert same([own, other], 2), card
            assert same([lay(rules, 0, card, power), lay(rules, 1, gold, "")], 2), card


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_random_hands_of_more(seats: int) -> None:
    rng = random.Random(seats)
    for _ in range(4000):
        cards = rng.sample(range(1, z("Og") + 1), seats)
        hand = [rng.choice([way for way in WAYS if way[0] == card]) for card in cards]
        first = rng.random() < 0.3
        laid = [lay(TABLE, seat, *way, first_hand=first, zinc=not seat) for seat, way in enumerate(hand)]
        assert same(laid, seats), hand
        # Laser leaves some without cards
        assert same(laid[rng.randrange(seats) :], seats), hand


@pytest.mark.parametrize("way", WAYS)
def test_a_card_alone_between_two(way: tuple[int, str]) -> None:
    assert same([lay(TABLE, 0, *way)], 2)
