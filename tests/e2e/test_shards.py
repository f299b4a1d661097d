"""Three bots share the servers, two shards each: one is killed in the middle of play, and comes back."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.settings import with_async_driver
from bot.store import migrate
from playground.person import Person
from tests.e2e.room import table_of
from tests.support.bots import Bot, leave, people, troupe
from tests.support.must import postgres_server

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no process for a while"),
]
SHARES = ("0-1/6", "2-3/6", "4-5/6")
CLUBS = ("north", "middle", "south")


async def ask(url: str, sql: str) -> list[Any]:
    engine = create_async_engine(with_async_driver(url))
    async with engine.connect() as connection:
        found = list((await connection.execute(text(sql))).all())
    await engine.dispose()
    return found


async def dealt(bot: Bot, club: str, *persons: Person) -> str:
    """A running table of the probe game in this club; the id of its message."""
    await bot.until("ready", 90)
    host, *others = persons
    out = await host.command(f"{club}-table", "play", game="probe")
    assert not out.failed, out
    board = str(out.message_id)
    for person in others:
        await person.wait_message(f"{club}-table", lambda m: m["id"] == board)
        await person.press(board, label="Join or leave")
    await host.press(board, label="Start")
    await host.wait_for(lambda: host.button(board, label="My hand"), 15)
    return board


async def bids(person: Person, board: str, bid: int) -> None:
    hand = await person.press(board, label="My hand")
    assert not hand.failed, hand
    assert not (await person.press(str(hand.message_id), label=f"Bid {bid}")).failed


async def test_a_killed_process_takes_down_its_own_servers_alone(
    backstage: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with postgres_server(tmp_path_factory.mktemp("pg")) as url:
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
            await again.until("ready", 60)
            await bids(ben, boards[1], 1)
            sql = "SELECT game_id, count(*) FROM entries GROUP BY game_id ORDER BY game_id"
            assert [tuple(row) for row in await ask(url, sql)] == [(table, 2) for table in sorted(tables)]
            leases = await ask(url, "SELECT part, epoch FROM leases ORDER BY part")
            assert [tuple(row) for row in leases] == [(0, 1), (1, 1), (2, 1), (3, 2), (4, 2), (5, 1), (6, 1)]
            for bot in (started[0], started[2], again):
                bot.check()
            await leave(ann, ben)


async def test_what_cannot_be_divided_is_said_at_the_start(backstage: Path) -> None:
    async with troupe(backstage, "shards-refused") as bots:
        lonely = await bots.start(VALENCE_SHARDS="0-1/6")
        assert (await lonely.gone(30))[0] == 2
        assert "SQLite is not made for" in lonely.said
        wrong = await bots.start(VALENCE_SHARDS="6/6")
        assert (await wrong.gone(30))[0] == 2
        assert "VALENCE_SHARDS can't be used" in wrong.said
        several = await bots.start(VALENCE_SHARDS="0-1/2")
        (ann,) = await people(bots, "ann")
        await several.until("ready")
        out = await ann.command("card-table", "play", game="probe")
        assert not out.failed
        several.check()
        await leave(ann)
