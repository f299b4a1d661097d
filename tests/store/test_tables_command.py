"""`valence tables`: what rests and why, waking one, closing one; on both databases, with a bot or without."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest
from sqlalchemy import text

from bot import presenters
from bot.core.errors import Refused, Stale
from bot.ops import doctor
from bot.settings import Settings
from bot.store import unfolded
from bot.store.unfolded import Unfolded
from bot.table import lobby
from bot.table.registry import Tables
from bot.table.storage import compaction
from tests.cli.conftest import Valence
from tests.support.tables.ended import ended_game
from tests.support.tables.tables import (
    Notebook,
    close_tables,
    first_act,
    new_table,
    patient_database,
    settle,
    unopened_tables,
)

T = TypeVar("T")


@pytest.fixture(autouse=True)
def here(url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.chdir(tmp_path)  # no `.env` of the checkout


def with_tables(url: str, act: Callable[[Tables], Awaitable[T]]) -> T:
    """Let a bot do something, from its start to its end."""

    async def run() -> T:
        tables = unopened_tables(url)
        await tables.runtime.open()
        await settle(tables)
        try:
            return await act(tables)
        finally:
            await close_tables(tables)

    return asyncio.run(run())


def do(url: str, line: str) -> None:
    async def run() -> None:
        database = patient_database(url)
        await database.write_at_once(lambda connection: connection.execute(text(line)))
        await database.close()

    asyncio.run(run())


async def deal(tables: Tables) -> int:
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    await first_act(table, 1)
    await settle(tables)
    return table.id


async def press(tables: Tables, table: int) -> list[int]:
    """Press at a table that rests; of which tables people were told."""
    with pytest.raises(Refused, match="resting"):
        await tables.get(table)
    notes = tables.publisher
    assert isinstance(notes, Notebook)
    return notes.rested


def resting(url: str) -> int:
    """A live table that rests, since its rules are of no version that is played here."""
    table = with_tables(url, deal)
    do(url, "UPDATE games SET version = 77")
    assert with_tables(url, lambda tables: press(tables, table)) == [table]
    return table


def test_without_any_it_says_so(valence: Valence, url: str) -> None:
    with_tables(url, deal)
    assert valence("tables", "list").out == "No table rests.\n"
    assert valence("tables", "list", "--json").json == []


def test_one_without_a_presenter_is_not_woken(
    valence: Valence, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It replays, but nobody could see it."""
    table = with_tables(url, deal)
    do(url, "UPDATE games SET resting = 'its presenter cannot be imported'")
    with monkeypatch.context() as patch:
        patch.setitem(presenters.ELSEWHERE, "probe", "tests.support.games.broken_presenter")
        presenters._imported.cache_clear()
        (found,) = valence("tables", "list", "--json").json
        refused = valence("tables", "revive", table)
    presenters._imported.cache_clear()
    assert found["here"] == "its presenter cannot be imported: KeyError: 'nothing'"
    assert (refused.code, found["here"] in refused.err) == (1, True)
    assert valence("tables", "revive", table).code == 0


def test_one_is_listed_and_woken(valence: Valence, url: str) -> None:
    table = resting(url)
    (found,) = valence("tables", "list", "--json").json
    why = "its rules of version 77 are not played here any more"
    assert (found["table"], found["game"], found["phase"]) == (table, "probe", "live")
    assert (found["why"], found["here"]) == (why, why)
    assert why in valence("tables", "list").out
    said = valence("tables", "revive", table)
    assert (said.code, said.out) == (1, "")
    assert why in said.err
    do(url, "UPDATE games SET version = 2")
    assert valence("tables", "list", "--json").json[0]["here"].startswith("replays")
    assert valence("tables", "revive", table).out == f"Table {table} goes on.\n"
    assert valence("tables", "list").out == "No table rests.\n"

    async def go_on(tables: Tables) -> None:
        await first_act(await tables.get(table), 2)

    with_tables(url, go_on)


def test_a_finished_game_that_does_not_replay_is_listed_after_those_that_rest(
    valence: Valence, url: str
) -> None:
    async def left(tables: Tables) -> int:
        table = await ended_game(tables.database, "chemistry_battle", 1)
        why = {table: Unfolded(game="chemistry_battle", why=compaction.OTHER_END)}
        await tables.database.write_at_once(lambda c: unfolded.note(c, why))
        return table

    table, over = resting(url), with_tables(url, left)
    first, second = valence("tables", "list", "--json").json
    assert (first["table"], first["phase"]) == (table, "live")
    assert (second["table"], second["phase"], second["why"]) == (over, "over", compaction.OTHER_END)
    found = {one.words for one in doctor.examine(Settings(), online=False) if one.part == "tables"}
    assert len(found) == 2
    assert any("One open table does not replay" in words for words in found)
    assert any(f"table {over}, chemistry_battle: {compaction.OTHER_END}" in words for words in found)


def test_one_is_closed_and_its_journal_kept(
    valence: Valence,
    url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = resting(url)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert valence("tables", "close", table).code == 130
    assert len(valence("tables", "list", "--json").json) == 1
    assert valence("tables", "close", table, "--yes").out == f"Table {table} is closed.\n"
    assert valence("tables", "list").out == "No table rests.\n"
    said = valence("tables", "close", table, "--yes")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "closed already" in said.err

    async def entries(tables: Tables) -> int:
        return await tables.database.read_at_once(
            lambda c: int(c.execute(text("SELECT count(*) FROM entries")).scalar_one())
        )

    assert with_tables(url, entries) == 1


@pytest.mark.parametrize("command", ["revive", "close"])
def test_a_number_of_no_table(valence: Valence, url: str, command: str) -> None:
    said = valence("tables", command, 7, *(["--yes"] if command == "close" else []))
    assert (said.code, said.out) == (2, "")
    assert "there is no table 7" in said.err


def test_one_that_does_not_rest_is_not_woken(valence: Valence, url: str) -> None:
    table = with_tables(url, deal)
    said = valence("tables", "revive", table)
    assert said.code == 2
    assert f"table {table} does not rest" in said.err


def test_a_bot_that_runs_takes_it_up_at_the_next_press(valence: Valence, url: str) -> None:
    table = resting(url)

    async def run(tables: Tables) -> None:
        await press(tables, table)
        await asyncio.to_thread(do, url, "UPDATE games SET version = 2")
        await press(tables, table)  # nobody has woken it yet
        said = await asyncio.to_thread(valence, "tables", "revive", table)
        assert said.code == 0, said.err
        await first_act(await tables.get(table), 2)

    with_tables(url, run)


def test_a_bot_that_runs_hears_that_it_was_closed(valence: Valence, url: str) -> None:
    """Also one that it holds in memory."""
    table = resting(url)

    async def run(tables: Tables) -> None:
        await press(tables, table)
        other = await tables.get(await deal(tables))
        for each in (table, other.id):
            said = await asyncio.to_thread(valence, "tables", "close", each, "--yes")
            assert said.code == 0, said.err
        closed = await tables.database.read_at_once(
            lambda c: c.execute(text("SELECT count(*) FROM games WHERE phase = 'cancelled'")).scalar_one()
        )
        assert closed == 2
        with pytest.raises(Stale):
            await first_act(other, 2)
        assert other.phase == "cancelled"

    with_tables(url, run)
