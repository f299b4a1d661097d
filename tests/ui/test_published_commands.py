"""The list of commands that Discord has stays that of this version, whoever else changes it."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.store.backend import migrate
from bot.store.database import Database
from bot.ui.commands.command_tree import Tree
from bot.ui.commands.registered_commands import (
    AT_LEAST_SECONDS,
    DAY_SECONDS,
    RETRY,
    PublishedCommands,
)
from bot.ui.discord_errors import MANY_COMMANDS
from tests.support.discord.forging import blocked, refusal
from tests.support.tables.tables import ManualClock

APPLICATION = 7
LAUNCH = {"id": "5", "application_id": "7", "version": "9", "type": 4, "name": "launch", "handler": 2}
"""The command that Discord makes for an Activity."""


class Listing:
    """Discord's list of commands: an unchanged command keeps its id and version."""

    def __init__(self) -> None:
        self.commands: list[dict[str, Any]] = []
        self.puts: list[list[dict[str, Any]]] = []
        self.error: Exception | None = None
        """What Discord answers when it is asked for the list."""
        self._numbers = itertools.count(100)

    async def get_global_commands(self, number: int) -> list[dict[str, Any]]:
        assert number == APPLICATION
        if self.error is not None:
            raise self.error
        return self.commands

    async def bulk_upsert_global_commands(
        self, number: int, payload: list[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        assert number == APPLICATION
        self.puts.append(payload)
        before = {command["name"]: command for command in self.commands}
        self.commands = [self._kept(command, before.get(command["name"])) for command in payload]
        return self.commands

    def _kept(self, command: dict[str, Any], before: dict[str, Any] | None) -> dict[str, Any]:
        if before is not None and before | command == before:
            return before
        number = str(next(self._numbers))
        return {"id": before["id"] if before else number, "contexts": None, **command, "version": number}


class World:
    """A bot of two commands, and Discord's list."""

    def __init__(self, database: Database) -> None:
        self.discord = Listing()
        self.database = database
        self.clock = ManualClock()
        self.work: list[Coroutine[Any, Any, Any]] = []
        client: Any = discord.Client(intents=discord.Intents.none())
        self.tree = Tree(client)
        self.tree.client = SimpleNamespace(  # type: ignore[assignment]
            http=self.discord, application_id=APPLICATION
        )
        self.ours = [{"type": 1, "name": "play"}, {"type": 1, "name": "table"}]
        self.tree.payload = self._payload  # type: ignore[method-assign]
        self.started()

    def started(self) -> None:
        """The bot is started anew."""
        self.commands = PublishedCommands(
            self.tree, APPLICATION, self.database, self.clock, lambda work, _name: self.work.append(work)
        )

    async def _payload(self) -> list[dict[str, Any]]:
        return self.ours

    def names(self) -> list[str]:
        return [command["name"] for command in self.discord.commands]


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    url = f"sqlite:///{tmp_path / 'v.db'}"
    await migrate.upgrade(url)
    database = Database(url)
    yield World(database)
    await database.close()


async def test_they_are_published_once(world: World) -> None:
    assert await world.commands.check() == DAY_SECONDS
    assert world.names() == ["play", "table"]
    for _ in range(3):
        world.started()
        await world.commands.check()
    assert len(world.discord.puts) == 1, "creations are limited, so nothing is published twice"


async def test_a_list_that_another_program_has_emptied_is_published_again(world: World) -> None:
    await world.commands.check()
    world.discord.commands = []
    await world.commands.check()
    assert world.names() == ["play", "table"]


async def test_a_command_that_another_program_has_changed_is_published_again(world: World) -> None:
    await world.commands.check()
    await world.discord.bulk_upsert_global_commands(APPLICATION, [world.ours[0] | {"name": "table"}])
    world.started()
    await world.commands.check()
    assert world.names() == ["play", "table"]


async def test_after_a_roll_back_the_older_version_has_its_own_commands(world: World) -> None:
    """The older version did not yet write down the versions of the commands."""
    await world.commands.check()
    newer, world.ours = world.ours, world.ours[:1]
    world.started()
    await world.commands.check()
    assert world.names() == ["play"]
    world.ours = newer
    world.started()
    await world.commands.check()
    assert world.names() == ["play", "table"]


async def test_the_entry_point_of_an_activity_stays(world: World) -> None:
    """Discord refuses a list without it, and its version is not ours to watch."""
    world.discord.commands = [{**LAUNCH, "contexts": None}]
    await world.commands.check()
    assert world.discord.puts == [[*world.ours, {"id": "5", "type": 4, "name": "launch", "handler": 2}]]
    world.discord.commands = [
        command if command["type"] != 4 else command | {"version": "10"} for command in world.discord.commands
    ]
    await world.commands.check()
    assert len(world.discord.puts) == 1


async def test_they_are_published_where_there_is_no_list(world: World) -> None:
    """A stand-in for Discord may have none."""
    world.discord.error = refusal(404, 0)
    await world.commands.check()
    assert world.discord.puts == [world.ours]


@pytest.mark.parametrize("status", [403, 500])
async def test_nothing_is_published_where_discord_refuses_the_list(world: World, status: int) -> None:
    world.discord.error = refusal(status, 0)
    with pytest.raises(discord.HTTPException):
        await world.commands.check()
    assert world.discord.puts == []


async def test_unknown_commands_lead_to_one_check_in_ten_minutes(world: World) -> None:
    """Whoever has an old menu before them may press again and again."""
    await world.commands.check()
    world.clock.move(AT_LEAST_SECONDS)
    world.discord.commands = []
    for _ in range(5):
        world.commands.refresh()
    (work,) = world.work
    await work
    assert world.names() == ["play", "table"]
    world.clock.move(AT_LEAST_SECONDS / 2)
    world.commands.refresh()
    assert len(world.work) == 1


@pytest.mark.parametrize(
    "error", [refusal(429, 0), refusal(500, 0), refusal(400, MANY_COMMANDS), blocked(403)]
)
async def test_the_bot_starts_though_its_commands_cannot_be_compared_now(
    world: World, error: discord.HTTPException
) -> None:
    world.discord.error = error
    assert await world.commands.first_check() == RETRY.first
    world.discord.error = None
    await world.commands.check()
    assert world.names() == ["play", "table"]


async def test_the_bot_does_not_start_with_commands_that_discord_refuses(world: World) -> None:
    world.discord.error = refusal(400, 50035)
    with pytest.raises(discord.HTTPException):
        await world.commands.first_check()
