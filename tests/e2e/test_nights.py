"""Nights over real stops: planned, called to mind once, opened, and given up where that can't be."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from playground.actions.person import Person
from playground.server import start
from tests.e2e.conftest import scene
from tests.e2e.room import WAIT, Room, labels
from tests.support.discord.keys import part
from tests.support.processes.stage import Stage, probe_bot
from tests.support.waiting import until

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOUR_MS = 3_600_000
MOST_WAIT = 40.0
"""Seconds until what has fallen due is done; machines may be busy."""
OFTEN = "from bot.features.nights import service; service.LOOK_SECONDS = 0.5"
"""Lets the bot look every half second for what has fallen due. Otherwise a test waits for twenty."""


class Night(Stage):
    """A stage whose bot is killed, and for whose nights time passes meanwhile."""

    def __init__(self, *words: Any, **options: Any) -> None:
        super().__init__(*words, **options)
        self._program = f"{OFTEN}\n{probe_bot()}"

    async def after(self, milliseconds: int) -> None:
        """Kill the bot, let so much time pass for what is planned, start it again."""
        if self.bot is not None:
            await self.kill_bot()
        with closing(sqlite3.connect(self.database)) as connection:
            connection.execute("UPDATE nights SET starts_at = starts_at - ?", (milliseconds,))
            connection.execute("UPDATE night_calls SET due_at = due_at - ?", (milliseconds,))
            connection.execute("UPDATE clocks SET due_at = due_at - ? WHERE kind = 'held'", (milliseconds,))
            connection.commit()
        await self.start_bot()
        await self.ready(self.people[0])

    def ask(self, sql: str, *facts: Any) -> Any:
        """One value from the bot's database."""
        with closing(sqlite3.connect(self.database)) as connection:
            row = connection.execute(sql, facts).fetchone()
        return row[0] if row else None

    async def phase(self, night: int, is_: str) -> None:
        """Wait until a night has come so far."""
        found = lambda: self.ask("SELECT phase FROM nights WHERE id = ?", night)  # noqa: E731 - one line
        await until(lambda: found() == is_, MOST_WAIT, but=lambda: f"{found()}\n{self.log()}")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def night(backstage: Path) -> AsyncIterator[Night]:
    folder = scene(backstage, "nights")
    async with start() as playground:
        here = Night(playground, folder / "valence.db", probe=True, pace=0.0)
        await here.person("mia")
        await here.start_bot()
        await here.ready(here.people[0])
        try:
            yield here
        finally:
            for person in here.people:
                await person.close()
            if here.bot is not None and here.bot.returncode is None:
                await here.kill_bot()


@pytest_asyncio.fixture(loop_scope="session")
async def room(night: Night) -> AsyncIterator[Room]:
    room = await Room.open(night, night.people[0])
    yield room
    room.check()


async def planned(room: Room, host: Person) -> tuple[int, str]:
    """A night in 30 hours; its number and its message."""
    out = await host.command(room.channel, "night plan", when="in 30 hours UTC", game="canasta")
    assert not out.failed
    found = await host.wait_message(room.channel, lambda m: "Yes" in labels(host, m["id"]))
    message = str(found["id"])
    # what the planner is told comes last
    await host.wait_message(room.channel, lambda m: "Planned for" in host.text(m["id"]))
    (yes,) = [b["custom_id"] for b in host.buttons(message) if b.get("label") == "Yes"]
    return int(yes.split(":")[2]), message


def calls(person: Person, room: Room, words: str) -> list[Any]:
    """The messages of the channel in which these words stand."""
    return [message for message in person.messages(room.channel) if words in person.text(message)]


async def test_an_evening_over_stops(night: Night, room: Room) -> None:
    ann, ben, cleo = [await room.person(name) for name in ("ann", "ben", "cleo")]
    number, message = await planned(room, ann)
    await ben.wait_message(room.channel, lambda m: m["id"] == message)
    await ben.press(message, label="Yes")
    await cleo.wait_message(room.channel, lambda m: m["id"] == message)
    await cleo.press(message, label="Maybe")
    await ann.wait_for(lambda: "2 of 6" in ann.text(message))

    await night.after(6 * HOUR_MS + 60_000)
    reminder = await ann.wait_message(
        room.channel, lambda m: "Are you coming?" in ann.text(m["id"]), MOST_WAIT
    )
    called = {str(user["id"]) for user in reminder["mentions"]}
    assert called == {str(person.me["id"]) for person in (ann, ben, cleo)}
    await night.after(60_000)

    await night.after(24 * HOUR_MS)
    await night.phase(number, "open")
    lobby = await ann.wait_message(
        room.channel, lambda m: part("lobby.seat_kept").strip(". *") in ann.text(m["id"]), WAIT
    )
    call = await ann.wait_message(room.channel, lambda m: "It's time" in ann.text(m["id"]), WAIT)
    assert {str(user["id"]) for user in call["mentions"]} == {str(person.me["id"]) for person in (ann, ben)}
    await ann.wait_for(lambda: "It has begun" in ann.text(message), WAIT)
    assert len(calls(ann, room, "Are you coming?")) == 1, "two stops make nobody hear of it twice"
    assert str(lobby["id"]) in ann.text(message), "the announcement leads to the table"
    await ben.wait_message(room.channel, lambda m: m["id"] == call["id"])
    await ben.press(str(call["id"]), label="I'm in")
    await ann.wait_for(lambda: ann.text(lobby["id"]).count("seat kept") == 1, WAIT)

    await night.after(11 * 60_000)
    await ann.wait_for(lambda: "seat kept" not in ann.text(lobby["id"]), MOST_WAIT)
    assert ben.name in ann.text(lobby["id"])
    assert "1." in ann.text(lobby["id"])
    assert len(calls(ann, room, "It's time")) == 1


async def test_a_channel_that_is_deleted_ends_it(night: Night, room: Room) -> None:
    ann = await room.person("ann")
    number, _ = await planned(room, ann)
    await room.mia.delete_channel(room.channel)
    await night.after(6 * HOUR_MS + 60_000)
    await night.phase(number, "hindered")


async def test_a_bot_that_may_not_write_any_more_opens_nothing(night: Night, room: Room) -> None:
    ann = await room.person("ann")
    number, message = await planned(room, ann)
    await room.mia.bot_rights(room.channel, send_messages=False)
    await night.after(30 * HOUR_MS + 60_000)
    await night.phase(number, "hindered")
    assert night.ask("SELECT game_id FROM nights WHERE id = ?", number) is None
    await ann.wait_for(lambda: "can't post tables" in ann.text(message), WAIT)
