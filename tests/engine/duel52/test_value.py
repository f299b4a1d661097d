"""What the network of the master says of positions, and what it may know."""

from __future__ import annotations

import random

import pytest

from engine.arena import key_of
from engine.duel52.ai.features import COUNTS, DENSE, position_features
from engine.duel52.ai.value import odds
from engine.duel52.game import GAME
from engine.duel52.notation import read
from engine.duel52.sample import sample

REST = "hands=2s/2h pile=2d3d3c4d4c6d6c7d8c8d9c9d"


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("standard A3 5s,7s|8s|9s/5h|6h|7h", "standard A3 5s,7s|8s|9s/5h,8h|6h,9h|7h,Jh"),
        ("standard A3 5s|6s|7s/5h1|6h1|7h", "standard B3 5s1|6s1|7s/5h|6h|7h"),
        (f"standard A3 5s,7s|8s|9s/5h|6h|7h {REST}", f"standard A3 5s|8s|9s/5h,7h|6h|7c {REST}"),
        ("standard A3 5s|6s|-/5h|6h|- hands=2s3s/-", "standard A3 5s|6s|-/5h|6h|- hands=-/2h3h"),
    ],
    ids=("more cards against it", "the race", "a card more", "the hands"),
)
def test_what_is_better_has_better_odds(better: str, worse: str) -> None:
    assert odds(read(better), 0) > odds(read(worse), 0)


def test_it_says_the_same_whatever_is_hidden() -> None:
    rng = random.Random(3)
    for number in range(4):
        state = GAME.deal(GAME.setup(2, key_of(5, number)))
        for _ in range(rng.randrange(10, 70)):
            if not state.to_act():
                break
            state.push(state.turn, rng.choice(list(state.legal_actions(state.turn))))
        for seat in (0, 1):
            world = sample(state.observe(seat), rng)
            assert position_features(world, seat) == position_features(state, seat)


def test_lanes_have_no_order() -> None:
    one = read(f"standard A3 5s,7s|(8s)|9s1/5h|6h|7h,Jh {REST}")
    other = read(f"standard A3 9s1|5s,7s|(8s)/7h,Jh|5h|6h {REST}")
    assert position_features(one, 0) == position_features(other, 0)
    assert odds(one, 0) == odds(other, 0)


def test_there_is_a_weight_for_each_number() -> None:
    found = position_features(read(f"standard A3 5s|6s|7s/5h|6h|7h {REST}"), 0)
    assert (len(found.dense), len(found.counts)) == (DENSE, COUNTS)
