"""Quotas of open tables per person, channel and server, and what counts in them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.core.errors import Refused
from bot.store.days import DAY_MS
from bot.store.servers import Server, ServerLimits, put_server
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.people import consent, leaving
from bot.table.people.quotas import Quotas
from bot.table.registry import Tables
from bot.table.table import Table
from tests.support.tables.tables import ManualClock, close_tables, new_table, open_tables, opened_tables

USUAL = Quotas()


async def opened(
    tables: Tables, *, host: int = 1, channel: int = 7, guild: int | None = 70, terms: Terms | None = None
) -> Table:
    return await tables.opener.open_lobby(
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


async def pass_days(tables: Tables, days: float) -> None:
    assert isinstance(tables.clock, ManualClock)
    tables.clock.move(days * DAY_MS / 1000)


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
    await leaving.leave_game(table, 1, "random", "Marie")
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


async def alone(tables: Tables, **where: Any) -> Table:
    """A game of one person, which only they pause."""
    table = await opened(tables, **where)
    await lobby.start(table, 1)
    return table


@pytest.mark.parametrize("tables", [Quotas(2, 2, 9, 9)], indirect=True)
@pytest.mark.parametrize("days", [0, 300])
async def test_a_pause_frees_no_place_for_a_person(tables: Tables, days: int) -> None:
    for n in range(2):
        await consent.pause(await alone(tables, channel=n), 1)
    await pass_days(tables, days)
    assert await refused(tables, channel=9, guild=None) == ("quota_person", 2)
    await opened(tables, host=2, channel=9)


@pytest.mark.parametrize("tables", [Quotas(9, 9, 2, 3)], indirect=True)
@pytest.mark.parametrize(("channel", "key"), [(7, "quota_channel"), (9, "quota_server")])
async def test_a_pause_frees_a_place_in_a_channel_and_server_after_a_week(
    tables: Tables, channel: int, key: str
) -> None:
    """As an open table that nobody touches does: those who pause must not fill a channel for a year."""
    for where in (7, 7, 8):
        await consent.pause(await alone(tables, channel=where), 1)
    await pass_days(tables, 6.9)
    assert (await refused(tables, host=2, channel=channel))[0] == key
    await pass_days(tables, 0.2)
    await opened(tables, host=2, channel=channel)


@pytest.mark.parametrize("tables", [Quotas(2, 2, 2, 2)], indirect=True)
async def test_letting_a_clock_run_out_frees_no_place_for_a_week(tables: Tables) -> None:
    """A table whose people are all away sleeps at once, with a short clock within minutes."""
    several = [await alone(tables, terms=Terms(clock=60)) for _ in range(2)]
    for table in several:
        while not table.asleep:
            seat = table.waiting()[0]
            await table.act(seat, None, table.legal[seat][0], kind="timeout", present=False)
    assert await refused(tables, channel=9, guild=71) == ("quota_person", 2)
    await opened(tables, host=2)  # the channel is free, as before
    await pass_days(tables, 7.1)
    await opened(tables, channel=9, guild=71)


@pytest.mark.parametrize("tables", [Quotas(2, 2, 2, 2)], indirect=True)
async def test_a_pause_in_a_server_that_was_left_costs_nothing(tables: Tables) -> None:
    """Nobody gets at these, and they close within a month."""
    for _ in range(2):
        await consent.pause(await alone(tables), 1)
    await tables.runtime.upkeep.on_guild_remove(70)
    await opened(tables, channel=9, guild=71)


async def test_a_server_that_allows_less_counts_pauses_too(tables: Tables) -> None:
    await limited(tables, 70, tables_of_person=1)
    await consent.pause(await alone(tables), 1)
    assert await refused(tables) == ("limit_person", 1)
    await opened(tables, guild=71, channel=8)


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
    table = await tables.opener.open_match(
        "probe", host_id=1, channel_id=7, guild_id=70, locale="en", options={}, terms=terms
    )
    await lobby.join(table, 1, "Ann", 1)
    assert (await new_table(tables, people=[2])).phase == "lobby"


async def limited(tables: Tables, guild: int, **limits: int) -> None:
    """A server that allows so many."""
    server = Server(limits=ServerLimits(**limits))
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
