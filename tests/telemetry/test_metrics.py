"""The figures for Prometheus: how the worker pools stand, and what failed."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.core.errors import Refused
from bot.store.prefs import Prefs
from bot.telemetry.metrics import Metrics
from bot.ui.router import Answer, explain
from bot.workers.pool import Pool


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def fail() -> None:
    raise ValueError("no brush")


async def test_a_pool_tells_what_happened_in_it_and_how_it_stands() -> None:
    pool, metrics, go = Pool("pictures", 0, most_waiting=2), Metrics(), threading.Event()
    metrics.watch(pool)
    metrics.watch(Pool("opponents", 0))

    def now(name: str) -> float | None:
        return value(metrics, f"valence_pool_{name}", pool="pictures")

    def event(name: str) -> float | None:
        return value(metrics, "valence_pool_events_total", pool="pictures", event=name)

    await pool.run(int, deadline=5)
    with pytest.raises(ValueError, match="no brush"):
        await pool.run(fail, deadline=5)
    held = [pool.submit(go.wait, deadline=5, urgent=False) for _ in range(4)]  # one too many
    assert [event(name) for name in ("done", "failed", "refused", "started", "died")] == [1, 1, 1, 1, 0]
    assert [now(name) for name in ("busy", "waiting", "alive", "down")] == [1, 2, 1, 0]
    go.set()
    await asyncio.gather(*(job.future for job in held), return_exceptions=True)
    assert [now(name) for name in ("busy", "waiting")] == [0, 0]
    assert event("done") == 4
    assert value(metrics, "valence_pool_events_total", pool="opponents", event="done") == 0
    await pool.close()


@pytest.mark.parametrize(("error", "counted"), [(ZeroDivisionError(), 1), (Refused("no_table", table=1), 0)])
async def test_only_what_nobody_foresaw_counts_as_a_failure(error: Exception, counted: int) -> None:
    metrics, said = Metrics(), list[str]()

    async def send_message(*, view: discord.ui.LayoutView, **_: Any) -> Any:
        said.append(str(view.to_components()))
        return SimpleNamespace(message_id=1)

    preferences = SimpleNamespace(known=lambda _user_id: Prefs())
    app = SimpleNamespace(metrics=metrics, studio=None, newest={}, preferences=preferences)
    interaction: Any = SimpleNamespace(
        client=SimpleNamespace(app=app),
        user=SimpleNamespace(id=9),
        response=SimpleNamespace(is_done=lambda: False, send_message=send_message),
        locale=discord.Locale.british_english,
        message=None,
        data=None,
        guild_id=None,
        channel_id=7,
        id=8,
    )
    await explain(Answer.to(interaction), error)
    assert len(said) == 1
    assert value(metrics, "valence_failures_total") == counted
