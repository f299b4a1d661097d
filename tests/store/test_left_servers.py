"""What is kept of a server that the bot was removed from goes thirty days later, and not a row of another."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, select

from bot.features.daily import morning_rows as mornings
from bot.features.daily.morning_rows import Morning
from bot.features.house_rules import rows as house_rules
from bot.features.house_rules.rows import HouseRules
from bot.features.seek import rows as seekers
from bot.store import prefs, servers
from bot.store.backend import migrate
from bot.store.database import Database, StoreError
from bot.store.models import GameRow, HouseRulesRow, SeekerRow, SettingRow, table_of
from bot.store.people import put_setting
from bot.store.personal_data import left_servers
from bot.store.prefs import Pictures
from bot.store.servers import Opening, Server
from bot.store.shards import Shards
from bot.table.registry import Tables
from bot.table.upkeep import LEFT_MS, UPKEEP
from tests.support.processes.databases import Open
from tests.support.tables.results import add_game
from tests.support.tables.tables import ManualClock, new_table, settle

LEFT, STAYS, SILENT = 70, 71, 72
"""A server with channels 7 and 8, one with channel 17, one where nobody has said anything."""
DAY_S = 86_400.0
SETTINGS, RULES, SEEKERS = table_of(SettingRow), table_of(HouseRulesRow), table_of(SeekerRow)


async def set_up(database: Database) -> None:
    """Two servers in which people have chosen this and that, and somebody who is in both."""

    def write(connection: Any) -> None:
        for guild_id, channel_id in ((LEFT, 7), (STAYS, 17)):
            servers.put_server(connection, guild_id, Server(seek_role=5))
            servers.put_opening(connection, channel_id, Opening(clock=60))
            prefs.put_pictures(connection, channel_id, Pictures())
            seekers.opt_in(connection, guild_id, 1, 9)
            house_rules.add(
                connection,
                HouseRules(
                    guild_id=guild_id,
                    channel_id=channel_id,
                    game="probe",
                    name="Friday",
                    options={},
                    saved_by=1,
                    saved_at=9,
                ),
            )
        # a channel where nobody ever played
        mornings.put_morning(connection, 8, Morning(guild_id=LEFT))
        put_setting(connection, "person", LEFT, "lesson.probe", {"step": 1})  # an id says nothing of its kind

    await database.write_at_once(write)


async def kept(database: Database) -> tuple[set[tuple[str, int]], set[int], set[int]]:
    """Whose settings, house rules and calls there are."""

    def read(connection: Any) -> Any:
        settings = connection.execute(select(SETTINGS.c.scope, SETTINGS.c.scope_id, SETTINGS.c.key))
        return (
            {(row.scope, row.scope_id) for row in settings if row.key != left_servers.KEY},
            set(connection.execute(select(RULES.c.guild_id)).scalars()),
            set(connection.execute(select(SEEKERS.c.guild_id)).scalars()),
        )

    scopes, rules, calls = await database.read_at_once(read)
    return {one for one in scopes if one[0] in ("server", "channel", "person")}, rules, calls


OTHERS = {("server", STAYS), ("channel", 17), ("person", LEFT)}
ALL = OTHERS | {("server", LEFT), ("channel", 7), ("channel", 8)}


@pytest.fixture
async def tables(opened_tables: Open) -> Tables:
    tables = await opened_tables(ManualClock())
    await set_up(tables.database)
    return tables


async def pass_days(tables: Tables, days: float) -> None:
    """Let time pass, and look after everything once at its end."""
    clock = tables.clock
    assert isinstance(clock, ManualClock)
    clock.move(days * DAY_S)
    tables.runtime.scheduler.trigger(UPKEEP)
    await settle(tables)


async def test_a_server_that_was_left_is_forgotten_after_thirty_days(tables: Tables) -> None:
    await tables.runtime.upkeep.reconcile_guilds([LEFT, STAYS])
    await tables.runtime.upkeep.on_guild_remove(LEFT, [7, 8])
    await pass_days(tables, 29.9)
    assert await kept(tables.database) == (ALL, {LEFT, STAYS}, {LEFT, STAYS})
    await pass_days(tables, 0.2)
    assert await kept(tables.database) == (OTHERS, {STAYS}, {STAYS})
    assert await tables.database.read_at_once(left_servers.read_notes) == {}


async def test_a_row_that_cannot_be_read_keeps_no_other_server_from_being_forgotten(tables: Tables) -> None:
    """It is written down anew, and goes thirty days after that."""
    await tables.runtime.upkeep.reconcile_guilds([LEFT, STAYS])
    await tables.runtime.upkeep.on_guild_remove(LEFT, [7, 8])
    broken = {"at": "long ago"}
    await tables.database.write_at_once(lambda c: put_setting(c, "server", SILENT, left_servers.KEY, broken))
    await pass_days(tables, 30.1)
    assert await kept(tables.database) == (OTHERS, {STAYS}, {STAYS})
    await tables.runtime.upkeep.reconcile_guilds([STAYS])
    assert (await tables.database.read_at_once(left_servers.read_notes)).keys() == {SILENT}


async def test_whoever_asks_the_bot_back_finds_all_as_it_was(tables: Tables) -> None:
    await tables.runtime.upkeep.reconcile_guilds([LEFT, STAYS])
    await tables.runtime.upkeep.on_guild_remove(LEFT, [7, 8])
    await pass_days(tables, 20)
    await tables.runtime.upkeep.on_guild_join(LEFT)
    await pass_days(tables, 40)
    assert await kept(tables.database) == (ALL, {LEFT, STAYS}, {LEFT, STAYS})


async def test_a_server_that_was_left_while_the_bot_did_not_run(tables: Tables) -> None:
    """Then nobody tells which channels it had: those are known where tables or house rules were."""
    await new_table(tables, people=[1])  # in channel 7
    await tables.runtime.upkeep.reconcile_guilds([STAYS, SILENT])
    assert (await tables.database.read_at_once(left_servers.read_notes)).keys() == {LEFT}
    await pass_days(tables, 15)
    await tables.runtime.upkeep.reconcile_guilds([STAYS])  # a start in between does not put it off
    await pass_days(tables, 15.1)
    assert await kept(tables.database) == (OTHERS | {("channel", 8)}, {STAYS}, {STAYS})


async def test_a_server_that_was_joined_again_while_the_bot_did_not_run(tables: Tables) -> None:
    """Nothing goes before it was looked which servers the bot is in."""
    await tables.runtime.upkeep.on_guild_remove(LEFT, [7, 8])
    await pass_days(tables, 31)
    assert (await kept(tables.database))[0] == ALL
    await tables.runtime.upkeep.reconcile_guilds([LEFT, STAYS])
    await pass_days(tables, 31)
    assert (await kept(tables.database))[0] == ALL


async def test_a_process_looks_after_the_servers_of_its_shards_alone(database: Database) -> None:
    """Server 70 << 22 belongs to shard 0 of 2, the one after it to shard 1."""
    mine, other = 70 << 22, 71 << 22

    def write(connection: Any) -> None:
        for guild_id in (mine, other):
            seekers.opt_in(connection, guild_id, 1, 9)
            left_servers.note(connection, guild_id, 9)

    await database.write_at_once(write)
    first = Shards.read("0/2")
    assert await database.read_at_once(lambda c: left_servers.servers_with_data(c, first)) == {mine}
    assert await database.write_at_once(lambda c: left_servers.remove(c, 9, 10, first)) == 1
    assert (await kept(database))[2] == {other}


async def test_many_servers_go_a_few_at_a_time(tables: Tables) -> None:
    def write(connection: Any) -> None:
        for guild_id in range(100, 125):
            seekers.opt_in(connection, guild_id, 1, 9)

    await tables.database.write_at_once(write)
    await tables.runtime.upkeep.reconcile_guilds([LEFT, STAYS])
    await pass_days(tables, LEFT_MS / 1000 / DAY_S + 0.1)
    assert (await kept(tables.database))[2] == {LEFT, STAYS}


async def test_a_database_that_does_not_answer_hears_of_it_in_the_next_round(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(_work: Any) -> Any:
        raise StoreError("gone", "no answer", doubtful=True)

    monkeypatch.setattr(tables.database, "write_at_once", silent)
    await tables.runtime.upkeep.on_guild_remove(LEFT, [7])
    monkeypatch.undo()
    assert await tables.database.read_at_once(left_servers.read_notes) == {}
    clock = tables.clock
    assert isinstance(clock, ManualClock)
    await settle(tables)
    clock.move(61)
    await settle(tables)
    (noted,) = (await tables.database.read_at_once(left_servers.read_notes)).values()
    assert noted.channels == (7,)
    monkeypatch.setattr(tables.database, "write_at_once", silent)
    await tables.runtime.upkeep.on_guild_join(LEFT)
    monkeypatch.undo()
    clock.move(61)
    await tables.runtime.upkeep.round()
    assert await tables.database.read_at_once(left_servers.read_notes) == {}


def test_a_server_with_more_threads_than_a_statement_takes_is_forgotten(tmp_path: Path) -> None:
    """Tables in threads have a channel each; a database takes so many values in a statement and no more."""
    url = f"sqlite:///{tmp_path / 'v.db'}"
    asyncio.run(migrate.upgrade(url))
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.connection.driver_connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 200)  # type: ignore[union-attr]
        for _ in range(300):
            add_game(connection)
        games = table_of(GameRow)
        connection.execute(games.update().values(guild_id=LEFT, channel_id=1000 + games.c.id))
        prefs.put_pictures(connection, 1001, Pictures())
        left_servers.note(connection, LEFT, 5)
        assert left_servers.remove(connection, before=6, most=10) == 1
        assert connection.execute(select(SETTINGS).where(SETTINGS.c.scope != "schema")).all() == []
    engine.dispose()
