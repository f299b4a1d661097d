"""Every change of a table, when the connection is lost at its commit: what is stored is what is answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.core.errors import Refused
from bot.store import games as store
from bot.store.database import StoreError
from bot.store.games import Stored
from bot.store.terms import ConsentRequest, Terms
from bot.table import lobby
from bot.table.people import consent, habits, leaving
from bot.table.people.consent import Undo
from bot.table.people.habits import set_autopass, set_pings
from bot.table.ports import ACT_SECONDS
from bot.table.registry import Tables
from bot.table.results import keep_results
from bot.table.table import Table
from tests.support.games.probe import Act
from tests.support.tables.tables import (
    ManualClock,
    Notebook,
    at_hand,
    close_tables,
    new_table,
    open_tables,
    opened_tables,
    settle,
)
from tests.support.waiting import turns


class Doubt:
    """A database that loses its connection at the next write, before or after the commit; `blind`: at the
    question whether it was stored, too."""

    def __init__(self, tables: Tables, *, after: bool, blind: bool = False) -> None:
        self.database = tables.database
        self.write = self.database.write_at_once
        self.after, self.blind = after, blind
        self.failed = False
        self.database.write_at_once = self.write_at_once  # type: ignore[method-assign]

    async def write_at_once(self, work: Callable[[Any], Any], **how: Any) -> Any:
        if self.failed and self.blind:
            self.blind = False
            raise StoreError("gone", doubtful=True)
        if self.failed:
            return await self.write(work, **how)
        self.failed = True
        if self.after:
            await self.write(work, **how)
        raise StoreError("gone", doubtful=True)


async def open_lobby(tables: Tables) -> Table:
    return await new_table(tables, people=[1, 2])


async def match(tables: Tables) -> Table:
    return await tables.opener.open_match(
        "probe",
        host_id=1,
        channel_id=7,
        guild_id=70,
        locale="en",
        options={},
        terms=Terms(tournament=1, match="W1.1", invited=(1, 2)),
    )


async def awaited(tables: Tables) -> Table:
    table = await match(tables)
    await lobby.await_players(table, 15)
    return table


async def live(tables: Tables) -> Table:
    table = await new_table(tables, people=[1, 2], terms=Terms(clock=86_400))
    await lobby.start(table, 1)
    return table


async def played(tables: Tables) -> Table:
    table = await live(tables)
    await table.act(1, None, Act("bid", 0))
    return table


async def asked(tables: Tables) -> Table:
    """Ben would take back his bid; Ann is still to answer."""
    table = await played(tables)
    await consent.ask(table, 2, ConsentRequest(what="undo", by=2, seq=1, seat=1, first=1), tables.database)
    return table


async def alone(tables: Tables) -> Table:
    table = await live(tables)
    tables.runtime.halt()  # the opponent does nothing by itself
    await leaving.leave_game(table, 2, "random", "Marie")
    return table


async def paused(tables: Tables) -> Table:
    table = await alone(tables)
    await consent.pause(table, 1)
    return table


async def asleep(tables: Tables) -> Table:
    table = await live(tables)
    await table.sleep("idle")
    return table


async def at_the_end(tables: Tables) -> Table:
    """The last action is in the journal, and nobody has settled it yet."""
    table = await new_table(tables, people=[1, 2], rounds=1)
    await lobby.start(table, 1)
    tables.runtime.halt()  # or the results would be settled in the background
    while table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, None, table.legal[seat][0])
    return table


@dataclass(frozen=True)
class Case:
    """A change, and the table that it is made at."""

    table: Callable[[Tables], Awaitable[Table]]
    change: Callable[[Table], Awaitable[Any]]


WISH = "undo-1-1"

CASES = {
    "join": Case(open_lobby, lambda t: lobby.join(t, 3, "Cleo", 30)),
    "leave": Case(open_lobby, lambda t: lobby.leave(t, 1)),
    "add_opponent": Case(open_lobby, lambda t: lobby.add_opponent(t, "random", "Marie")),
    "remove_opponent": Case(lambda tables: new_table(tables, people=[1], opponents=1), lobby.remove_opponent),
    "set_options": Case(open_lobby, lambda t: lobby.set_options(t, {"rounds": 3})),
    "agree": Case(open_lobby, lambda t: lobby.agree(t, clock=120, thread=True)),
    "lead_on": Case(open_lobby, lambda t: lobby.lead_on(t, 7)),
    "start": Case(open_lobby, lambda t: lobby.start(t, 1)),
    "await_players": Case(match, lambda t: lobby.await_players(t, 15)),
    "stop_waiting": Case(awaited, lobby.stop_waiting),
    "cancel": Case(played, lambda t: t.cancel("closed")),
    "act": Case(live, lambda t: t.act(0, t.decisions[0], Act("bid", 1))),
    "come_back": Case(asleep, lambda t: t.come_back(2)),
    "sleep": Case(live, lambda t: t.sleep("idle")),
    "set_autopass": Case(live, lambda t: set_autopass(t, 1, 20)),
    "set_pings": Case(live, lambda t: set_pings(t, 1, wanted=False)),
    "put_off": Case(live, lambda t: t.put_off(next(d for d in t.deadlines if d.kind == "note"), 1000)),
    "drop_reminder": Case(live, lambda t: t.drop_reminder(next(d for d in t.deadlines if d.kind == "note"))),
    "forfeit": Case(played, lambda t: leaving.forfeit(t, 2)),
    "leave_tournament": Case(live, leaving.leave_tournament),
    "close": Case(played, lambda t: leaving.close(t, 1, t._context.database)),
    "forget": Case(played, lambda t: leaving.forget(t, "forgotten")),
    "leave_game": Case(live, lambda t: leaving.leave_game(t, 1, "random", "Marie")),
    "set_place": Case(live, lambda t: t.set_place(8, 99, guild_id=70)),
    "undo": Case(played, lambda t: consent.undo(t, Undo(1, 1, 1, free=True), t._context.database)),
    "ask": Case(
        played,
        lambda t: consent.ask(t, 1, ConsentRequest(what="pause", by=1, seq=t.seq), t._context.database),
    ),
    "answer": Case(asked, lambda t: consent.answer(t, 1, WISH, yes=True, database=t._context.database)),
    "pause": Case(alone, lambda t: consent.pause(t, 1)),
    "resume": Case(paused, lambda t: consent.resume(t, 1)),
    "settle": Case(at_the_end, lambda t: t.settle(lambda c: keep_results(c, t, 5))),
}


async def made(tables: Tables, name: str) -> Table:
    """The table of a case, at which nothing goes on by itself."""
    table = await CASES[name].table(tables)
    tables.runtime.halt()
    return table


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    yield tables
    await close_tables(tables)


async def rows(tables: Tables, table: Table) -> Stored:
    found = await tables.database.read_at_once(lambda connection: store.whole(connection, table.id))
    assert found is not None
    return found


async def results(tables: Tables) -> int:
    return await tables.database.read_at_once(
        lambda c: int(c.exec_driver_sql("SELECT count(*) FROM results").scalar_one())
    )


def facts(table: Table) -> dict[str, Any]:
    """All that a table knows."""
    stored = msgspec.structs.asdict(table.stored)
    known = {"sitters": table.sitters, "deadlines": set(table.deadlines), "seq": table.seq}
    position = {"legal": table.legal, "decisions": table.decisions, "acts": table.acts}
    state = table.state.fingerprint() if table.state is not None else None
    return stored | known | position | {"state": state}


async def check(tables: Tables, table: Table) -> None:
    """What the table knows is what its rows say."""
    again = Table(table._context, await rows(tables, table))
    # who is told of a message is written down with the next beat
    assert facts(table) | {"shown": 0} == facts(again) | {"shown": 0}


def test_every_change_is_here() -> None:
    places = [each for where in (Table, lobby, consent, habits, leaving) for each in vars(where).items()]
    marked = {name for name, method in places if hasattr(method, "__wrapped__")}
    assert marked - {"clear_doubt"} == set(CASES)  # which changes nothing by itself


@pytest.mark.parametrize("name", CASES)
async def test_what_was_stored_in_doubt_counts(tables: Tables, name: str) -> None:
    table = await made(tables, name)
    before, there = facts(table), await results(tables)
    Doubt(tables, after=True)
    answer = await CASES[name].change(table)
    assert facts(table) != before
    assert table.stored.revision == before["revision"] + 1
    await check(tables, table)
    # an act tells the number of the next decision
    told = {"drop_reminder": True, "put_off": True, "act": 1, "answer": True, "come_back": (), "ask": False}
    assert answer == told.get(name)
    assert await results(tables) == there + (2 if name in ("settle", "leave_game", "forfeit") else 0)


@pytest.mark.parametrize("name", CASES)
async def test_what_was_not_stored_did_not_happen(tables: Tables, name: str) -> None:
    table = await made(tables, name)
    before, there = facts(table), await results(tables)
    Doubt(tables, after=False)
    with pytest.raises(StoreError, match="gone"):
        await CASES[name].change(table)
    assert facts(table) == before
    await check(tables, table)
    assert await results(tables) == there
    await CASES[name].change(table)  # and can be done again
    assert table.stored.revision == before["revision"] + 1
    await check(tables, table)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("name", CASES)
async def test_while_nobody_can_tell_the_next_change_asks_first(
    tables: Tables, name: str, after: bool
) -> None:
    table = await made(tables, name)
    before = facts(table)
    Doubt(tables, after=after, blind=True)
    with pytest.raises(StoreError, match="unknown"):
        await CASES[name].change(table)
    assert facts(table) == before
    await table.set_place(9, 100, guild_id=70)
    assert table.stored.revision == before["revision"] + 1 + after
    assert (table.stored.channel_id, table.stored.message_id) == (9, 100)
    await check(tables, table)


async def test_what_was_in_doubt_is_shown_though_the_next_change_is_refused(tables: Tables) -> None:
    """Who presses again hears that the hand has changed: nobody else would tell the table's message."""
    table = await open_lobby(tables)
    Doubt(tables, after=True, blind=True)
    with pytest.raises(StoreError, match="unknown"):
        await lobby.join(table, 3, "Cem", 30)
    notebook = tables.publisher
    assert isinstance(notebook, Notebook)
    notebook.changes.clear()
    with pytest.raises(Refused, match="already_seated"):
        await lobby.join(table, 3, "Cem", 31)
    assert notebook.changes == [(table.id, "lobby", 0)]


async def test_a_game_that_closes_before_any_act_keeps_its_position(tables: Tables) -> None:
    """Its rows look like those of a lobby, but people have its cards open."""
    table = await live(tables)
    dealt = table.state
    assert dealt is not None
    Doubt(tables, after=True)
    await leaving.forfeit(table, 2)
    assert (table.phase, table.stored.why) == ("cancelled", "forfeit")
    assert table.state is not None
    assert table.state.fingerprint() == dealt.fingerprint()


@pytest.mark.parametrize("after", [False, True])
async def test_a_lobby_that_is_opened_in_doubt(tables: Tables, after: bool) -> None:
    """Nobody hears that it could not be opened while it stands in the list."""
    Doubt(tables, after=after)
    if after:
        table = await new_table(tables)
        await check(tables, table)
        await lobby.join(table, 2, "Ben", 20)
    else:
        with pytest.raises(StoreError, match="gone"):
            await new_table(tables)
    assert len(await open_tables(tables)) == after
    await settle(tables)


@pytest.mark.parametrize("after", [False, True])
async def test_a_lobby_of_which_nobody_could_tell_is_found_and_shown(tables: Tables, after: bool) -> None:
    await settle(tables)  # the look at the start for what is not shown yet would find it as well
    Doubt(tables, after=after, blind=True)
    with pytest.raises(StoreError, match="unknown"):
        await new_table(tables)
    await settle(tables)
    notebook = tables.publisher
    assert isinstance(notebook, Notebook)
    assert [change for change in notebook.changes if change[1] == "lobby"] == [(1, "lobby", 0)] * after
    assert len(at_hand(tables)) == after


async def test_a_game_is_settled_however_long_that_takes(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for it, so nobody hears that it takes long; what comes after it waits."""
    table, clock = await at_the_end(tables), tables.clock
    assert isinstance(clock, ManualClock)
    write, stored = tables.database.write_at_once, asyncio.Event()

    async def slowly(*given: Any, **facts: Any) -> Any:
        await stored.wait()
        return await write(*given, **facts)

    monkeypatch.setattr(tables.database, "write_at_once", slowly)
    placing = asyncio.create_task(table.set_place(9, 100, guild_id=None))
    await turns(50)
    assert not placing.done(), "the clock of the tables stands still"
    clock.move(ACT_SECONDS)
    with pytest.raises(Refused, match="slow"):
        await placing
    settling = asyncio.create_task(table.settle(lambda connection: keep_results(connection, table, 5)))
    await turns(50)
    clock.move(10 * ACT_SECONDS)
    await turns(50)
    assert not settling.done()
    stored.set()
    await settling
    assert table.phase == "over"
    assert table.stored.message_id == 100
    await check(tables, table)
