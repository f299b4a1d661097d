"""Views of those who watch: they follow the table, and wait for no picture for long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from bot.features.watching import watchers
from bot.features.watching.messages import Watch, watch_message
from bot.features.watching.watchers import Watchers, WatcherView
from bot.locales import words
from bot.render.pool import LATER
from bot.store.prefs import Prefs
from bot.table import lobby
from bot.table.table import Table
from bot.ui.components import Message
from bot.ui.live import picture_delivery
from tests.support.discord.message import words_of
from tests.support.discord.screens import Easel, Screen
from tests.support.tables.tables import close_tables, first_act, new_table, opened_tables
from tests.support.waiting import turns, until

ANN, BEN, CLEO = 1, 2, 3
WATCH = Watch()


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchers, "PAUSE_SECONDS", 0.0)


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[ANN, BEN])
    await lobby.start(table, ANN)
    yield table
    await close_tables(tables)


def looks(views: Watchers, table: Table) -> Screen:
    """A press has shown Cleo the table."""
    screen: Any = Screen(CLEO)
    views.shown(screen, table, watch_message(table, WATCH, "en"), WATCH, Prefs())
    found: Screen = screen
    return found


async def everybody_acts(table: Table) -> None:
    for _ in range(2):
        await first_act(table, (ANN, BEN)[table.waiting()[0]])


def now(table: Table) -> str:
    return words_of(watch_message(table, WATCH, "en"))


async def test_a_view_is_written_again_only_when_it_shows_something_else(table: Table) -> None:
    easel: Any = Easel()
    easel.door.set()
    views: Any = Watchers(easel, database=None)  # type: ignore[arg-type]
    screen = looks(views, table)
    await views.refresh(table, CLEO)
    assert screen.shown == []
    await everybody_acts(table)
    await views.refresh(table, CLEO)
    assert screen.shown == [now(table)]


async def test_a_view_whose_picture_takes_long_is_told_in_words_first(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_delivery, "PICTURE_SECONDS", 0.01)
    easel: Any = Easel()
    views: Any = Watchers(easel, database=None)  # type: ignore[arg-type]
    screen = looks(views, table)
    await everybody_acts(table)
    turning = asyncio.create_task(views.refresh(table, CLEO))
    await until(lambda: screen.shown)
    assert words("en")("picture.coming") in screen.shown[0]
    asked = len(easel.asked)
    await until(lambda: len(easel.asked) > asked + 2)
    assert len(screen.shown) == 1, "the same words are not sent again"
    easel.door.set()
    await turning
    assert screen.shown[1:] == [now(table)]
    assert set(easel.asked) == {LATER}


async def test_a_view_pressed_while_it_was_painted_is_not_written_over(table: Table) -> None:
    """The answer shows the newest, so what was being painted for the view before is not sent."""
    easel: Any = Easel()
    views: Any = Watchers(easel, database=None)  # type: ignore[arg-type]
    first = looks(views, table)
    await everybody_acts(table)
    refreshing = asyncio.create_task(views.refresh(table, CLEO))
    await turns()
    again = looks(views, table)
    easel.door.set()
    await refreshing
    assert first.shown == again.shown == []


async def test_a_view_pressed_while_it_was_sent_is_written_once_more(table: Table) -> None:
    """Nobody knows which of the two came last."""
    easel: Any = Easel()
    easel.door.set()
    views: Any = Watchers(easel, database=None)  # type: ignore[arg-type]
    first = looks(views, table)
    first.door.clear()
    await everybody_acts(table)
    refreshing = asyncio.create_task(views.refresh(table, CLEO))
    await turns()
    again = looks(views, table)
    first.door.set()
    await refreshing
    assert first.shown == again.shown == [now(table)]


async def test_a_view_that_was_written_during_a_press_is_written_once_more(table: Table) -> None:
    """The answer had left before that writing, and is heard of after it."""
    easel: Any = Easel()
    easel.door.set()
    views: Any = Watchers(easel, database=None)  # type: ignore[arg-type]
    looks(views, table)
    sent_at = monotonic()
    await everybody_acts(table)
    await views.refresh(table, CLEO)
    again: Any = Screen(CLEO)
    views.shown(again, table, watch_message(table, WATCH, "en"), WATCH, Prefs(), sent_at=sent_at)
    await views.refresh(table, CLEO)
    assert again.shown == [now(table)]


async def test_a_change_while_a_view_is_looked_up_is_shown(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Someone acts while old hands are read from the database."""
    easel: Any = Easel()
    easel.door.set()
    views: Any = Watchers(easel, database=None)  # type: ignore[arg-type]
    screen, message, door = looks(views, table), WatcherView._message, asyncio.Event()

    async def slow(view: WatcherView) -> Message:
        built = await message(view)
        await door.wait()
        return built

    monkeypatch.setattr(WatcherView, "_message", slow)
    refreshing = asyncio.create_task(views.refresh(table, CLEO))
    await turns()
    await everybody_acts(table)
    await views.refresh(table, CLEO)
    door.set()
    await refreshing
    assert screen.shown == [now(table)]
