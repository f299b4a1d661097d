"""A playground and the sample bot beside it, for every test that wants them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import discord
import pytest

from playground import Person, Playground, start
from tests.playground.sample_bot import make_client, point_at
from tests.support.processes.playground_clock import ManualClock
from tests.support.waiting import LIMIT_SECONDS


class Rest:
    """Speaks to the API as a library would, to see each refusal as it is on the wire."""

    def __init__(self, pg: Playground, session: aiohttp.ClientSession) -> None:
        self.pg = pg
        self.session = session
        self.headers = {"Authorization": f"Bot {pg.token}"}

    async def __call__(self, method: str, path: str, body: Any = None, **kwargs: Any) -> tuple[int, Any]:
        url = f"{self.pg.base}/api/v10{path}"
        headers = kwargs.pop("headers", self.headers)
        async with self.session.request(method, url, json=body, headers=headers, **kwargs) as response:
            text = await response.text()
            if text and response.headers["Content-Type"] == "application/json":
                return response.status, await response.json()
            return response.status, text

    async def form(self, method: str, path: str, payload: Any, *files: tuple[str, bytes]) -> tuple[int, Any]:
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("payload_json", discord.utils._to_json(payload))
        for index, (name, data) in enumerate(files):
            form.add_field(f"files[{index}]", data, filename=name, content_type="application/octet-stream")
        url = f"{self.pg.base}/api/v10{path}"
        async with self.session.request(method, url, data=form, headers=self.headers) as response:
            return response.status, await response.json()

    def channel(self, name: str) -> int:
        found = self.pg.core.world.find_channel(name)
        assert found is not None
        return found.id


@pytest.fixture
async def pg() -> AsyncIterator[Playground]:
    async with start() as running:
        yield running


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def rest(pg: Playground) -> AsyncIterator[Rest]:
    async with aiohttp.ClientSession() as session:
        yield Rest(pg, session)


@pytest.fixture
async def connect() -> AsyncIterator[Callable[..., Awaitable[Person]]]:
    """Connect people; they leave by themselves at the end."""
    people: list[Person] = []

    async def connect(pg: Playground, name: str = "ann") -> Person:
        people.append(await Person.connect(pg.page_url(), name))
        return people[-1]

    yield connect
    for person in people:
        await person.close()


@pytest.fixture
async def run_bot() -> AsyncIterator[Callable[..., Awaitable[discord.Client]]]:
    """Run the sample bot inside this loop, ready to answer."""
    running: list[tuple[discord.Client, asyncio.Task[None]]] = []

    async def run(pg: Playground, client: discord.Client | None = None) -> discord.Client:
        point_at(pg.base)
        client = client or make_client()
        # The library waits two seconds for guilds that never come; here they all are there at once.
        client._connection.guild_ready_timeout = 0.05
        await client.login(pg.token)
        running.append((client, asyncio.create_task(client.connect())))
        await asyncio.wait_for(client.wait_until_ready(), LIMIT_SECONDS)
        return client

    yield run
    for client, task in running:
        await client.close()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
async def bot(pg: Playground, run_bot: Callable[..., Awaitable[discord.Client]]) -> discord.Client:
    return await run_bot(pg)


@pytest.fixture
async def ann(pg: Playground, bot: discord.Client, connect: Callable[..., Awaitable[Person]]) -> Person:
    return await connect(pg, "ann")
