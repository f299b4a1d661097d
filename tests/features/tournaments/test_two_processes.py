"""Somebody who deletes themselves in one process is withdrawn from the tournaments of the others."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.core.lease_holder import LeaseHolder
from bot.core.scheduler import RETRY
from bot.features.nights.service import Nights
from bot.features.privacy.deletion import delete_person
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import Tournament
from bot.store.database import StoreError
from bot.store.personal_data.privacy import is_nobody
from bot.store.shards import SNOWFLAKE_BITS, Shards
from bot.store.terms import TournamentTerms
from bot.table.registry import Tables
from bot.table.thinking import WorkerThinker
from tests.support.processes.schema import upgrade
from tests.support.tables.tables import PLENTY, ManualClock, Notebook, close_tables, patient_database, settle
from tests.support.tables.tournaments import Stage
from tests.support.waiting import turns, until

ANN = 1
SECOND_SERVER = 1 << SNOWFLAKE_BITS
"""A server of the second shard."""


class Process:
    """A bot that has one of two shards."""

    def __init__(self, url: str, clock: ManualClock, shard: int) -> None:
        self.database = patient_database(url)
        lease_holder = LeaseHolder(self.database, clock, longest_step=math.inf, shards=Shards(2, (shard,)))
        self.tables = Tables(
            self.database,
            clock,
            WorkerThinker(0),
            Notebook(),
            pace=0.0,
            lease_holder=lease_holder,
            quotas=PLENTY,
        )
        self.cups = Tournaments(self.database, clock, self.tables, Stage())
        self.tables.runtime.attach(self.cups)
        self.nights: Any = Nights(self.database, clock, self.tables, None)  # type: ignore[arg-type] - none is planned


class World:
    """Two processes; a tournament of four in a server of the second one."""

    def __init__(self, url: str) -> None:
        self.url, self.clock = url, ManualClock(instant_sleep=False)
        self.here, self.there = Process(url, self.clock, 0), Process(url, self.clock, 1)

    async def open(self) -> None:
        for process in (self.here, self.there):
            await process.tables.runtime.open()
            await process.cups.open()

    async def cup(self, *, started: bool) -> Tournament:
        cup = await self.there.cups.create(
            name="Cup",
            game="duel52",
            options={},
            terms=TournamentTerms(),
            guild_id=SECOND_SERVER,
            channel_id=9,
            host_id=99,
            locale="en",
        )
        for user in (ANN, 2, 3, 4):
            await self.there.cups.join(cup, user, f"person {user}")
        if started:
            await self.there.cups.start(cup)
            await settle(self.there.tables)
        return cup

    async def delete_ann(self) -> None:
        """Where she does so, nothing is known of the tournament."""
        here = self.here
        await delete_person(here.tables, [here.cups, here.nights], ANN, lambda table: "Henry")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(await upgrade(tmp_path / "v.db"))
    await world.open()
    yield world
    for process in (world.here, world.there):
        await close_tables(process.tables)


def takes_part_no_longer(cup: Tournament) -> None:
    """Who was deleted does not, and the others do."""
    nobodies = {str(entrant.user_id) for entrant in cup.entrants if is_nobody(entrant.user_id)}
    assert {entrant.user_id for entrant in cup.entrants if not is_nobody(entrant.user_id)} == {2, 3, 4}
    if cup.bracket is None:
        assert nobodies == set()
    else:
        assert cup.bracket.withdrawn == nobodies
        assert len(nobodies) == 1
        assert not any(nobodies & set(match.players) for match in cup.bracket.ready())


@pytest.mark.parametrize("started", [False, True])
async def test_whoever_is_deleted_elsewhere_is_withdrawn(world: World, started: bool) -> None:
    cup = await world.cup(started=started)
    await world.delete_ann()
    await world.there.cups.forgotten(ANN)
    await settle(world.there.tables)
    takes_part_no_longer(cup)


async def test_so_are_they_where_the_database_was_silent(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = await world.cup(started=True)
    await world.delete_ann()

    async def silent(*_: Any, **__: Any) -> Any:
        raise StoreError("slow")

    with monkeypatch.context() as patch:
        patch.setattr(world.there.database, "write_at_once", silent)
        await world.there.cups.forgotten(ANN)
        await turns(20)

    async def again() -> bool:
        world.clock.move(RETRY.first)
        return cup.bracket is not None and bool(cup.bracket.withdrawn)

    await until(again)
    takes_part_no_longer(cup)


async def test_so_are_they_where_the_process_was_away(world: World) -> None:
    await world.cup(started=True)
    await close_tables(world.there.tables)
    await world.delete_ann()
    world.there = Process(world.url, world.clock, 1)
    await world.there.tables.runtime.open()
    await world.there.cups.open()
    await settle(world.there.tables)
    (cup,) = world.there.cups.of_guild(SECOND_SERVER)
    takes_part_no_longer(cup)
