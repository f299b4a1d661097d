"""Reasons: patterns that distinguish two decisions, and what happens more often after one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.ai.advice import happens_more_often
from engine.reason import Happening, MovePattern, Reason, pattern_between, pattern_for
from engine.verdict import Candidate


def points(_seen: Any, action: tuple[str, int]) -> Mapping[str, Any] | None:
    """Return the points that a card takes at once, or None."""
    return {"points": action[1]} if action[1] else None


TAKES = MovePattern("takes", points)
TAKES_MORE = MovePattern("takes_more", points, by="points")
GIVES = MovePattern("gives", points, warns=True)
TEN, FIVE, NONE = ("a", 10), ("b", 5), ("c", 0)


def test_a_pattern_speaks_for_the_decision_that_has_it() -> None:
    assert TAKES.between(None, TEN, NONE) == Reason("takes", {"points": 10})
    assert TAKES.between(None, NONE, TEN) is None


def test_a_pattern_of_both_is_no_difference_unless_one_has_more_of_it() -> None:
    assert TAKES.between(None, TEN, FIVE) is None
    assert TAKES_MORE.between(None, TEN, FIVE) == Reason("takes_more", {"points": 10})
    assert TAKES_MORE.between(None, FIVE, TEN) is None
    assert TAKES_MORE.between(None, TEN, TEN) is None


def test_a_warning_speaks_against_the_other_decision() -> None:
    assert GIVES.between(None, NONE, FIVE) == Reason("gives", {"points": 5}, against=True)
    assert GIVES.between(None, FIVE, NONE) is None


def test_the_first_pattern_is_told() -> None:
    assert pattern_between([TAKES, TAKES_MORE], None, TEN, FIVE) == Reason("takes_more", {"points": 10})
    assert pattern_between([TAKES, TAKES_MORE], None, TEN, NONE) == Reason("takes", {"points": 10})
    assert pattern_between([TAKES, TAKES_MORE], None, NONE, TEN) is None


def test_what_speaks_for_a_decision_by_itself_is_no_warning() -> None:
    assert pattern_for([GIVES, TAKES], None, TEN) == Reason("takes", {"points": 10})
    assert pattern_for([GIVES], None, TEN) is None


def sampled(*happened: str) -> Candidate:
    """A decision after which these happenings were met, one word for each sample: `w` wins, `l` loses."""
    kinds = {"w": Happening("wins", 114), "l": Happening("loses", good=False)}
    return Candidate("some", 0, 0.0, happened=[frozenset(kinds[sign] for sign in word) for word in happened])


@pytest.mark.parametrize(
    ("better", "other", "told"),
    [
        (["w"] * 8, [""] * 8, Reason("wins", {"about": 114})),
        (["w"] * 8, ["wl"] * 8, Reason("loses")),
        (["w", "l"] * 4, ["w", "l"] * 4, None),
        ([""] * 8, ["w"] * 8, None),
        (["l"] * 8, [""] * 8, None),
        (["w", "", "", "", "", "", "", ""], [""] * 8, None),  # once may be luck
        ([], [], None),
    ],
)
def test_what_happens_more_often_speaks_for_a_decision(
    better: list[str], other: list[str], told: Reason | None
) -> None:
    assert happens_more_often(sampled(*better), sampled(*other)) == told


def test_the_largest_difference_is_told() -> None:
    better = sampled("w", "w", "w", "w", "w", "w", "w", "w")
    other = sampled("l", "l", "l", "l", "lw", "lw", "lw", "lw")
    assert happens_more_often(better, other) == Reason("loses")
