"""What befalls the bot: kills, restarts, an hour's absence, a database that fails. Every table goes on."""

from __future__ import annotations

import asyncio
import hashlib
import signal
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.store.backend import migrate
from playground.actions.person import Person
from playground.server import start
from tests.e2e.conftest import scene
from tests.e2e.room import WAIT, Room, beside, hand_of, ids, labels, table_of
from tests.support.processes.playground_clock import ManualClock
from tests.support.processes.stage import Stage, stage
from tests.support.waiting import LIMIT_SECONDS, until

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOUR = 3600


@asynccontextmanager
async def ticking() -> AsyncIterator[ManualClock]:
    """A clock that runs like any other and that a test can put forward."""
    clock = ManualClock()

    async def run() -> None:
        last = time.monotonic()
        while True:
            await asyncio.sleep(0.01)
            now = time.monotonic()
            clock.advance(now - last)
            last = now

    running = asyncio.create_task(run())
    try:
        yield clock
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


class Shaken(Stage):
    """A stage whose bot is killed and whose clock is moved, test after test."""

    clock: ManualClock

    async def restart(self, *, how: signal.Signals = signal.SIGKILL, sql: tuple[str, ...] = ()) -> None:
        """Stop the bot, change its database, start it again."""
        if self.bot is not None:
            await self.kill_bot(how)
        with closing(sqlite3.connect(self.database)) as connection:
            for line in sql:
                connection.execute(line)
            connection.commit()
        await self.start_bot()
        await self.ready(self.people[0])

    def ask(self, sql: str, *facts: Any) -> Any:
        """One value from the bot's database."""
        with closing(sqlite3.connect(self.database)) as connection:
            row = connection.execute(sql, facts).fetchone()
        return row[0] if row else None

    async def until(self, sql: str, *facts: Any, is_: Any) -> None:
        """Wait until the database says so."""
        never = lambda: f"{sql} never became {is_!r}:\n{self.log()}"  # noqa: E731 - only made where it fails
        await until(lambda: self.ask(sql, *facts) == is_, WAIT, but=never)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shaken(backstage: Path) -> AsyncIterator[Shaken]:
    folder = scene(backstage, "shaken")
    async with ticking() as clock, start(clock=clock) as playground:
        here = Shaken(playground, folder / "valence.db", probe=True, pace=0.0)
        here.clock = clock
        await here.person("mia")
        try:
            yield here
        finally:
            for person in here.people:
                await person.close()
            if here.bot is not None:
                await here.kill_bot()


@pytest_asyncio.fixture(loop_scope="session")
async def room(shaken: Shaken) -> AsyncIterator[Room]:
    if shaken.bot is None or shaken.bot.returncode is not None:
        await shaken.start_bot()
        await shaken.ready(shaken.people[0])
    room = await Room.open(shaken, shaken.people[0])
    yield room
    room.check()


async def first_bid(person: Person, hand: str) -> None:
    out = await person.press(hand, label="Bid 2")
    assert not out.failed
    assert "Waiting for" in person.text(out)


async def test_a_killed_bot_goes_on_with_old_buttons(shaken: Shaken, room: Room) -> None:
    board, (ann, ben) = await room.dealt("ann", "ben")
    hand = await hand_of(ann, board)
    await shaken.kill_bot()
    press = asyncio.create_task(ann.press(hand, label="Bid 2"))
    sent = shaken.playground.core.interactions._by_id
    await until(lambda: any(each.data.get("custom_id", "").endswith("bid2") for each in sent.values()))
    shaken.clock.advance(4)  # Discord waits for three seconds
    assert (await press).failed
    await shaken.restart()
    await first_bid(ann, hand)
    other = await hand_of(ben, board)
    await ben.press(other, label="Bid 0")
    await ann.wait_for(lambda: "Which card?" in ann.text(hand))


async def test_a_bot_that_is_told_to_stop_stops_and_goes_on(shaken: Shaken, room: Room) -> None:
    board, (ann, _ben) = await room.dealt("ann", "ben")
    hand = await hand_of(ann, board)
    assert await asyncio.wait_for(shaken.kill_bot(signal.SIGTERM), LIMIT_SECONDS) == 0
    await shaken.restart()
    await first_bid(ann, hand)


async def test_a_kill_between_the_press_of_start_and_its_answer(shaken: Shaken, room: Room) -> None:
    ann, ben = await room.person("ann"), await room.person("ben")
    board = await room.lobby(ann, ben)
    table = table_of(ann, board)
    press = asyncio.create_task(ann.press(board, label="Start"))
    await shaken.until("SELECT phase FROM games WHERE id = ?", table, is_="live")
    await shaken.kill_bot()
    assert (await press).kind in ("failed", "update")
    await shaken.restart()
    await ben.wait_for(lambda: "My hand" in labels(ben, board), WAIT)
    assert "What do you bid?" in ben.text(await hand_of(ben, board))


async def test_a_kill_before_the_bot_knows_where_its_lobby_stands(shaken: Shaken, room: Room) -> None:
    """The lobby is posted, then the bot dies before it has written down the message's id.

    Nobody can tell that from a lobby whose answer was lost: it is posted, and the first message leads there.
    """
    ann, ben = await room.person("ann"), await room.person("ben")
    board = await room.lobby(ann)
    table = table_of(ann, board)
    await shaken.restart(sql=(f"UPDATE games SET message_id = NULL WHERE id = {table}",))
    fresh = await ben.wait_message(
        room.channel, lambda m: m["id"] != board and "Join or leave" in labels(ben, m["id"]), WAIT
    )
    await ben.press(board, label="Join or leave")
    await ben.wait_for(lambda: ben.name in ben.text(fresh["id"]))
    await ben.wait_for(lambda: "moved on" in ben.text(board))
    await ann.press(fresh["id"], label="Start")
    await first_bid(ann, await hand_of(ann, fresh["id"]))


async def test_deadlines_that_pass_while_the_bot_is_away(shaken: Shaken, room: Room) -> None:
    """The clock of a turn pings, then an opponent makes that one move; an old lobby closes."""
    board, (ann, ben) = await room.dealt("ann", "ben")
    cleo = await room.person("cleo")
    lobby = await room.lobby(cleo)
    live, waiting = table_of(ann, board), table_of(cleo, lobby)
    await shaken.until("SELECT message_id FROM games WHERE id = ?", waiting, is_=int(lobby))
    hand = await hand_of(ann, board)
    kept = shaken.ask("SELECT due_at FROM clocks WHERE game_id = ? AND seat = 1 AND kind = 'turn'", live)
    assert kept > time.time() * 1000
    stopped = int(time.time() * 1000)
    due = "UPDATE clocks SET due_at = {} WHERE game_id = {} AND kind = '{}' AND seat = {}"
    await shaken.restart(
        sql=(
            f"UPDATE leases SET at = {stopped}",
            due.format(stopped + 100, live, "nudge", 0),
            due.format(stopped + 5000, live, "turn", 0),  # the ping goes out before, also where it is late
            due.format(stopped + 100, waiting, "lobby", -1),
        )
    )
    ping = await ann.wait_message(
        room.channel, lambda m: f"It's your turn at table {live}." in ann.text(m["id"]), WAIT
    )
    assert ann.text(ping).startswith(f"<@{ann.me['id']}>")
    assert [str(user["id"]) for user in ping["mentions"]] == [str(ann.me["id"])]
    await cleo.wait_for(lambda: "Nobody started in time" in cleo.text(lobby), WAIT)
    await shaken.until("SELECT count(*) FROM entries WHERE game_id = ?", live, is_=1)
    assert shaken.ask("SELECT kind || seat FROM entries WHERE game_id = ?", live) == "timeout0"
    # ann has missed that one move and plays on; ben has all of his time
    out = await ann.press(hand, label="Bid 2")
    assert "moved on" in ann.text(out)
    assert "Waiting for" in ann.text(out)
    now = shaken.ask("SELECT due_at FROM clocks WHERE game_id = ? AND seat = 1 AND kind = 'turn'", live)
    assert now >= kept
    theirs = await hand_of(ben, board)
    await ben.press(theirs, label="Bid 3")
    log = await beside(ben, board, theirs, "Log")
    assert "ooked" in log or "opened" in log


async def test_an_old_table_message_moves_down(shaken: Shaken, room: Room) -> None:
    """Discord hardly takes edits of messages over an hour old, so who acts finds the table posted anew."""
    board, (ann, ben) = await room.dealt("ann", "ben")
    cleo = await room.person("cleo")
    table, behind = table_of(ann, board), table_of(cleo, await room.lobby(cleo))
    await shaken.restart(
        sql=(
            f"UPDATE games SET posted_at = posted_at - {HOUR}000 WHERE id = {table}",
            f"UPDATE games SET shown = 0 WHERE id = {behind}",
        )
    )
    # the start shows what is behind, and this one is not
    await shaken.until("SELECT shown = edition FROM games WHERE id = ?", behind, is_=1)
    assert [m["id"] for m in ben.messages(room.channel) if "My hand" in labels(ben, m["id"])] == [board]
    await first_bid(ann, await hand_of(ann, board))
    fresh = await ben.wait_message(
        room.channel, lambda m: m["id"] != board and "My hand" in labels(ben, m["id"]), WAIT
    )
    await ben.wait_for(lambda: "moved on" in ben.text(board))
    assert labels(ben, board) == []
    out = await ben.press(await hand_of(ben, fresh["id"]), label="Bid 0")
    assert not out.failed


async def test_a_hand_that_has_lain_open_for_an_hour(shaken: Shaken, room: Room) -> None:
    """Its token has died, so the bot cannot turn it over; a press brings a new one."""
    board, (ann, ben) = await room.dealt("ann", "ben")
    hand, other = await hand_of(ann, board), await hand_of(ben, board)
    await first_bid(ann, hand)
    shaken.clock.advance(HOUR + 60)
    before = ann.text(hand)
    await ben.press(other, label="Bid 0")
    await ben.wait_for(lambda: "look" in ben.text(board))
    assert ann.text(hand) == before  # nobody could turn it over, and hands come before the table
    out = await ann.press(hand, label="Refresh")
    assert not out.failed
    assert "Which card?" in ann.text(out)


async def test_a_very_old_press_is_answered_with_the_fresh_hand(shaken: Shaken, room: Room) -> None:
    board, (ann,) = await room.dealt("ann")
    hand = await hand_of(ann, board)
    old = next(i for i in ids(ann, hand) if i.endswith("bid2"))
    for label in ("Bid 0", "Look at card 1", "Pass", "Bid 1"):
        await ann.press(hand, label=label)
    await shaken.restart()
    out = await ann.press(hand, old, forge=True, component_type=2)
    assert "moved on" in ann.text(out)
    assert "Which card?" in ann.text(out)


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """Another program writes and does not end."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


@contextmanager
def failing(database: Path, bot: int) -> Iterator[None]:
    """The bot's files cannot grow any more: every write to the journal of SQLite fails."""
    resource = pytest.importorskip("resource", reason="only Unix limits the size of files")
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux sets limits of another process")
    most = database.with_name(database.name + "-wal").stat().st_size
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    resource.prlimit(bot, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        resource.prlimit(bot, resource.RLIMIT_FSIZE, unlimited)


@pytest.mark.parametrize(
    ("trouble", "words"), [("locked", "My notebook is busy"), ("failing", "nothing was changed")]
)
async def test_what_cannot_be_written_is_said_and_did_not_happen(
    shaken: Shaken, room: Room, trouble: str, words: str
) -> None:
    board, (ann, _ben) = await room.dealt("ann", "ben")
    hand = await hand_of(ann, board)
    table = table_of(ann, board)
    assert shaken.bot is not None
    broken = locked(shaken.database) if trouble == "locked" else failing(shaken.database, shaken.bot.pid)
    with broken:
        out = await ann.press(hand, label="Bid 2")
        assert out.ephemeral
        assert words in ann.text(out)
        out = await ann.command(room.channel, "play", game="probe")
        assert words in ann.text(out)
    assert shaken.ask("SELECT count(*) FROM entries WHERE game_id = ?", table) == 0
    assert "What do you bid?" in ann.text(hand)
    await first_bid(ann, hand)
    assert shaken.ask("SELECT count(*) FROM entries WHERE game_id = ?", table) == 1


# -- databases that the bot does not start with ---------------------------------------------------


def notes(file: Path) -> None:
    file.write_bytes(b"these are my holiday notes " * 100)


def newer(file: Path) -> None:
    asyncio.run(migrate.upgrade(f"sqlite:///{file}"))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


def ours(file: Path) -> None:
    asyncio.run(migrate.upgrade(f"sqlite:///{file}"))


@pytest.mark.parametrize(
    ("make", "query", "words", "code"),
    [
        (notes, "", "no database", 3),
        (newer, "", "made by a newer version", 3),
        (ours, "?mode=ro&uri=true", "a SQLite file takes none", 2),
    ],
)
async def test_a_database_that_cannot_be_used_is_left_alone(
    tmp_path: Path, make: Any, query: str, words: str, code: int
) -> None:
    file = tmp_path / "valence.db"
    await asyncio.to_thread(make, file)
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    url = f"sqlite:///file:{file}{query}" if query else f"sqlite:///{file}"
    async with stage(tmp_path, probe=True, DATABASE_URL=url) as theatre:
        assert theatre.bot is not None
        assert await asyncio.wait_for(theatre.bot.wait(), LIMIT_SECONDS) == code
        assert words in theatre.log()
        assert "Traceback" not in theatre.log()
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before
