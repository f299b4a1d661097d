"""What points are worth: the rounds to come, and the last round where points are equal."""

from __future__ import annotations

import pytest

from engine.atom_duel.ai.ending import share


def chance(own: int, other: int, gains: list[int], *, round_: int = 4, level: int = 1) -> float:
    after = (own + gains[0], other + gains[1])
    return share(after, (gains[0], gains[1]), 0, level=level, size=5, left=4 - round_)


def test_equal_points_go_to_whoever_wins_the_last_round() -> None:
    assert chance(7, 8, [3, 2]) == 1.0
    assert chance(8, 7, [2, 3]) == 0.0
    assert chance(8, 7, [1, 4]) == 0.0
    assert chance(10, 5, [0, 5]) == 0.0
    assert chance(10, 4, [0, 5]) == 1.0


def test_a_point_before_the_last_round_is_worth_nothing_and_two_are() -> None:
    assert chance(5, 4, [3, 3], round_=3) == chance(4, 5, [3, 3], round_=3) == 0.5
    assert chance(6, 3, [3, 3], round_=3) > 0.7


@pytest.mark.parametrize("level", [1, 4, 7])
def test_no_seat_is_better_than_another(level: int) -> None:
    for round_ in (1, 2, 3):
        assert chance(4, 4, [2, 2], round_=round_, level=level) == pytest.approx(0.5)
        ahead = chance(6, 3, [2, 2], round_=round_, level=level)
        assert ahead + chance(3, 6, [2, 2], round_=round_, level=level) == pytest.approx(1.0)


def test_three_with_equal_points_and_last_rounds_share() -> None:
    def value(*gains: int) -> float:
        return share(tuple(3 + hands for hands in gains), gains, 0, level=4, size=5, left=0)

    assert value(2, 2, 1) == 0.5
    assert value(1, 1, 1) == pytest.approx(1 / 3)
    assert value(1, 2, 2) == 0.0
