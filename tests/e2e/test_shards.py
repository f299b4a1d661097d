"""Bots that share the servers, two shards each: what is killed or stopped comes back, or its standby does."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from bot.store.backend import migrate
from playground.actions.person import Person
from tests.e2e.room import hand_of, table_of
from tests.support.processes.bots import Bot, leave, people, rows_of, troupe
from tests.support.processes.must import postgres_server
from tests.support.waiting import until

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no process for a while"),
]
SHARES = ("0-1/6", "2-3/6", "4-5/6")
CLUBS = ("north", "middle", "south")
LONG = 120
"""Seconds for a process to start or to take over, on a machine that has much else to do."""


async def epochs(url: str) -> dict[int, int]:
    """Of each part, how many processes have had it by now."""
    return {part: epoch for part, epoch in await rows_of(url, "SELECT part, epoch FROM leases")}  # noqa: C416 - rows


async def journal(url: str, table: int) -> list[tuple[int, int]]:
    """The number and the seat of each act of a table."""
    rows = await rows_of(url, f"SELECT seq, seat FROM entries WHERE game_id = {table} ORDER BY seq")
    return [tuple(row) for row in rows]


async def dealt(bot: Bot, club: str, *persons: Person) -> str:
    """A running table of the probe game in this club; the id of its message."""
    await bot.until("ready")
    host, *others = persons
    out = await host.command(f"{club}-table", "play", game="probe")
    assert not out.failed, out
    board = str(out.message_id)
    for person in others:
        await person.wait_message(f"{club}-table", lambda m: m["id"] == board)
        await person.press(board, label="Join or leave")
    await host.press(board, label="Start")
    await host.wait_for(lambda: host.button(board, label="My hand"))
    return board


async def bids(person: Person, board: str, bid: int) -> None:
    hand = await person.press(board, label="My hand")
    assert not hand.failed, hand
    assert not (await person.press(str(hand.message_id), label=f"Bid {bid}")).failed


async def test_a_killed_process_takes_down_its_own_servers_alone(backstage: Path) -> None:
    with postgres_server() as url:
        await migrate.upgrade(url)
        async with troupe(backstage, "shards") as bots:
            world = bots.playground.core.world
            for at, club in enumerate(CLUBS):
                world.add_guild(club, ("ann", "ben"), shard=(2 * at + 1, 6))
            settings = {"DATABASE_URL": url, "VALENCE_LEASE_SECONDS": "3", "VALENCE_LEASE_RENEW_SECONDS": "1"}
            ann, ben = await people(bots, "ann", "ben")
            started = [await bots.start(**settings, VALENCE_SHARDS=share) for share in SHARES]
            boards = [await dealt(bot, club, ann, ben) for bot, club in zip(started, CLUBS, strict=True)]
            tables = [table_of(ann, board) for board in boards]
            for board in boards:
                await bids(ann, board, 2)

            # a hand belongs to the process of its server: elsewhere a sentence leads there
            away = await ann.command("south-table", "hand")
            said = ann.text(away)
            assert "is played in another server of mine" in said
            assert f"/channels/{world.find_channel('north-table').guild.id}/" in said

            started[1].send(signal.SIGKILL)
            await started[1].gone()
            for at in (0, 2):  # the others play on
                await bids(ben, boards[at], 1)
            dead = await ben.press(boards[1], label="My hand")
            assert dead.failed
            again = await bots.start(**settings, VALENCE_SHARDS=SHARES[1])
            await again.until("ready")
            await bids(ben, boards[1], 1)
            sql = "SELECT game_id, count(*) FROM entries GROUP BY game_id ORDER BY game_id"
            assert [tuple(row) for row in await rows_of(url, sql)] == [(table, 2) for table in sorted(tables)]
            assert await epochs(url) == {0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 1, 6: 1}
            for bot in (started[0], started[2], again):
                bot.check()
            await leave(ann, ben)


async def test_a_share_goes_to_its_standby_with_all_that_was_played(backstage: Path) -> None:
    """Its process is killed in the middle of play, and the next one is told to stop: each time another one
    goes on, under the next epoch."""
    with postgres_server() as url:
        await migrate.upgrade(url)
        async with troupe(backstage, "shards-standby") as bots:
            for shard, club in ((0, "north"), (3, "middle")):
                bots.playground.core.world.add_guild(club, ("ann", "ben"), shard=(shard, 6))
            ann, ben = await people(bots, "ann", "ben")
            # long enough that a busy machine does not keep an owner from renewing
            settings = {"DATABASE_URL": url, "VALENCE_LEASE_SECONDS": "8", "VALENCE_LEASE_RENEW_SECONDS": "1"}
            neighbour = await bots.start(**settings, VALENCE_SHARDS="0/6")
            first = await bots.start(**settings, VALENCE_SHARDS=SHARES[1])
            elsewhere = await dealt(neighbour, "north", ann, ben)
            board = await dealt(first, "middle", ann, ben)
            table = table_of(ann, board)
            second = await bots.start(**settings, VALENCE_SHARDS=SHARES[1])
            await second.until("standby", LONG)
            hand = await hand_of(ben, board)
            await bids(ann, board, 2)
            assert "lease taken" not in second.said
            assert await epochs(url) == {0: 1, 1: 1, 3: 1, 4: 1}

            first.send(signal.SIGKILL)
            await first.gone()
            assert (await ben.press(hand, label="Bid 1")).failed  # nobody is there yet
            await second.until("ready", LONG)
            assert await epochs(url) == {0: 1, 1: 1, 3: 2, 4: 2}
            assert await journal(url, table) == [(1, 0)]
            # the hand that the dead process has shown serves as before
            assert not (await ben.press(hand, label="Bid 1")).failed
            assert await journal(url, table) == [(1, 0), (2, 1)]

            # nothing is owed to the table, so that whoever comes next has no reason to load it
            await until(
                lambda: rows_of(url, f"SELECT 1 FROM games WHERE id = {table} AND edition = shown"), LONG
            )
            # it would wait for minutes for a lease that was not given back
            patient = {**settings, "VALENCE_LEASE_SECONDS": "300"}
            third = await bots.start(**patient, VALENCE_SHARDS=SHARES[1])
            await third.until("standby", LONG)
            second.send(signal.SIGTERM)
            assert await second.gone() == 0
            await third.until("ready", LONG)
            assert await epochs(url) == {0: 1, 1: 1, 3: 3, 4: 3}
            (ready,) = (line for line in third.said.splitlines() if "ready" in line and "warm" in line)
            assert "warm=0" in ready, "a table is loaded when somebody touches it"
            looker = await hand_of(ann, board)  # who has bid most
            assert not (await ann.press(looker, label="Look at card 1")).failed
            assert await journal(url, table) == [(1, 0), (2, 1), (3, 0)]

            await bids(ann, elsewhere, 2)  # all that time nobody has disturbed the others
            for bot in (neighbour, second, third):
                bot.check()
            await leave(ann, ben)


async def test_what_cannot_be_divided_is_said_at_the_start(backstage: Path) -> None:
    async with troupe(backstage, "shards-refused") as bots:
        lonely = await bots.start(VALENCE_SHARDS="0-1/6")
        assert await lonely.gone() == 2
        assert "SQLite is not made for" in lonely.said
        wrong = await bots.start(VALENCE_SHARDS="6/6")
        assert await wrong.gone() == 2
        assert "VALENCE_SHARDS can't be used" in wrong.said
        several = await bots.start(VALENCE_SHARDS="0-1/2")
        (ann,) = await people(bots, "ann")
        await several.until("ready")
        out = await ann.command("card-table", "play", game="probe")
        assert not out.failed
        several.check()
        await leave(ann)
