"""How much one person, one channel, one server may keep open; what sleeps or has ended costs nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.store.terms import Terms
from bot.tables import lobby
from bot.tables.hall import Hall
from bot.tables.ports import Refused
from bot.tables.quotas import Quotas
from bot.tables.table import Table
from tests.support.hall import close_hall, new_table, open_hall, open_tables

USUAL = Quotas()


async def opened(
    hall: Hall, *, host: int = 1, channel: int = 7, guild: int | None = 70, terms: Terms | None = None
) -> Table:
    return await hall.new(
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
async def hall(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Hall]:
    hall, _, _ = await open_hall(tmp_path / "v.db", quotas=getattr(request, "param", USUAL))
    yield hall
    await close_hall(hall)


async def refused(hall: Hall, **where: Any) -> tuple[str, int]:
    """What the next table is refused with."""
    with pytest.raises(Refused) as found:
        await opened(hall, **where)
    return found.value.key, int(found.value.facts["most"])


async def test_a_person_has_so_many_lobbies(hall: Hall) -> None:
    tables = [await opened(hall, channel=n, guild=n) for n in range(USUAL.lobbies_of_person)]
    assert await refused(hall, channel=99, guild=99) == ("quota_lobbies", 5)
    await opened(hall, host=2, channel=99, guild=99)  # nobody else is affected
    await lobby.start(tables[0], 1)
    await opened(hall, channel=99, guild=99)
    assert await refused(hall, channel=98, guild=98) == ("quota_lobbies", 5)
    await tables[1].cancel("closed")
    await opened(hall, channel=98, guild=98)


async def test_a_person_sits_at_so_many_tables(hall: Hall) -> None:
    """Those of others at which they sit count too."""
    for n in range(USUAL.tables_of_person):
        table = await opened(hall, host=100 + n, channel=n, guild=n)
        await lobby.join(table, 1, "Ann", 5)
        await lobby.start(table, 100 + n)
    assert await refused(hall, channel=99, guild=99) == ("quota_person", 10)
    await table.give_up_seat(1, "random", "Marie")
    await opened(hall, channel=99, guild=99)


async def test_a_channel_holds_so_many(hall: Hall) -> None:
    for n in range(USUAL.tables_of_channel):
        await opened(hall, host=100 + n)
    assert await refused(hall) == ("quota_channel", 10)
    await opened(hall, channel=8)


async def test_a_server_holds_so_many(hall: Hall) -> None:
    for n in range(USUAL.tables_of_server):
        await opened(hall, host=100 + n, channel=n)
    assert await refused(hall, channel=99) == ("quota_server", 50)
    await opened(hall, channel=99, guild=71)


@pytest.mark.parametrize("hall", [Quotas(lobbies_of_person=3, tables_of_server=1)], indirect=True)
async def test_direct_messages_are_no_server(hall: Hall) -> None:
    for n in range(3):
        await opened(hall, channel=n, guild=None)
    assert await refused(hall, channel=9, guild=None) == ("quota_lobbies", 3)


@pytest.mark.parametrize("hall", [Quotas(2, 2, 2, 2)], indirect=True)
async def test_what_sleeps_or_is_over_costs_nothing(hall: Hall) -> None:
    one, two = await opened(hall), await opened(hall)
    for table in (one, two):
        await lobby.start(table, 1)
    assert await refused(hall) == ("quota_person", 2)
    await one.sleep("idle")
    await opened(hall)
    assert await refused(hall) == ("quota_person", 2)
    await one.come_back(1)  # who wakes one keeps it, though it is one too many
    assert one.phase == "live"
    await two.cancel("closed")
    assert await refused(hall) == ("quota_person", 2)


@pytest.mark.parametrize("most", [1, 5])
async def test_a_race_opens_no_more_than_the_quota(tmp_path: Path, most: int) -> None:
    hall, _, _ = await open_hall(tmp_path / "v.db", quotas=Quotas(most, 100, 100, 100))
    answers = await asyncio.gather(*(opened(hall) for _ in range(20)), return_exceptions=True)
    assert sum(isinstance(answer, Table) for answer in answers) == most
    assert {a.key for a in answers if isinstance(a, Refused)} == {"quota_lobbies"}
    assert len(await open_tables(hall)) == most
    await close_hall(hall)


async def test_matches_of_tournaments_are_no_tables_of_a_person(hall: Hall) -> None:
    """Tournaments have quotas of their own; nobody must lose a match because they play much."""
    for n in range(USUAL.lobbies_of_person):
        await opened(hall, channel=n)
    terms = Terms(cup=1, match="W1.1", invited=(1, 2))
    table = await hall.new_match(
        "probe", host_id=1, channel_id=7, guild_id=70, locale="en", options={}, terms=terms
    )
    await lobby.join(table, 1, "Ann", 1)
    assert (await new_table(hall, people=[2])).phase == "lobby"
