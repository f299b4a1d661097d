"""Advice: beyond doubt or not at all, and in what two decisions differ."""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from engine.ai.advice import Advice, Difference, advise, differences, luck_of, reasons, study_of
from engine.verdict import Candidate, Stop, Verdict
from tests.support.games.probe import GAME


class Settled:
    """A study that has its verdict already."""

    def __init__(self, *candidates: Candidate) -> None:
        self.verdict = Verdict(candidates, sum(len(one.values) for one in candidates))

    def think(
        self,
        _observation: Any,
        _actions: Sequence[Any],
        _rng: random.Random,
        /,
        *,
        tries: int | None = None,
        stop: Stop | None = None,
        also: Sequence[Any] = (),
    ) -> Verdict:
        return self.verdict


def tried(name: str, values: list[float], **measured: list[float]) -> Candidate:
    return Candidate((name,), 0, 0.0, values, measured)


def asked(*candidates: Candidate) -> Advice:
    return advise(game_of(Settled(*candidates)), None, [], random.Random(1))


def game_of(study: Any = None, measures: tuple[str, ...] = ("points", "cards")) -> Any:
    """As much of a game as advice asks: of cards a seat wants less."""
    return SimpleNamespace(
        key="some",
        study=study,
        measures=measures,
        lower_is_better=frozenset({"cards"}),
        patterns=(),
        spelling=lambda _seen, action: action[0].rstrip("'"),
    )


@pytest.mark.parametrize(
    ("other", "clear"),
    [
        ([0.4, 0.5, 0.45, 0.5], True),
        ([0.9, 0.1, 0.9, 0.2], False),  # ahead by luck, perhaps
        ([0.6, 0.599, 0.6, 0.599], False),  # sure, but nobody would feel it
    ],
)
def test_only_a_difference_beyond_doubt_is_clear(other: list[float], clear: bool) -> None:
    advice = asked(tried("best", [0.6, 0.6, 0.6, 0.6]), tried("other", other))
    assert advice.clear is clear


def test_a_decision_that_comes_to_the_same_is_no_second_best() -> None:
    twin = tried("twin", [0.6, 0.5, 0.6])
    advice = asked(tried("best", [0.6, 0.5, 0.6]), twin, tried("other", [0.2, 0.1, 0.1]))
    assert advice.second == ("other",)
    assert advice.clear


def test_another_spelling_of_the_best_decision_is_no_second_best() -> None:
    """As a run listed in another order, or a tile turned: to a person it is the same move."""
    respelt = tried("best'", [0.5, 0.6, 0.5])
    advice = asked(tried("best", [0.6, 0.5, 0.6]), respelt, tried("other", [0.2, 0.1, 0.1]))
    assert advice.second == ("other",)
    only = asked(tried("best", [0.6, 0.5, 0.6]), respelt)
    assert (only.second, only.chance) == (None, pytest.approx(0.5667, abs=1e-3))


def test_where_all_come_to_the_same_there_is_no_difference() -> None:
    advice = asked(tried("best", [0.6, 0.5]), tried("twin", [0.6, 0.5]))
    assert (advice.second, advice.clear) == (("twin",), False)


def test_where_the_best_two_are_level_the_first_clearly_worse_one_is_told() -> None:
    best, level = tried("best", [0.6, 0.5, 0.6], points=[9.0] * 3), tried("level", [0.5, 0.6, 0.6])
    worse = tried("worse", [0.3, 0.2, 0.3], points=[5.0] * 3)
    advice = asked(best, level, worse, tried("worst", [0.1, 0.0, 0.1]))
    assert advice.second == ("level",)
    assert advice.worse is not None
    assert (advice.worse.action, round(advice.worse.lead, 2)) == (("worse",), 0.3)
    assert advice.worse.differences == (Difference("points", 9.0, 5.0),)
    assert asked(best, level).worse is None
    assert asked(best, worse, level).worse is None


def test_a_forced_decision_has_no_second() -> None:
    advice = asked(tried("only", []))
    assert (advice.best, advice.second, advice.clear) == (("only",), None, False)
    assert advice.chance is None, "nothing was tried, so nobody knows how it would end"


def test_differences_are_told_in_the_order_of_the_measures_where_they_are_sure() -> None:
    best = tried("best", [1.0] * 4, cards=[2.0, 2.0, 2.0, 2.0], points=[5.0, 6.0, 5.0, 6.0])
    other = tried("other", [0.0] * 4, cards=[3.0, 3.0, 3.0, 3.0], points=[9.0, 1.0, 5.0, 6.0])
    found = differences(("points", "cards"), best, other)
    assert [(one.measure, one.better, one.other) for one in found] == [("cards", 2.0, 3.0)]


def test_a_reason_speaks_for_what_it_explains() -> None:
    """The more points the better, the more cards the worse: fewer points are no reason."""
    better = tried("a", [0.6, 0.7, 0.6], points=[1.0, 2.0, 1.0], cards=[3.0, 2.0, 3.0])
    other = tried("b", [0.3, 0.4, 0.3], points=[0.0, 1.0, 0.0], cards=[6.0, 5.0, 6.0])
    found = reasons(game_of(), (better, other), better, other)
    assert [one.measure for one in found] == ["cards", "points"]
    worse = tried("c", [0.5, 0.6, 0.5], points=[1.0, 2.0, 1.0], cards=[7.0, 6.0, 7.0])
    tries = (better, other, worse)
    assert [one.measure for one in differences(("points", "cards"), worse, other)] == ["points", "cards"]
    assert [one.measure for one in reasons(game_of(), tries, worse, other)] == ["points"]


def test_what_no_reader_sees_is_no_reason() -> None:
    a, b = tried("a", [0.6, 0.6], points=[20.2, 20.2]), tried("b", [0.5, 0.5], points=[20.1, 20.1])
    assert differences(("points",), a, b) != ()
    assert reasons(game_of(measures=("points",)), (a, b), a, b) == ()


def test_the_same_question_has_the_same_luck() -> None:
    assert luck_of({"b": 1, "a": 2}).random() == luck_of({"a": 2, "b": 1}).random()
    assert luck_of(1).random() != luck_of(2).random()


def test_a_game_without_a_study_cannot_be_taught() -> None:
    with pytest.raises(LookupError, match="probe"):
        study_of(GAME)
