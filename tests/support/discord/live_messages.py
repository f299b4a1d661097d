"""A Discord of nothing but messages, and a thing that a message follows."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any

import discord

from bot.store.database import StoreError
from bot.store.prefs import Pictures, Prefs
from bot.telemetry.metrics import Metrics
from bot.ui.components import Message, page
from bot.ui.live.live_message import LiveMessage
from bot.ui.outbox import Outbox, Place
from tests.support.tables.tables import ManualClock
from tests.support.waiting import turns, until


class NoPictures:
    """No channel has settings."""

    async def of(self, _channel_id: int) -> Pictures:
        return Pictures()


class AsUsual:
    """Nobody has settings."""

    channels = NoPictures()

    async def of(self, _user_id: int) -> Prefs:
        return Prefs()


class World:
    """A Discord of nothing but messages: what was sent, changed, and when."""

    def __init__(self) -> None:
        self.clock = ManualClock(instant_sleep=False)
        self.calls: list[tuple[int, str, int, str]] = []
        """Time, what was done, which message, and its text."""
        self.errors: list[Exception | None] = []
        """What the next calls answer; when there are no more, everything works."""
        self.takes = 0.0
        self.at_once = 0
        self.messages = {10: "old"}
        self.tasks: set[asyncio.Task[Any]] = set()
        self.rights: discord.Permissions | None = None
        self.outbox = Outbox(self.clock, self, None, Metrics(), self.spawn, preferences=AsUsual())  # type: ignore[arg-type]

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self.tasks.add(task)
        task.add_done_callback(self.done)

    def done(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled():
            task.result()

    async def call(self, what: str, message_id: int, view: discord.ui.LayoutView) -> None:
        self.at_once += 1
        assert self.at_once == 1 or what == "answer", "two writers at a time"
        if self.takes:
            await self.clock.sleep(self.takes)
        self.at_once -= 1
        text = next(i.content for i in view.walk_children() if isinstance(i, discord.ui.TextDisplay))
        if self.errors and (error := self.errors.pop(0)):
            self.calls.append((self.clock.now(), "refused", message_id, text))
            raise error
        self.calls.append((self.clock.now(), what, message_id, text))
        self.messages[message_id] = text

    # -- what the outbox asks of a client

    def get_channel(self, channel_id: int) -> Any:
        return SimpleNamespace(id=channel_id)

    def get_partial_messageable(self, channel_id: int, *, guild_id: int | None = None) -> Any:
        async def send(*, view: Any, **_: Any) -> Any:
            number = max(self.messages) + 1
            await self.call("send", number, view)
            guild = SimpleNamespace(id=guild_id) if guild_id else None
            channel = SimpleNamespace(id=channel_id)
            return SimpleNamespace(id=number, guild=guild, channel=channel, jump_url=f"url of {number}")

        def partial(number: int) -> Any:
            async def edit(*, view: Any, **_: Any) -> None:
                await self.call("edit", number, view)

            async def delete() -> None:
                self.calls.append((self.clock.now(), "delete", number, self.messages.pop(number)))

            return SimpleNamespace(edit=edit, delete=delete)

        return SimpleNamespace(send=send, get_partial_message=partial)

    def get_guild(self, _guild_id: int) -> Any:
        channel = SimpleNamespace(permissions_for=lambda _me: self.rights)
        return SimpleNamespace(
            me="me", get_channel_or_thread=lambda _number: channel if self.rights is not None else None
        )

    async def let_pass(self, seconds: float, step: float = 0.01) -> None:
        """Let time pass in small steps."""
        for _ in range(round(seconds / step)):
            await turns(6)
            self.clock.move(step)
        await turns(6)

    async def shows(self, *texts: str) -> None:
        """Let time pass until the edits were these."""

        async def so() -> bool:
            await self.let_pass(0.1)
            return self.texts("edit") == list(texts)

        await until(so, but=lambda: f"{self.texts('edit')} instead of {texts}")

    def texts(self, what: str) -> list[str]:
        return [text for _, done, _, text in self.calls if done == what]


class Thing(LiveMessage):
    """Follows a number."""

    def __init__(self, world: World, key: str = "thing", channel: int = 1) -> None:
        super().__init__(world.outbox, key)
        self.world = world
        self.number = 1
        self.stored: int | None = 1
        self.at = Place(channel, 7, 10, world.clock.now())
        self.begun_at: Place | None = None
        self.open = True
        self.resting = False
        self.builds = 0
        self.gave_up = False
        self.locked = 0

    async def find(self) -> bool:
        return True

    def version(self) -> int:
        return self.number

    def shown(self) -> int | None:
        return self.stored

    async def mark(self, version: int) -> None:
        self.stored = version

    def build(self, pictures: Pictures) -> Message:
        self.builds += 1
        return page(str(self.number))

    def place(self) -> Place:
        return self.at

    async def set_place(self, place: Place) -> None:
        if self.locked:
            self.locked -= 1
            raise StoreError("locked")
        if self.at.message_id is not None and self.begun_at is None:
            self.begun_at = self.at
        self.at = place

    def first(self) -> Place | None:
        return self.begun_at

    def moved(self, url: str) -> Message:
        return page(f"moved to {url}")

    def goes_on(self) -> bool:
        return self.open

    def rests(self) -> bool:
        return self.resting

    def wanted(self) -> bool:
        return self.open

    async def unseen(self) -> None:
        self.gave_up = True

    def to(self, number: int, **how: bool) -> None:
        self.number = number
        live = self.outbox.find(self.key, Thing) or self
        live.changed(**how)
