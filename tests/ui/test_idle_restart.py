"""A restart shows nothing that stands there already, and posts nothing anew."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.core.tasks import Tasks
from bot.features.table.hand.open_hands import OpenHands
from bot.features.table.publishing.publisher import TableMessage, TablePublisher
from bot.store.backend import migrate
from bot.table import lobby
from bot.table.registry import Tables
from bot.telemetry.metrics import Metrics
from bot.ui.outbox import Outbox
from tests.support.discord.live_messages import AsUsual
from tests.support.tables.tables import (
    ManualClock,
    bury,
    close_tables,
    first_act,
    new_table,
    settle,
    unopened_tables,
)

TABLES = 250


class Discord:
    """Counts what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def get_partial_messageable(self, channel_id: int, *, guild_id: int | None = None) -> Any:
        async def send(**_: Any) -> Any:
            self.asked.append("message")
            where = SimpleNamespace(id=channel_id)
            return SimpleNamespace(id=99, channel=where, guild=SimpleNamespace(id=guild_id), jump_url="")

        async def edit(**_: Any) -> None:
            self.asked.append("edit")

        async def delete() -> None:
            self.asked.append("delete")

        old = SimpleNamespace(delete=delete, edit=edit)
        return SimpleNamespace(send=send, get_partial_message=lambda _number: old)

    def get_channel(self, channel_id: int) -> Any:
        return SimpleNamespace(id=channel_id)

    async def paint(self, *_: Any, **__: Any) -> bytes:
        self.asked.append("picture")
        return b""


async def start(path: Path, clock: ManualClock, discord: Discord) -> Tables:
    tasks = Tasks()
    outbox = Outbox(clock, discord, discord, Metrics(), tasks.spawn, preferences=AsUsual())  # type: ignore[arg-type]
    publisher = TablePublisher(outbox, OpenHands(discord))  # type: ignore[arg-type]
    tables = unopened_tables(f"sqlite:///{path}", clock, publisher=publisher, tasks=tasks)
    await tables.runtime.open()
    await settle(tables)
    return tables


@pytest.mark.long
@pytest.mark.slow
async def test_many_idle_tables_over_a_restart(tmp_path: Path) -> None:
    path, clock, discord = tmp_path / "v.db", ManualClock(), Discord()
    await migrate.upgrade(f"sqlite:///{path}")
    tables = await start(path, clock, discord)
    numbers = []
    for number in range(TABLES):
        table = await new_table(tables, people=(1,) if number % 2 else (1, 2))
        if number == 2:
            await settle(tables)  # the lobby has a message, which gives way to the next one
        await table.set_place(number % 50, 10_000 + number, guild_id=70)
        if number % 2 == 0:
            await lobby.start(table, 1)
        tables.publisher.came_back(table)
        numbers.append(table.id)
    await settle(tables)
    assert discord.asked.count("edit") >= TABLES
    await close_tables(tables)
    clock.jumped += 86_400_000  # a day later
    discord.asked.clear()
    tables = await start(path, clock, discord)
    assert len(tables.cache) == 0  # nobody has asked for any of them
    for number in numbers:
        tables.publisher.came_back(await tables.get(number))
    await settle(tables)
    assert discord.asked == []

    # one that somebody has missed is shown, where it stands; one where somebody acts moves down
    late, played = await tables.get(numbers[0]), await tables.get(numbers[2])
    late.mark_shown(0)
    tables.publisher.came_back(late)
    await settle(tables)
    assert discord.asked == ["picture", "edit"]
    discord.asked.clear()
    await first_act(played, 1)
    await settle(tables)
    assert discord.asked[:2] == ["picture", "message"]
    # it has moved before: what stood in between goes, and the first message leads here
    assert discord.asked[2:] == ["delete", "edit"]
    await close_tables(tables)


async def test_what_was_not_shown_before_a_kill_is_shown_after_the_start(tmp_path: Path) -> None:
    path, clock, discord = tmp_path / "v.db", ManualClock(), Discord()
    await migrate.upgrade(f"sqlite:///{path}")
    tables = await start(path, clock, discord)
    table = await new_table(tables, people=(1, 2))
    await table.set_place(5, 10_000, guild_id=70)
    await lobby.start(table, 1)
    await settle(tables)
    clock.move(3)
    await settle(tables)  # with the beat it is written down that all is shown
    tables.publisher.changed = lambda *_: None  # type: ignore[method-assign]
    await first_act(table, 1)
    tables.runtime.halt()  # killed
    await tables.database.close()
    bury(path)
    discord.asked.clear()
    tables = await start(path, clock, discord)
    assert discord.asked == ["picture", "edit"]
    await close_tables(tables)


async def test_the_message_of_a_table_rests_while_that_sleeps(tmp_path: Path) -> None:
    """Where it cannot be shown it is then hardly tried; whoever wakes the table has it shown."""
    path, clock, discord = tmp_path / "v.db", ManualClock(), Discord()
    await migrate.upgrade(f"sqlite:///{path}")
    tables = await start(path, clock, discord)
    table = await new_table(tables, people=(1, 2))
    await lobby.start(table, 1)
    publisher: Any = tables.publisher
    message = TableMessage(publisher.outbox, table, (), ())
    assert not message.rests()
    await table.sleep("idle")
    assert message.rests()
    await first_act(table, 1)
    assert not message.rests()
    await close_tables(tables)
