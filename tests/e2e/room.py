"""A channel and people that a test has for itself, on a stage that many tests share."""

from __future__ import annotations

import itertools
from typing import Any

from playground.actions.person import ActionOutcome, Person
from tests.support.processes.stage import Stage

_numbers = itertools.count(1)
WAIT = 15.0
"""Seconds until a picture must be there; far more than it takes, since machines may be busy."""


class Room:
    """One channel with its people; `mia` is a moderator."""

    def __init__(self, theatre: Stage, mia: Person, channel: str) -> None:
        self.theatre = theatre
        self.mia = mia
        self.channel = channel
        self._fresh: list[Person] = []
        self._log_before = len(theatre.log())

    @classmethod
    async def open(cls, theatre: Stage, mia: Person) -> Room:
        return cls(theatre, mia, await channel_by(mia))

    async def person(self, name: str, *, fresh: bool = True) -> Person:
        """Somebody who sits nowhere yet; without `fresh` the one whom all tests know by this name."""
        person = await self.theatre.person(f"{name}{next(_numbers)}" if fresh else name)
        if fresh:
            self._fresh.append(person)
        await person.wait_for(lambda: self.channel in person.channels)
        return person

    async def lobby(
        self, *people: Person, game: str = "probe", channel: str | None = None, **options: Any
    ) -> str:
        """A lobby that the first person opened and the others joined; the id of its message."""
        host, *others = people
        where = channel or self.channel
        out = await host.command(where, "play", game=game)
        board = str(out.message_id)
        assert not out.ephemeral, host.text(out)
        for person in others:
            await person.wait_message(where, lambda m: m["id"] == board)
            await person.press(board, label="Join or leave")
        if options:
            await choose(host, board, **{key: str(value) for key, value in options.items()})
        return board

    async def dealt(self, *names: str, **options: Any) -> tuple[str, list[Person]]:
        """A running table of the probe game with fresh people; the id of its message, and the people."""
        people = [await self.person(name) for name in names]
        board = await self.lobby(*people, **options)
        await people[0].press(board, label="Start")
        return board, people

    async def close(self) -> None:
        """Those whom only this room knew leave."""
        for person in self._fresh:
            await self.theatre.leave(person)
        self._fresh.clear()

    def log(self) -> str:
        """What the bot has logged since this room was opened."""
        return self.theatre.log()[self._log_before :]

    def check(self) -> None:
        """Nothing that nobody foresaw has happened."""
        said = self.log()
        assert "Traceback" not in said, said
        assert "unforeseen" not in said, said


async def channel_by(mia: Person, *, guild: str | None = None) -> str:
    """A channel that nobody has used yet; its id."""
    channel = await mia.create_channel(f"room-{next(_numbers)}", guild=guild)
    await mia.wait_for(lambda: channel in mia.channels)
    return channel


def ids(person: Person, message: str | ActionOutcome) -> list[str]:
    """The custom ids of a message, from top to bottom."""
    return [str(c["custom_id"]) for c in person.components(message) if c.get("custom_id")]


def table_of(person: Person, board: str | ActionOutcome) -> int:
    """The number of the table that a message shows."""
    return int(ids(person, board)[0].split(":")[2])


def lobby_id(person: Person, board: str, verb: str, *more: str) -> str:
    """The id of a control of the lobby."""
    return ":".join(("v", verb, str(table_of(person, board)), *more))


async def choose(host: Person, board: str, **options: str) -> ActionOutcome:
    """Change options of the game by the form of the lobby."""
    return await host.submit(await host.press(board, lobby_id(host, board, "options")), dict(options))


async def arrange(host: Person, board: str, **values: str) -> ActionOutcome:
    """Change opponents, their level, the clock or the place by the form of the lobby."""
    return await host.submit(await host.press(board, lobby_id(host, board, "arrange")), dict(values))


async def hand_of(person: Person, board: str) -> str:
    """The message of a freshly opened hand."""
    out = await person.press(board, label="My hand")
    assert out.message_id, f"no hand came: {out}"
    return str(out.message_id)


BACK = "Back to my hand"


async def beside(person: Person, board: str, hand: str, label: str) -> str:
    """What a button of the table tells: it opens in the hand that lies below, and leaves a way back."""
    await person.press(board, label=label)
    await person.wait_for(lambda: BACK in labels(person, hand))
    return person.text(hand)


def labels(person: Person, message: str | ActionOutcome) -> list[str]:
    """The words on the buttons of a message."""
    return [str(button.get("label")) for button in person.buttons(message)]
