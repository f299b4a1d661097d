"""One stage for the whole folder: the bot takes seconds to start, a channel of its own takes none."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from playground.person import Person
from tests.e2e.room import Room
from tests.support.stage import Stage, stage


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def theatre(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """A running bot that also deals the probe game. Tests that stop it need a stage of their own."""
    async with stage(tmp_path_factory.mktemp("theatre"), probe=True) as here:
        yield here


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def mia(theatre: Stage) -> Person:
    """The moderator, who makes the rooms."""
    mia = await theatre.person("mia")
    await theatre.ready(mia)
    return mia


@pytest_asyncio.fixture(loop_scope="session")
async def room(theatre: Stage, mia: Person) -> AsyncIterator[Room]:
    """A channel and people of one's own; afterwards the log is searched for what nobody foresaw."""
    room = await Room.open(theatre, mia)
    yield room
    room.check()
