"""One stage for the whole folder: the bot takes seconds to start, a channel of its own takes none."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from playground.actions.person import Person
from tests.e2e.room import Room
from tests.support.processes.must import chromium, playwright
from tests.support.processes.stage import Stage, stage

MEMORY = Path("/dev/shm")


@pytest.fixture(scope="session")
def backstage() -> Iterator[Path]:
    """A place for databases and logs, in memory where there is such a place: each act waits for the disk."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield Path(name)


def scene(backstage: Path, name: str) -> Path:
    """An empty folder of this name."""
    path = backstage / name
    path.mkdir()
    return path


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def theatre(backstage: Path) -> AsyncIterator[Stage]:
    """A running bot that also deals the probe game. Tests that stop it need a stage of their own."""
    async with stage(scene(backstage, "theatre"), probe=True) as here:
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
    # whoever stays is told of every later room and of everybody in it
    await room.close()
    room.check()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def browser() -> AsyncIterator[Any]:
    """A Chromium without a screen, for the tests of a file."""
    path = chromium()
    async with playwright().async_playwright() as p:
        running = await p.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield running
        await running.close()
