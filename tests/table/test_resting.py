"""Tables that cannot be read: each costs itself alone, is told once, tried again, and comes back."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from bot.core.errors import Refused
from bot.store import queries, totals
from bot.store.database import StoreError
from bot.store.terms import Terms
from bot.table import lobby, upkeep
from bot.table.registry import Tables
from bot.table.storage.resting import NotOffered, TooManyRest, reason_of
from bot.table.table import Table
from engine.catalog import UnknownGame
from engine.game import IllegalAction, UnknownRules
from tests.support.tables.tables import (
    ManualClock,
    Notebook,
    close_tables,
    first_act,
    new_table,
    open_tables,
    opened_tables,
    settle,
)

Spoil = Callable[["Place", int], None]


class Place:
    """A database whose rows a test spoils and mends while no bot runs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.clock: ManualClock | None = None
        self.tables: Tables
        self.notes: Notebook

    async def open(self, **options: Any) -> None:
        self.tables, self.clock, self.notes = await opened_tables(self.path, self.clock, **options)
        await settle(self.tables)

    async def close(self) -> None:
        await close_tables(self.tables)

    def do(self, *lines: str) -> None:
        with closing(sqlite3.connect(self.path)) as connection:
            for line in lines:
                connection.execute(line)
            connection.commit()

    def ask(self, sql: str) -> Any:
        with closing(sqlite3.connect(self.path)) as connection:
            return connection.execute(sql).fetchone()[0]

    def rows(self) -> list[Any]:
        """All that the database holds, but for the lease."""
        with closing(sqlite3.connect(self.path)) as connection:
            return [line for line in connection.iterdump() if '"leases"' not in line]


async def live(tables: Tables, host: int = 1) -> Table:
    table = await new_table(tables, people=[host, host + 1])
    await lobby.start(table, host)
    await first_act(table, host)
    await first_act(table, host + 1)
    await table.set_place(7, 900 + table.id, guild_id=70)
    return table


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    place = Place(tmp_path / "v.db")
    await place.open()
    yield place
    await place.close()


def setting(column: str, value: str) -> Spoil:
    return lambda place, table: place.do(f"UPDATE games SET {column} = '{value}' WHERE id = {table}")


def entry(column: str, value: str, seq: int = 1) -> Spoil:
    return lambda place, table: place.do(
        f"UPDATE entries SET {column} = '{value}' WHERE game_id = {table} AND seq = {seq}"
    )


SPOILT: dict[str, Spoil] = {
    "terms that are no terms": setting("terms", '{"clock": "soon"}'),
    "terms that are cut": setting("terms", '{"clock": 86'),
    "terms that are a list": setting("terms", "[1, 2]"),
    "options that are cut": setting("options", '{"rounds": '),
    "options that are a list": setting("options", "[]"),
    "options of no game": setting("options", '{"rounds": 99}'),
    "an unknown game": setting("game", "whist"),
    "rules that nobody plays any more": setting("version", "77"),
    "a seed that is none": setting("seed", ""),
    "a missing entry": lambda place, table: place.do(
        f"DELETE FROM entries WHERE game_id = {table} AND seq = 1"
    ),
    "an action that is no action": entry("data", '["fly", 3, []]'),
    "an action that is cut": entry("data", '["bid"'),
    "an action that is illegal": entry("data", '["bid", 77, []]'),
    "an action of nobody": entry("seat", "9"),
    "no seats": lambda place, table: place.do(f"DELETE FROM seats WHERE game_id = {table}"),
}


@pytest.mark.parametrize("way", SPOILT)
async def test_a_bad_row_costs_its_own_table_only(place: Place, way: str) -> None:
    bad, good = await live(place.tables, 1), await live(place.tables, 3)
    await place.close()
    whole = place.rows()
    SPOILT[way](place, bad.id)
    await place.open()
    tables = place.tables
    for _ in range(3):
        with pytest.raises(Refused, match="resting"):
            await tables.get(bad.id)
    assert place.notes.rested == [bad.id]  # told once
    assert place.ask(f"SELECT resting FROM games WHERE id = {bad.id}")
    # everything else goes on: lists, hands, what falls due, another table, a new one
    assert [line.id for line in (await tables.listed(70, 1, 10))[0]] == [good.id, bad.id]
    assert [table.id for table in await tables.in_channel(7)] == [good.id]
    assert await tables.of_user(1) == []
    assert [table.id for table in await tables.of_user(3)] == [good.id]
    assert "probe" in await tables.games_at(1, 7)
    await first_act(await tables.get(good.id), 3)
    await new_table(tables, people=[1])
    assert bad.id not in await open_tables(tables)
    await place.close()
    await place.open()
    assert place.notes.rested == []  # and not again at the next start
    await place.close()
    mend(place, whole, bad.id)
    await place.open()
    again = await place.tables.get(bad.id)
    assert (again.seq, again.phase, again.stored.resting) == (2, "live", "")
    assert place.ask("SELECT count(*) FROM games WHERE resting <> ''") == 0
    seat = again.waiting()[0]
    await first_act(again, again.sitters[seat].user_id or 0)


def mend(place: Place, whole: list[str], table: int) -> None:
    """Put the rows of a table back as they were."""
    with closing(sqlite3.connect(":memory:")) as before, closing(sqlite3.connect(place.path)) as now:
        before.executescript("\n".join(whole))
        for name, key in (("games", "id"), ("seats", "game_id"), ("entries", "game_id")):
            now.execute(f"DELETE FROM {name} WHERE {key} = {table}")
            found = before.execute(f"SELECT * FROM {name} WHERE {key} = {table}")
            marks = ", ".join("?" for _ in found.description)
            now.executemany(f"INSERT INTO {name} VALUES ({marks})", found)
        now.execute(f"UPDATE games SET resting = 'for a reason of then' WHERE id = {table}")
        now.commit()


async def test_a_defect_in_a_deal(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    bad, good = await live(place.tables, 1), await live(place.tables, 3)
    key, deal = bad.setup().key, type(bad.game).deal
    await place.close()

    def stumble(game: Any, setup: Any) -> Any:
        if setup.key == key:
            raise KeyError("nobody thought of this")
        return deal(game, setup)

    with monkeypatch.context() as patch:
        patch.setattr(type(bad.game), "deal", stumble)
        await place.open()
        with pytest.raises(Refused, match="resting"):
            await place.tables.get(bad.id)
        assert place.ask(f"SELECT resting FROM games WHERE id = {bad.id}") == "a defect: KeyError"
        await first_act(await place.tables.get(good.id), 3)
        await place.close()
    await place.open()
    assert (await place.tables.get(bad.id)).seq == 2


async def test_a_deadline_of_a_bad_table_rings_once(place: Place) -> None:
    """Nothing is tried again and again: it stands still until the next start."""
    bad = await live(place.tables)
    await place.close()
    place.do(
        f"INSERT INTO clocks (game_id, kind, seat, due_at) SELECT {bad.id}, 'turn', 0, at + 5000 FROM leases",
    )
    SPOILT["terms that are cut"](place, bad.id)
    await place.open()
    assert place.clock is not None
    for _ in range(20):
        place.clock.move(3)
        await settle(place.tables)
    assert place.notes.rested == [bad.id]
    due = await place.tables.database.read_at_once(lambda c: queries.due(c, 2**60, 10))
    assert due == []


async def many(place: Place, count: int) -> list[int]:
    """So many live tables, as copies of one."""
    table = await live(place.tables)
    await place.close()
    numbers = f"(SELECT 2 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})"
    for name, key in (("games", "id"), ("seats", "game_id"), ("entries", "game_id")):
        with closing(sqlite3.connect(place.path)) as connection:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
        values = ", ".join("n" if column == key else column for column in columns)
        place.do(
            f"WITH RECURSIVE numbers AS {numbers} INSERT INTO {name} ({', '.join(columns)}) "
            f"SELECT {values} FROM {name}, numbers WHERE {key} = {table.id}"
        )
    place.do("UPDATE games SET shown = edition")
    return list(range(1, count + 1))


def spoil(place: Place, *tables: int) -> None:
    for table in tables:
        SPOILT["an action that is no action"](place, table)


async def test_when_many_fail_the_start_stops(place: Place) -> None:
    tables = await many(place, 100)
    spoil(place, *tables[:6])
    before = place.rows()
    with pytest.raises(TooManyRest) as found:
        await place.open()
    assert (found.value.failed, found.value.tried) == (6, 100)
    assert "6 of 100 open tables cannot be replayed by this version" in str(found.value)
    assert "--rest-anyway" in str(found.value)
    assert place.rows() == before  # nothing is changed
    assert place.ask("SELECT holder FROM leases") == ""
    await place.open(rest_anyway=True)
    assert place.notes.rested == []  # who asks is told
    for table in tables[:6]:
        with pytest.raises(Refused, match="resting"):
            await place.tables.get(table)
    assert (await place.tables.get(tables[6])).phase == "live"
    assert place.notes.rested == tables[:6]
    await place.close()
    await place.open()  # those that rest do not count again
    assert place.notes.rested == []


@pytest.mark.parametrize(("tables", "bad"), [(4, 4), (100, 5), (100, 4)])
async def test_a_few_that_fail_stop_nobody(place: Place, tables: int, bad: int) -> None:
    numbers = await many(place, tables)
    spoil(place, *numbers[:bad])
    await place.open()
    if bad < tables:
        assert (await place.tables.get(numbers[bad])).phase == "live"


@pytest.mark.parametrize(("tables", "bad"), [(5, 5), (99, 5), (40, 6)])
async def test_enough_that_fail_stop_the_start(place: Place, tables: int, bad: int) -> None:
    numbers = await many(place, tables)
    spoil(place, *numbers[:bad])
    with pytest.raises(TooManyRest):
        await place.open()
    place.do("DELETE FROM games")
    await place.open()


async def test_tables_of_a_game_that_is_not_offered_rest_and_stop_no_start(place: Place) -> None:
    """However many: a presenter that cannot be imported costs its game alone. With it they come back."""
    tables = await many(place, 12)
    await place.open(offers=lambda game: game != "probe")
    for table in tables:
        with pytest.raises(Refused, match="resting"):
            await place.tables.get(table)
    with pytest.raises(Refused, match="not_offered"):
        await new_table(place.tables)
    assert place.notes.rested == tables
    assert place.ask("SELECT DISTINCT resting FROM games") == "its presenter cannot be imported"
    await place.close()
    await place.open()
    assert place.ask("SELECT count(*) FROM games WHERE resting <> ''") == 0
    assert (await place.tables.get(tables[0])).phase == "live"


async def test_what_rests_is_as_it_was_when_it_comes_back(place: Place) -> None:
    """Its clock has not run meanwhile, and its message is brought up to date."""
    table = await new_table(place.tables, people=[1, 2], terms=Terms(clock=86_400))
    await lobby.start(table, 1)
    await place.close()
    place.do(f"UPDATE games SET game = 'whist' WHERE id = {table.id}")
    await place.open()
    with pytest.raises(Refused, match="resting"):
        await place.tables.get(table.id)
    await place.close()
    place.do(f"UPDATE games SET game = 'probe' WHERE id = {table.id}")
    await place.open()
    again = await place.tables.get(table.id)
    assert {deadline.kind for deadline in again.deadlines} == {"turn", "note", "nudge"}
    assert place.notes.changes[-1] == (table.id, "live", 0)


async def test_two_presses_at_a_table_that_comes_back_find_one_table(place: Place) -> None:
    """The start tries it again while somebody presses."""
    table = await live(place.tables)
    await place.close()
    place.do(f"UPDATE games SET resting = 'for a reason of then' WHERE id = {table.id}")
    place.tables, place.clock, place.notes = await opened_tables(place.path, place.clock)
    one = await place.tables.get(table.id)
    await settle(place.tables)
    assert await place.tables.get(table.id) is one
    assert one.stored.resting == ""
    await first_act(one, one.sitters[one.waiting()[0]].user_id or 0)
    assert (await open_tables(place.tables))[table.id] is one


async def test_a_database_that_stumbles_at_the_start_is_asked_again(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await live(place.tables)
    await place.close()
    place.do(f"UPDATE games SET resting = 'for a reason of then' WHERE id = {table.id}")
    catch_up, failures = totals.catch_up, [2]

    def stumbles(connection: Connection) -> None:
        if failures[0]:
            failures[0] -= 1
            raise StoreError("locked")
        catch_up(connection)

    monkeypatch.setattr(totals, "catch_up", stumbles)
    await place.open()
    assert place.ask("SELECT count(*) FROM games WHERE resting <> ''") == 1
    assert place.clock is not None
    for _ in range(2):
        place.clock.move(11)
        await settle(place.tables)
    assert place.ask("SELECT count(*) FROM games WHERE resting <> ''") == 0


async def test_sleepers_that_rest_keep_no_other_from_being_closed(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "AT_A_TIME", 2)
    one, two, three, four = await many(place, 4)
    place.do(
        "UPDATE games SET asleep_at = id, why = 'left_server'",
        f"UPDATE games SET game = 'whist', resting = 'for a reason of then' WHERE id IN ({one}, {two})",
    )
    await place.open()
    await place.tables.runtime.upkeep.round()
    assert [(await place.tables.get(table)).phase for table in (three, four)] == ["cancelled"] * 2
    assert place.ask("SELECT count(*) FROM games WHERE resting <> ''") == 2


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (NotOffered(), "its presenter cannot be imported"),
        (UnknownRules("probe", 77, (1, 2)), "its rules of version 77 are not played here any more"),
        (IllegalAction("too_low", card="9"), "the rules refuse what was played (too_low)"),
        (UnknownGame("whist"), "its game is not known here"),
        (ValueError("9 of hearts"), "its rows cannot be read (ValueError)"),
        (KeyError("9 of hearts"), "a defect: KeyError"),
    ],
)
def test_why_a_table_rests_is_said_without_naming_a_card(error: Exception, why: str) -> None:
    assert reason_of(error) == why
