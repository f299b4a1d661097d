"""Pauses between retries."""

from __future__ import annotations

import pytest

from bot.core.backoff import Backoff


def test_pauses_double_up_to_the_longest() -> None:
    retry = Backoff(first=5.0, longest=60.0)
    assert [retry.pause(failures) for failures in (1, 2, 3, 4, 5, 99, 10_000)] == [5, 10, 20, 40, 60, 60, 60]


def test_a_factor_of_one_keeps_the_pause() -> None:
    assert {Backoff(first=60.0, factor=1.0).pause(failures) for failures in range(1, 500)} == {60}


def test_a_policy_that_gives_up_has_a_list_of_pauses() -> None:
    assert list(Backoff(first=10.0, longest=600.0, factor=9.0, retries=3)) == [10, 90, 600]


def test_a_policy_that_retries_forever_has_none() -> None:
    with pytest.raises(ValueError, match="forever"):
        list(Backoff(first=1.0))
