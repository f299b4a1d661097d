"""What somebody looks at, and what paints for it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord

from bot.ui.components import Message
from tests.support.discord.message import words_of


class Screen:
    """The ephemeral message of one press, as Discord keeps it."""

    def __init__(self, user_id: int) -> None:
        self.user = SimpleNamespace(id=user_id)
        self.locale = discord.Locale.british_english
        self.shown: list[str] = []
        self.error: Exception | None = None
        self.door = asyncio.Event()
        self.door.set()
        self.channel_id = 7
        self.files: list[int] | None = None
        """How its files are numbered when it is written, where that is told."""

    async def edit_original_response(self, *, view: Any, attachments: Any = None) -> Any:
        await self.door.wait()
        if self.error is not None:
            raise self.error
        self.shown.append(words_of(Message(view)))
        if self.files is None:
            return None
        return SimpleNamespace(attachments=[SimpleNamespace(id=number) for number in self.files])


class Easel:
    """A studio whose pictures are ready when the door is opened."""

    def __init__(self) -> None:
        self.door = asyncio.Event()
        self.asked: list[int] = []
        """How urgent each picture is."""

    async def paint(self, _scene: Any, priority: int, **_: Any) -> bytes:
        self.asked.append(priority)
        await self.door.wait()
        return b"picture"
