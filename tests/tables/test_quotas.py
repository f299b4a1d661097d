"""How much one person, one channel, one server may keep open; what sleeps or has ended costs nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.store.servers import Limits, Server, put_server
from bot.store.terms import Terms
from bot.tables import lobby
from bot.tables.ports import Refused
from bot.tables.quotas import Quotas
from bot.tables.table import Table
from bot.tables.tables import Tables
from tests.support.tables import close_tables, new_table, open_tables, opened_tables

USUAL = Quotas()


async def opened(
    tables: Tables, *, host: int = 1, channel: int = 7, guild: int | None = 70, terms: Terms | None = None
) -> Table:
    return await tables.new(
        "probe",
        host_id=host,
        host_name=f"person {host}",
        entropy=host,
        channel_id=channel,
        guild_id=guild,
        locale="en",
        options={},
        terms=terms or Terms(),
    )


@pytest.fixture
async def tables(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Tables]:
    tables, _, _ = await opened_tables(tmp_path / "v.db", quotas=getattr(request, "param", USUAL))
    yield tables
    await close_tables(tables)


async def refused(tables: Tables, **where: Any) -> tuple[str, int]:
    """What the next table is refused with."""
    with pytest.raises(Refused) as found:
        await opened(tables, **where)
    return found.value.key, int(str(found.value.facts["n"]))


async def test_a_person_has_so_many_lobbies(tables: Tables) -> None:
    several = [await opened(tables, channel=n, guild=n) for n in range(USUAL.lobbies_of_person)]
    assert await refused(tables, channel=99, guild=99) == ("quota_lobbies", 5)
    await opened(tables, host=2, channel=99, guild=99)  # nobody else is affected
    await lobby.start(several[0], 1)
    await opened(tables, channel=99, guild=99)
    assert await refused(tables, channel=98, guild=98) == ("quota_lobbies", 5)
    await several[1].cancel("closed")
    await opened(tables, channel=98, guild=98)


async def test_a_person_sits_at_so_many_tables(tables: Tables) -> None:
    """Those of others at which they sit count too."""
    for n in range(USUAL.tables_of_person):
        table = await opened(tables, host=100 + n, channel=n, guild=n)
        await lobby.join(table, 1, "Ann", 5)
        await lobby.start(table, 100 + n)
    assert await refused(tables, channel=99, guild=99) == ("quota_person", 10)
    await table.give_up_seat(1, "random", "Marie")
    await opened(tables, channel=99, guild=99)


async def test_a_channel_holds_so_many(tables: Tables) -> None:
    for n in range(USUAL.tables_of_channel):
        await opened(tables, host=100 + n)
    assert await refused(tables) == ("quota_channel", 10)
    await opened(tables, channel=8)


async def test_a_server_holds_so_many(tables: Tables) -> None:
    for n in range(USUAL.tables_of_server):
        await opened(tables, host=100 + n, channel=n)
    assert await refused(tables, channel=99) == ("quota_server", 50)
    await opened(tables, channel=99, guild=71)


@pytest.mark.parametrize("tables", [Quotas(lobbies_of_person=3, tables_of_server=1)], indirect=True)
async def test_direct_messages_are_no_server(tables: Tables) -> None:
    for n in range(3):
        await opened(tables, channel=n, guild=None)
    assert await refused(tables, channel=9, guild=None) == ("quota_lobbies", 3)


@pytest.mark.parametrize("tables", [Quotas(2, 2, 2, 2)], indirect=True)
async def test_what_sleeps_or_is_over_costs_nothing(tables: Tables) -> None:
    one, two = await opened(tables), await opened(tables)
    for table in (one, two):
        await lobby.start(table, 1)
    assert await refused(tables) == ("quota_person", 2)
    await one.sleep("idle")
    await opened(tables)
    assert await refused(tables) == ("quota_person", 2)
    await one.come_back(1)  # who wakes one keeps it, though it is one too many
    assert one.phase == "live"
    await two.cancel("closed")
    assert await refused(tables) == ("quota_person", 2)


@pytest.mark.parametrize("most", [1, 5])
async def test_a_race_opens_no_more_than_the_quota(tmp_path: Path, most: int) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db", quotas=Quotas(most, 100, 100, 100))
    answers = await asyncio.gather(*(opened(tables) for _ in range(20)), return_exceptions=True)
    assert sum(isinstance(answer, Table) for answer in answers) == most
    assert {a.key for a in answers if isinstance(a, Refused)} == {"quota_lobbies"}
    assert len(await open_tables(tables)) == most
    await close_tables(tables)


async def test_matches_of_tournaments_are_no_tables_of_a_person(tables: Tables) -> None:
    """Tournaments have quotas of their own; nobody must lose a match because they play much."""
    for n in range(USUAL.lobbies_of_person):
        await opened(tables, channel=n)
    terms = Terms(tournament=1, match="W1.1", invited=(1, 2))
    table = await tables.new_match(
        "probe", host_id=1, channel_id=7, guild_id=70, locale="en", options={}, terms=terms
    )
    await lobby.join(table, 1, "Ann", 1)
    assert (await new_table(tables, people=[2])).phase == "lobby"


async def limited(tables: Tables, guild: int, **limits: int) -> None:
    """A server that allows so many."""
    server = Server(limits=Limits(**limits))
    await tables.database.write_at_once(lambda c: put_server(c, guild, server))


async def test_a_server_may_allow_less(tables: Tables) -> None:
    await limited(tables, 70, lobbies_of_person=1, tables_of_channel=2, tables_of_server=3)
    mine = await opened(tables)
    assert await refused(tables) == ("limit_lobbies", 1)
    await opened(tables, guild=71, channel=8)  # another server says nothing of it
    await lobby.start(mine, 1)
    await opened(tables)
    assert await refused(tables, host=2) == ("limit_channel", 2)
    await opened(tables, host=2, channel=9)
    assert await refused(tables, host=3, channel=10) == ("limit_server", 3)
    assert mine.phase == "live"


async def test_tables_elsewhere_do_not_count_for_the_limit_of_a_server(tables: Tables) -> None:
    await limited(tables, 70, tables_of_person=1)
    await opened(tables, guild=71, channel=8)
    await opened(tables)
    assert await refused(tables) == ("limit_person", 1)


async def test_a_server_cannot_allow_more_than_the_operator(tables: Tables) -> None:
    await limited(tables, 70, lobbies_of_person=50)
    for n in range(USUAL.lobbies_of_person):
        await opened(tables, channel=n)
    assert await refused(tables, channel=99) == ("quota_lobbies", 5)
