"""Cooldowns of expensive actions: what counts for them, and what does not."""

from __future__ import annotations

import aiohttp
import pytest

from bot.core.errors import Refused
from bot.store.database import StoreError
from bot.ui.debouncer import COOLDOWN_SECONDS, Debouncer
from bot.workers.errors import JobRefused, TooSlow, WorkerDied
from tests.support.tables.tables import ManualClock


def use(debouncer: Debouncer, error: BaseException | None = None) -> None:
    with debouncer.cooldown(1, "film", "film_again"):
        if error is not None:
            raise error


@pytest.mark.parametrize("error", [TooSlow("60 s"), WorkerDied("memory"), TimeoutError()], ids=repr)
def test_what_took_too_long_counts(error: Exception) -> None:
    clock = ManualClock()
    debouncer = Debouncer(clock)
    with pytest.raises(type(error)):
        use(debouncer, error)
    with pytest.raises(Refused, match="film_again"):
        use(debouncer)
    clock.move(COOLDOWN_SECONDS + 1)
    use(debouncer)


@pytest.mark.parametrize(
    "error",
    [JobRefused("full"), ValueError(), StoreError("slow"), aiohttp.ServerTimeoutError()],
    ids=repr,
)
def test_what_failed_otherwise_does_not_count(error: Exception) -> None:
    debouncer = Debouncer(ManualClock())
    with pytest.raises(type(error)):
        use(debouncer, error)
    use(debouncer)
    with pytest.raises(Refused, match="film_again"):
        use(debouncer)
