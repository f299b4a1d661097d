"""The bot stops at any moment, in any way, and every table goes on."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Connection

import bot.table.runtime
from bot.core.errors import Refused
from bot.store import games as store
from bot.store import queries
from bot.store.games import Change
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.people import leaving
from engine import catalog, record
from engine.game import Refusal, Setup
from tests.support.share import share
from tests.support.tables.tables import (
    ManualClock,
    bury,
    close_tables,
    first_act,
    journal_of,
    new_table,
    open_tables,
    opened_tables,
    settle,
    the_table,
)

pytestmark = pytest.mark.repeats

PLAYER = """
import asyncio, random, sys
from pathlib import Path
from engine import catalog
catalog.PACKAGES["probe"] = "tests.support.games.probe"
from bot.table import lobby
from tests.support.tables.tables import new_table, opened_tables, open_tables

async def main(path, seed):
    rng = random.Random(seed)
    tables, _, _ = await opened_tables(Path(path))
    table = next(iter((await open_tables(tables)).values()), None)
    if table is None:
        table = await new_table(tables, people=[1, 2, 3, 4], rounds=3)
        await lobby.start(table, 1)
    while table.waiting():
        seat = rng.choice(table.waiting())
        await table.act(seat, table.decisions[seat], rng.choice(table.legal[seat]))
        print(table.seq, table.state.fingerprint().hex(), flush=True)
    print("over", flush=True)
    await asyncio.sleep(60)

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


def newest(connection: Connection) -> int:
    return int(connection.exec_driver_sql("SELECT max(id) FROM games").scalar_one())


@pytest.mark.parametrize("seed", share(range(4), 4))
async def test_kill_minus_nine_between_acts_loses_nothing(tmp_path: Path, seed: int) -> None:
    """Every act that was answered is there after the kill, and the position is the same."""
    rng = random.Random(seed)
    path = tmp_path / "v.db"
    last: list[str] = []
    for life in range(2):
        process = subprocess.Popen(  # noqa: ASYNC220 - the test waits for it anyway
            [sys.executable, "-c", PLAYER, str(path), str(seed * 10 + life)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        assert process.stdout is not None
        for _ in range(rng.randrange(1, 8)):
            line = await asyncio.to_thread(process.stdout.readline)
            if not line or line.startswith("over"):
                break
            last = line.split()
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().splitlines()
        process.wait()
        last = next((words for line in reversed(rest) if len(words := line.split()) == 2), last)
        bury(path)
        tables, _, _ = await opened_tables(path)
        # by its number: the last act may have ended it, and it is settled by now
        table = await tables.get(await tables.database.read_at_once(newest))
        assert table.seq >= int(last[0])
        if table.seq == int(last[0]):
            assert table.state is not None
            assert table.state.fingerprint().hex() == last[1]
        await close_tables(tables)


async def test_decision_numbers_are_the_same_after_a_restart(tmp_path: Path) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1, 2, 3])
    await lobby.start(table, 1)
    await first_act(table, 2)
    await first_act(table, 1)
    await leaving.leave_game(table, 2, "random", "Marie")
    before = (table.decisions, table.legal, table.seq, table.acts)
    await close_tables(tables)
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    table = await the_table(tables)
    assert (table.decisions, table.legal, table.seq, table.acts) == before
    await close_tables(tables)


async def test_an_opponents_turn_that_was_due_is_made_after_the_start(tmp_path: Path) -> None:
    clock = ManualClock(instant_sleep=False)
    tables, _, _ = await opened_tables(tmp_path / "v.db", clock, pace=5)
    table = await new_table(tables, people=[1], opponents=1)
    await lobby.start(table, 1)
    await first_act(table, 1)
    assert table.waiting() == (1,)
    await close_tables(tables)
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    table = await the_table(tables)
    await settle(tables)
    assert table.waiting() == (0,)
    await close_tables(tables)


async def test_the_time_away_is_credited_to_the_clock(tmp_path: Path) -> None:
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1, 2], terms=Terms(clock=600))
    await lobby.start(table, 1)
    due = {d.due_at for d in table.deadlines if d.kind == "turn"}
    clock.move(15)
    await settle(tables)  # a heartbeat
    await close_tables(tables)
    later = ManualClock(clock.now() + 3_600_000)
    tables, _, notebook = await opened_tables(tmp_path / "v.db", later)
    table = await the_table(tables)
    assert {d.due_at for d in table.deadlines if d.kind == "turn"} == due  # table time stood still
    later.move(450)
    await settle(tables)
    assert [r[1] for r in notebook.reminders] == [0, 1]
    assert table.acts == 0
    later.move(150)
    await settle(tables)
    kinds = {entry.kind for entry in await journal_of(tables, table)}
    assert kinds == {"timeout"}
    await close_tables(tables)


async def test_every_table_whose_message_is_behind_is_shown_after_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many changed while Discord did not answer."""
    monkeypatch.setattr(bot.table.runtime, "MOST_UNSHOWN", 2)
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    behind = {(await new_table(tables)).id for _ in range(5)}
    await close_tables(tables)
    again, _, notes = await opened_tables(tmp_path / "v.db", clock)
    await settle(again)
    assert {change[0] for change in notes.changes} == behind
    await close_tables(again)


async def test_an_old_lobby_expires(tmp_path: Path) -> None:
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables)
    clock.move(60 * 60 + 1)
    await settle(tables)
    assert (table.phase, table.stored.why) == ("cancelled", "expired")
    await close_tables(tables)


async def test_a_game_whose_rules_changed_rests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    await first_act(table, 1)
    await close_tables(tables)

    def refuse(*_: object) -> None:
        raise Refusal("changed")

    with monkeypatch.context() as patch:
        patch.setattr("tests.support.games.probe.ProbeState.verify", refuse)
        tables, _, notebook = await opened_tables(tmp_path / "v.db")
        for _ in range(2):
            with pytest.raises(Refused, match="resting"):
                await tables.get(table.id)
        assert notebook.rested == [table.id]  # told once
        assert len(await journal_of(tables, table)) == 1
        await close_tables(tables)
        tables, _, notebook = await opened_tables(tmp_path / "v.db")
        await settle(tables)
        assert notebook.rested == []
        await close_tables(tables)
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    await settle(tables)
    assert (await tables.get(table.id)).seq == 1  # the next release has mended it
    assert await tables.database.read_at_once(queries.resting) == []
    await close_tables(tables)


async def test_a_lobby_goes_on_under_the_rules_of_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An update raises the version and brings an option; the lobby knows of neither."""
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1, 2])
    await tables.database.write_at_once(
        lambda c: store.keep(c, table.stored, Change({"options": {"gone": 1}}), clock.now())
    )
    await close_tables(tables)
    monkeypatch.setattr(type(table.game), "version", table.game.version + 1)
    tables, _, _ = await opened_tables(tmp_path / "v.db", clock)
    table = await tables.get(table.id)
    assert table.stored.options == table.game.defaults()
    await lobby.start(table, 1)
    await close_tables(tables)
    tables, _, _ = await opened_tables(tmp_path / "v.db", clock)
    assert (await tables.get(table.id)).phase == "live"
    assert (await tables.get(table.id)).setup().version == table.game.version
    await close_tables(tables)


async def test_a_running_game_has_the_default_of_a_new_option(tmp_path: Path) -> None:
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    await tables.database.write_at_once(
        lambda c: store.keep(c, table.stored, Change({"options": {}}), clock.now())
    )
    await close_tables(tables)
    tables, _, _ = await opened_tables(tmp_path / "v.db", clock)
    assert (await tables.get(table.id)).stored.options == table.game.defaults()
    await close_tables(tables)


async def test_one_broken_table_does_not_keep_the_others_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    broken, whole = await new_table(tables, people=[1, 2]), await new_table(tables, people=[3, 4])
    for table in (broken, whole):
        await lobby.start(table, table.stored.host_id)
    await close_tables(tables)
    deal = type(broken.game).deal

    def stumble(game: object, setup: Setup) -> object:
        if setup.key == broken.setup().key:
            raise KeyError("nobody thought of this")
        return deal(game, setup)  # type: ignore[arg-type]

    monkeypatch.setattr(type(broken.game), "deal", stumble)
    tables, _, _ = await opened_tables(tmp_path / "v.db", clock)
    assert list(await open_tables(tables)) == [whole.id]
    with pytest.raises(Refused, match="resting"):
        await tables.get(broken.id)
    await close_tables(tables)


@pytest.mark.parametrize("leaves", [False, True])
async def test_a_live_game_ends_by_the_rules_it_began_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaves: bool
) -> None:
    old = catalog.get("probe").at(1)
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    with monkeypatch.context() as release_before:
        release_before.setattr(catalog, "get", lambda key: old)
        table = await new_table(tables, people=[1, 2], rounds=1)
        await lobby.start(table, 1)
        for seat in (0, 1):
            await table.act(seat, table.decisions[seat], old.action(["bid", 1, []]))
        await close_tables(tables)
    tables, _, _ = await opened_tables(tmp_path / "v.db", clock)
    table = await tables.get(table.id)
    assert (table.phase, table.game.version) == ("live", 1)
    assert table.waiting() == (1,), "by rules 2 the lowest seat of those who bid the same would look"
    if leaves:
        await leaving.leave_game(table, 1, "random", "Marie")
        await settle(tables)
    while table.phase == "live" and table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
        await settle(tables)
    kept = await tables.record(table)
    assert kept.version == 1
    record.verify(kept)
    assert (await new_table(tables, people=[3])).stored.version == 2
    await close_tables(tables)
