"""SIGTERM and SIGINT at any moment: refused in words, told in the hands, stored, and gone with code 0."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from playground.actions.person import Person
from tests.e2e.room import arrange, hand_of, ids, labels, table_of
from tests.support.processes.bots import Bot, ask, dealt, leave, many_tables, people, public, troupe, until
from tests.support.processes.stage import HERE

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIGNS = (signal.SIGTERM, signal.SIGINT)
STOPPING = "I'm about to restart"
BUSY = "My notebook is busy, so nothing was changed."


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """Another program writes and does not end."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


def listens(bot: Bot) -> bool:
    """Whether the process has begun to listen for signals: for SIGTERM last, and for SIGINT Python itself
    listens before the program's first line, with a traceback for an answer."""
    status = Path(f"/proc/{bot.process.pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


@pytest.mark.parametrize("sign", SIGNS)
async def test_before_anything_is_loaded_it_just_goes(tmp_path: Path, sign: signal.Signals) -> None:
    loading = f"""
import os, sys, time, types
slow = types.ModuleType("bot.running")
def run(**_):
    os.kill(os.getpid(), {int(sign)})
    time.sleep(30)
slow.run, sys.modules["bot.running"], sys.argv = run, slow, ["valence", "run"]
from bot.__main__ import main
sys.exit(main())
"""
    command = [sys.executable, "-c", loading]
    done = subprocess.run(command, check=False, cwd=HERE, capture_output=True, timeout=20)  # noqa: ASYNC221 - nothing else runs
    assert (done.returncode, done.stderr) == (0, b"")


MOMENTS = (0.05, 0.2, 0.5, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
"""Seconds after the start; on a machine at rest the bot is there after two. The signals take turns."""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells who hears which signal")
@pytest.mark.parametrize("sign", SIGNS)
async def test_at_any_moment_of_the_start(backstage: Path, sign: signal.Signals) -> None:
    """The database is new, so the upgrade is among the moments; the signal goes to the whole group, as
    Ctrl-C does."""
    async with troupe(backstage, f"start-{sign.name}") as bots:
        for after in MOMENTS[SIGNS.index(sign) :: len(SIGNS)]:
            bots.database.unlink(missing_ok=True)
            bot = await bots.start(probe=False)
            await asyncio.sleep(after)
            await until(partial(listens, bot))
            bot.send_to_all(sign)
            code = await bot.gone()
            assert (code, after) == (0, after), bot.said
            bot.check()
        # whatever the last ones had begun is no hindrance
        again = await bots.start(probe=False)
        await again.until("ready")
        assert ask(bots, "SELECT count(*) FROM games") == 0


@pytest.mark.parametrize("sign", SIGNS)
async def test_a_stop_is_told_and_loses_nothing(backstage: Path, sign: signal.Signals) -> None:
    """An act is in its thread, another press comes, hands lie open: all of it ends in words."""
    async with troupe(backstage, f"stop-{sign.name}") as bots:
        bot = await bots.start()
        ann, ben, cleo = await people(bots, "ann", "ben", "cleo")
        board = await dealt(bots, bot, ann, ben)
        hand, other = await hand_of(ann, board), await hand_of(ben, board)
        before = public(cleo)
        with locked(bots.database):
            act = asyncio.create_task(ann.press(hand, label="Bid 2"))
            await asyncio.sleep(0.1)
            bot.send(sign)
            await ben.wait_for(lambda: STOPPING in ben.text(other))
            late = await ben.press(other, label="Bid 1")
            assert STOPPING in ben.text(late)
            play = await cleo.command("card-table", "play", game="probe")
            assert STOPPING in cleo.text(play)
            assert "Bid 1" in labels(ben, other)
            bot.send(sign)  # whoever stops it has no patience
        out = await act
        assert not out.failed
        # a slow machine refuses the act instead: the lock came too late, or the press after the signal
        stored = "Waiting for" in ann.text(out)
        assert stored or BUSY in ann.text(out) or STOPPING in ann.text(out)
        assert await bot.gone() == 0
        bot.check()
        assert ask(bots, "SELECT count(*) FROM entries") == stored
        assert ask(bots, "SELECT holder FROM leases") == ""
        assert public(cleo) == before
        again = await bots.start()
        await again.until("ready")
        out = await ben.press(other, label="Bid 1")
        assert not out.failed
        assert STOPPING not in ben.text(other)
        assert ask(bots, "SELECT count(*) FROM entries") == stored + 1
        await leave(ann, ben, cleo)


async def test_a_database_that_hangs_does_not_keep_it(backstage: Path) -> None:
    async with troupe(backstage, "stop-hung") as bots:
        bot = await bots.start()
        ann, ben = await people(bots, "ann", "ben")
        board = await dealt(bots, bot, ann, ben)
        hand = await hand_of(ann, board)
        with locked(bots.database):
            act = asyncio.create_task(ann.press(hand, label="Bid 2"))
            await asyncio.sleep(0.2)
            bot.send(signal.SIGTERM)
            code = await bot.gone()
            assert code == 0
        bot.check()
        refused = ann.text(await act)
        # on a slow machine the press may come after the signal
        assert BUSY in refused or STOPPING in refused
        assert ask(bots, "SELECT count(*) FROM entries") == 0
        await leave(ann, ben)


def workers_of(bot: Bot) -> list[int]:
    """The processes in which it paints and thinks, forked from a child of the bot."""
    return [worker for child in children_of(bot.process.pid) for worker in children_of(child)]


def children_of(pid: int) -> list[int]:
    """The child processes of a process."""
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in found for child in file.read_text().split()]


def is_there(pid: int) -> bool:
    """Whether there still is this process, and not only its exit code."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


async def a_card(person: Person, hand: str) -> str:
    """The first card that can be played, once it is the person's turn."""
    cards = await person.wait_for(lambda: [each for each in ids(person, hand) if each.startswith("v:go:")])
    return str(cards[0])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells which processes are whose")
async def test_workers_that_hang_do_not_keep_it(backstage: Path) -> None:
    """Pictures are to be painted, an opponent is to think, and no worker ever answers."""
    async with troupe(backstage, "stop-hung-workers") as bots:
        bot = await bots.start(probe=False)
        await bot.until("ready")
        (ann,) = await people(bots, "ann")
        board = str((await ann.command("card-table", "play", game="atom_duel")).message_id)
        await arrange(ann, board, opponents="3", level="steady")
        await ann.press(board, label="Start")
        await ann.wait_for(lambda: ann.button(board, label="My hand"))
        hand = await hand_of(ann, board)
        while len(workers_of(bot)) < 2:  # one paints, one thinks: not before its first turn
            await ann.press(hand, await a_card(ann, hand))
        card, before = await a_card(ann, hand), ask(bots, "SELECT count(*) FROM entries")
        workers = workers_of(bot)
        for worker in workers:
            os.kill(worker, signal.SIGSTOP)
        act = asyncio.create_task(ann.press(hand, card))
        await until(lambda: ask(bots, "SELECT count(*) FROM entries") > before)
        bot.send(signal.SIGTERM)
        assert await bot.gone() == 0
        assert [worker for worker in workers if is_there(worker)] == []
        assert not (await act).failed
        bot.check()
        assert ask(bots, "SELECT count(*) FROM entries") == before + 1
        assert ask(bots, "SELECT holder FROM leases") == ""
        await leave(ann)


async def press_on(person: Person, hand: str) -> int:
    """Press whatever can be pressed until the bot stops; how many presses were answered as made."""
    made = 0
    while True:
        wanted = [b for b in person.buttons(hand) if str(b.get("custom_id")).startswith("v:go")]
        if not wanted:
            await asyncio.sleep(0.02)
            continue
        out = await person.press(hand, wanted[-1]["custom_id"])
        if out.failed or (out.ephemeral and STOPPING in person.text(out)):
            return made
        made += 1


async def test_while_people_press(backstage: Path) -> None:
    """Everybody presses as fast as they can; each act is stored once, and nobody sees a failure."""
    async with troupe(backstage, "stop-pressed") as bots:
        persons = await people(bots, "ann", "ben", "cleo", "mia")
        for _ in range(2):
            bot = await bots.start()
            board = await dealt(bots, bot, *persons)
            number = table_of(persons[0], board)
            hands = [await hand_of(person, board) for person in persons]
            playing = [asyncio.create_task(press_on(*each)) for each in zip(persons, hands, strict=True)]
            await asyncio.sleep(0.5)
            bot.send(signal.SIGTERM)
            assert await bot.gone() == 0
            bot.check()
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            journal = f"SELECT count(*) = max(seq) FROM entries WHERE game_id = {number}"
            assert ask(bots, journal) == 1
            assert ask(bots, "SELECT holder FROM leases") == ""
        await leave(*persons)


@pytest.mark.parametrize("acts", [100, 1000])
async def test_a_thousand_tables(backstage: Path, acts: int) -> None:
    """Opponents are to act at all of them, and all wait to be shown."""
    async with troupe(backstage, f"stop-thousand-{acts}") as bots:
        (ann,) = await people(bots, "ann")
        await many_tables(bots, 1000, ann)
        bot = await bots.start(VALENCE_LEASE_RENEW_SECONDS="0.2")
        await bot.until("ready")
        await until(lambda: ask(bots, "SELECT count(*) FROM entries") >= acts)
        bot.send(signal.SIGTERM)
        assert await bot.gone() == 0
        bot.check()
        assert ask(bots, "SELECT holder FROM leases") == ""
        doubled = "SELECT count(*) FROM (SELECT 1 FROM entries GROUP BY game_id, seat HAVING count(*) > 1)"
        assert ask(bots, doubled) == 0
        await leave(ann)
