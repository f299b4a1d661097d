"""What a position promises: wins in reach, and leads that tell more at the end."""

from __future__ import annotations

import pytest

from engine.duel52.ai.forecast import KNOTS, TRAITS, WEIGHTS, share, traits, weights_at
from engine.duel52.ai.outlook import standing, worths
from engine.duel52.ai.race import race
from engine.duel52.notation import read
from engine.duel52.state import DuelState

DRAW = "pile=2d3d3c4d4c6d7d7c"


def chance(state: DuelState, seat: int) -> float:
    """The share of a seat whose plan promises nothing beyond the position."""
    return share(state, seat, standing(state, seat, worths(state, seat)))


def test_a_win_within_the_turn_of_the_others_is_seen() -> None:
    # both are to lose two cards with one hit point; who moves wins
    rows = "5s1|6s1|7s,8s/5h1|6h1|7h,8h"
    own, theirs = read(f"standard A3 {rows}"), read(f"standard B3 {rows}")
    assert race(own, 1) == (0, 0)
    assert race(theirs, 1) == (1, 0)
    assert chance(own, 0) > 0.8
    assert chance(theirs, 0) < 0.35


@pytest.mark.parametrize(
    ("text", "turns", "found"),
    [
        ("standard A1 5s|6s|7s/5h1|6h1|7h", 1, None),  # one action is not enough
        ("standard A2 5s|6s|7s/5h1|6h1|7h", 1, (0, 0)),
        ("standard A2 5s|(6s)|7s/5h1|6h1|7h", 1, None),  # it is to be turned up first
        ("standard A3 5s|(6s)|7s/5h1|6h1|8h", 1, (0, 0)),
        ("standard A2 5s|6s|7s/5h1|6h1|7h hands=-/2h", 1, None),  # who holds a card is not beaten
        ("standard A2 5s|6s*|7s/5h1|6h1|7h", 1, None),  # a frozen card cannot attack
    ],
)
def test_a_race_counts_actions(text: str, turns: int, found: tuple[int, int] | None) -> None:
    assert race(read(text), turns) == found


def test_while_cards_are_drawn_nobody_wins() -> None:
    rows = "standard A3 5s|6s|7s/5h1|6h1|7h"
    late, early = read(rows), read(f"{rows} {DRAW}")
    names = dict(zip(TRAITS, traits(early, 0, 0.0), strict=True))
    assert names["reach"] == names["near"] == 0.0
    assert chance(early, 0) < chance(late, 0)


def test_the_lane_between_decides() -> None:
    two, one = (
        read("standard A3 5s,7s|6s,8s|-/5h|6h|7h,8h,9h"),
        read("standard A3 5s,7s,6s,8s|-|-/5h|6h|7h,8h,9h"),
    )
    assert chance(two, 0) > chance(one, 0)


def test_both_sides_see_the_same_position() -> None:
    state = read("standard A3 5s,7s|6s|8s/5h|6h|7h,8h,9h hands=2s/2h3h")
    mine, theirs = traits(state, 0, 0.0), traits(state, 1, 0.0)
    for name, one, other in zip(TRAITS, mine, theirs, strict=True):
        if name not in ("ended", "hope"):
            assert one == pytest.approx(-other), name


@pytest.mark.parametrize("pile", range(40))
def test_weights_lie_between_those_of_the_knots(pile: int) -> None:
    at = max(place for place, knot in enumerate(KNOTS) if knot <= pile)
    ends = WEIGHTS[at : at + 2]
    for place, weight in enumerate(weights_at(pile)):
        found = [row[place] for row in ends]
        assert min(found) <= weight <= max(found)
