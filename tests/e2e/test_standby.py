"""Two bots on one database: one plays, the other waits, posts nothing, answers nothing, and takes over."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from playground.actions.person import Person, PersonError
from tests.e2e.room import hand_of, table_of
from tests.support.processes.bots import (
    Bot,
    Bots,
    ask,
    dealt,
    leave,
    many_tables,
    people,
    public,
    troupe,
    until,
)

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no process for a while"),
]
START_AGAIN = 75
SHORT = {"VALENCE_LEASE_SECONDS": "1.5", "VALENCE_LEASE_RENEW_SECONDS": "0.4"}
"""A lease that runs out while a test looks on."""
RESTARTING, OVERTAKEN = "I'm about to restart", "Another copy of me has just taken over"


async def pair(bots: Bots, **settings: str) -> tuple[Bot, Bot]:
    """The one that plays, and its standby."""
    first = await bots.start(**settings)
    await first.until("ready")
    second = await bots.start(**settings)
    await second.until("standby")
    return first, second


def journal(bots: Bots, table: int) -> list[int]:
    with closing(sqlite3.connect(bots.database)) as connection:
        found = connection.execute("SELECT seq FROM entries WHERE game_id = ? ORDER BY seq", (table,))
        return [seq for (seq,) in found]


async def plays(bot: Bot, person: Person, hand: str) -> None:
    """Wait until it answers a press."""
    # discord.py calls itself ready two seconds after that, and answers before
    await bot.until("has connected to Gateway")
    assert "Waiting for" in person.text(await person.press(hand, label="Bid 2"))


async def test_the_second_one_does_nothing(backstage: Path) -> None:
    async with troupe(backstage, "standby-idle") as bots:
        ann, ben = await people(bots, "ann", "ben")
        first, second = await pair(bots, **SHORT)
        before = len(public(ann))
        for _ in range(3):
            out = await ann.command("card-table", "play", game="probe")
            assert not out.failed
        assert ask(bots, "SELECT count(*) FROM games") == 3
        board = await dealt(bots, first, ann, ben)
        hand = await hand_of(ann, board)
        assert "Waiting for" in ann.text(await ann.press(hand, label="Bid 2"))
        # for longer than a lease
        beat = "SELECT at FROM leases"
        end = ask(bots, beat) + 2000
        await until(lambda: ask(bots, beat) > end)
        assert "lease taken" not in second.said
        assert len(public(ann)) == before + 4  # one table of one command
        assert journal(bots, table_of(ann, board)) == [1]
        assert "answered too late" not in first.said  # nobody else has answered a press
        second.send(signal.SIGTERM)
        assert await second.gone() == 0
        assert not (await ben.press(await hand_of(ben, board), label="Bid 0")).failed
        for bot in (first, second):
            bot.check()
        await leave(ann, ben)


async def test_it_takes_over_at_once_when_the_first_one_is_told_to_stop(backstage: Path) -> None:
    async with troupe(backstage, "standby-orderly") as bots:
        ann, ben, cleo = await people(bots, "ann", "ben", "cleo")
        await many_tables(bots, 50, cleo)
        first, second = await pair(bots, VALENCE_LEASE_SECONDS="300")  # the second one need not wait for that
        board = await dealt(bots, first, ann, ben)
        hand, before = await hand_of(ann, board), public(ann)
        first.send(signal.SIGTERM)
        assert await first.gone() == 0
        await plays(second, ann, hand)
        assert journal(bots, table_of(ann, board)) == [1]
        assert set(public(ann)) >= set(before)
        for bot in (first, second):
            bot.check()
        await leave(ann, ben, cleo)


async def test_it_takes_over_after_a_kill(backstage: Path) -> None:
    """When the usual lease has run out, with fifty live tables."""
    async with troupe(backstage, "standby-killed") as bots:
        ann, ben, cleo = await people(bots, "ann", "ben", "cleo")
        await many_tables(bots, 50, cleo)
        first, second = await pair(bots)
        board = await dealt(bots, first, ann, ben)
        hand = await hand_of(ann, board)
        first.send(signal.SIGKILL)
        await plays(second, ann, hand)
        assert journal(bots, table_of(ann, board)) == [1]
        second.check()
        await leave(ann, ben, cleo)


async def press_all_the_time(person: Person, hand: str, said: list[str]) -> None:
    while True:
        wanted = [b for b in person.buttons(hand) if str(b.get("custom_id")).startswith(("v:go", "v:hand"))]
        try:
            out = await person.press(hand, wanted[0]["custom_id"])
        except PersonError as error:
            # the hand was edited between the look at it and the press, as happens to a person
            if error.words != "This component is not there any more.":
                raise
        else:
            said.append("failed" if out.failed else person.text(out) if out.message_id else "")
        await asyncio.sleep(0.05)


async def test_one_that_was_paused_is_overtaken_and_starts_again(backstage: Path) -> None:
    """SIGSTOP for longer than a lease, then SIGCONT, while people press: it exits with the code that asks
    for a restart, what was pressed is answered in words or not at all, and nothing happens twice (D10)."""
    async with troupe(backstage, "standby-paused") as bots:
        ann, ben = await people(bots, "ann", "ben")
        first, second = await pair(bots, **SHORT)
        board = await dealt(bots, first, ann, ben)
        number = table_of(ann, board)
        hand, other = await hand_of(ann, board), await hand_of(ben, board)
        first.send(signal.SIGSTOP)
        await second.until("ready")
        said: list[str] = []
        pressing = [
            asyncio.create_task(press_all_the_time(*each)) for each in ((ann, hand, said), (ben, other, said))
        ]
        await until(lambda: len(said) > 10)
        first.send(signal.SIGCONT)
        assert await first.gone() == START_AGAIN
        answered = len(said)
        await until(lambda: len(said) > answered + 3)
        for task in pressing:
            task.cancel()
        await asyncio.gather(*pressing, return_exceptions=True)
        assert "failed" not in said
        seqs = journal(bots, number)
        assert seqs == list(range(1, len(seqs) + 1))
        assert seqs
        for bot in (first, second):
            bot.check()
        out = await ann.command("card-table", "play", game="probe")
        assert not out.ephemeral
        assert ask(bots, "SELECT count(*) FROM games") == 2
        await leave(ann, ben)


async def test_presses_of_one_that_was_overtaken_get_words(backstage: Path) -> None:
    """Nobody else has a connection that could answer: the standby waits for Discord."""
    async with troupe(backstage, "standby-words") as bots:
        ann, ben = await people(bots, "ann", "ben")
        first = await bots.start(**SHORT | {"VALENCE_LEASE_RENEW_SECONDS": "1.4"})
        board = await dealt(bots, first, ann, ben)
        hand = await hand_of(ann, board)
        with closing(sqlite3.connect(bots.database)) as connection:
            connection.execute("UPDATE leases SET holder = 'somebody else', epoch = epoch + 1")
            connection.commit()
        out = await ann.press(hand, label="Bid 2")
        assert OVERTAKEN in ann.text(out)
        code = await first.gone()
        assert code == START_AGAIN
        assert journal(bots, table_of(ann, board)) == []
        first.check()
        await leave(ann, ben)
