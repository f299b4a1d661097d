"""A table that cannot be read, as people and the operator meet it: told once, all else goes on, and back."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from playground.actions.person import Person
from tests.e2e.room import hand_of, table_of
from tests.support.processes.bots import Bots, ask, dealt, leave, many_tables, people, public, troupe
from tests.support.processes.stage import HERE, probe_bot

pytestmark = pytest.mark.asyncio(loop_scope="session")

RELEASE_AT_FAULT = 4


def do(bots: Bots, line: str) -> None:
    with closing(sqlite3.connect(bots.database)) as connection:
        connection.execute(line)
        connection.commit()


async def valence(bots: Bots, *words: str) -> tuple[int, str]:
    """`valence …` beside the bot: its exit code and what it said."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", probe_bot(), *words),
        cwd=bots.folder,
        env={
            **os.environ,
            "DATABASE_URL": f"sqlite:///{bots.database}",
            "PYTHONPATH": str(HERE),
            "COLUMNS": "300",
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    return process.returncode or 0, said.decode()


def told(person: Person, table: int) -> int:
    """How often the channel was told that it rests."""
    return sum(f"Table {table} rests" in person.text(message) for message in public(person))


async def test_one_rests_and_all_else_goes_on(backstage: Path) -> None:
    async with troupe(backstage, "resting") as bots:
        ann, ben, cleo = await people(bots, "ann", "ben", "cleo")
        bot = await bots.start()
        bad, good = await dealt(bots, bot, ann, ben), await dealt(bots, bot, ann, cleo)
        number, other = table_of(ann, bad), table_of(ann, good)
        hand = await hand_of(ann, bad)
        bot.send(signal.SIGTERM)
        await bot.gone()
        do(bots, f'UPDATE games SET terms = \'{{"clock": "soon"}}\' WHERE id = {number}')
        for _ in range(2):
            bot = await bots.start()
            await bot.until("ready")
            for person, message, label in ((ann, hand, "Bid 2"), (ben, bad, "My hand")):
                out = await person.press(message, label=label)
                assert f"Table {number} rests: I can't read it" in person.text(out)
            await ben.wait_for(lambda: told(ben, number))
            assert told(ben, number) == 1  # not at the second start either
            assert str(other) in ann.text(await ann.command("card-table", "games"))
            found = await ann.command("card-table", "hand")
            assert "What do you bid?" in ann.text(found)  # the only table of hers that can be read
            choices = (await ann.autocomplete("card-table", "move", focus="choice")).choices
            assert {choice["value"].split(":")[0] for choice in choices} == {str(other)}
            assert (await ann.autocomplete("card-table", "card", focus="name", name="a")).choices
            out = await ben.command("card-table", "hand")
            assert out.ephemeral
            assert "What do you bid?" in cleo.text(await hand_of(cleo, good))
            bot.send(signal.SIGTERM)
            await bot.gone()
            bot.check()
        bot = await bots.start()
        await bot.until("ready")
        code, said = await valence(bots, "tables", "list")
        assert (code, str(number) in said, "its rows cannot be read" in said) == (0, True, True)
        do(bots, f"UPDATE games SET terms = '{{}}' WHERE id = {number}")
        code, said = await valence(bots, "tables", "revive", str(number))
        assert (code, said) == (0, f"Table {number} goes on.\n")
        assert "Waiting for" in ann.text(await ann.press(hand, label="Bid 2"))
        bot.check()
        await leave(ann, ben, cleo)


async def test_a_release_that_cannot_read_them_does_not_start(backstage: Path) -> None:
    async with troupe(backstage, "at-fault") as bots:
        ann, ben = await people(bots, "ann", "ben")
        await many_tables(bots, 100, ben)
        do(bots, "UPDATE games SET version = 77 WHERE id <= 6")
        before = ask(bots, "SELECT group_concat(revision || resting || touched_at) FROM games")
        bot = await bots.start()
        code = await bot.gone()
        assert code == RELEASE_AT_FAULT
        (line,) = [line for line in bot.said.splitlines() if "cannot be replayed" in line]
        assert line.startswith("6 of 100 open tables cannot be replayed by this version")
        assert "valence run --rest-anyway" in line
        bot.check()
        assert ask(bots, "SELECT holder FROM leases") == ""
        assert ask(bots, "SELECT group_concat(revision || resting || touched_at) FROM games") == before
        assert ask(bots, "SELECT count(*) FROM entries") == 0
        assert public(ann) == []
        bot = await bots.start("--rest-anyway")
        await bot.until("ready")
        out = await ann.command("card-table", "play", game="probe")
        assert not out.ephemeral
        bot.send(signal.SIGTERM)
        assert await bot.gone() == 0
        bot.check()
        await leave(ann, ben)
