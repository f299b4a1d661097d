"""The bot goes by Discord's clock while that of its machine is wrong."""

from __future__ import annotations

import pytest

from bot.core import clock as clock_module
from bot.core.clock import SystemClock

DAY_MS = 86_400_000
NOON = 1_795_867_200_000


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The clock of the machine, in milliseconds since 1970."""
    shown = [NOON]
    monkeypatch.setattr(clock_module.time, "time_ns", lambda: shown[0] * 1_000_000)
    return shown


@pytest.mark.parametrize("wrong", [400 * DAY_MS, -DAY_MS])
def test_a_wrong_clock_is_not_believed_and_told_once(machine: list[int], wrong: int) -> None:
    clock = SystemClock()
    assert clock.compare(NOON) is None
    machine[0] += wrong
    assert clock.compare(NOON) == wrong
    assert clock.now() == NOON
    machine[0] += 5000
    assert clock.compare(NOON + 4000) is None, "an answer names full seconds"
    assert clock.now() == NOON + 5000
    machine[0] = NOON + 10_000
    assert clock.compare(NOON + 10_000) == 0
    assert clock.now() == NOON + 10_000


def test_a_clock_that_is_some_seconds_off_is_used(machine: list[int]) -> None:
    clock = SystemClock()
    assert clock.compare(NOON - 30_000) is None
    assert clock.now() == NOON
