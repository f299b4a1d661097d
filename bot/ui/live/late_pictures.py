"""Private views that others change: how long they wait for their pictures, and what is shown without them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

import discord

from bot import custom_ids as ids
from bot.locales import Words, words
from bot.ui.components import Control, Message, button

PICTURE_SECONDS = 4.0
"""How many seconds a view that others have changed waits for its picture before it is shown in words: the
choices on the screen are of a moment that is past."""


async def in_time(files: Coroutine[object, object, list[discord.File]]) -> list[discord.File] | None:
    """These pictures, if they are painted within `PICTURE_SECONDS`; the painting goes on.

    Raises:
        StudioClosed: the bot is stopping.
    """
    painting = asyncio.ensure_future(files)
    try:
        painted, _ = await asyncio.wait({painting}, timeout=PICTURE_SECONDS)
        return painting.result() if painted else None
    finally:
        painting.cancel()


def as_painted(
    message: Message, files: list[discord.File] | None, locale: str
) -> tuple[discord.ui.LayoutView, list[discord.File]]:
    """A message with the files that are there: words stand for pictures that are on their way (None), and for
    those that could not be painted."""
    say = words(locale)
    if files is None:
        return message.without(message.pictures, say("picture.coming"), told=True), message.ready()
    if message.unpainted:
        there = [file for file in files if file.filename not in message.unpainted]
        line, controls = say("picture.failed"), retry_controls(message, say)
        return message.without(message.unpainted, line, told=True, controls=controls), there
    return message.view, files


def retry_controls(message: Message, say: Words) -> list[Control]:
    """Return the button that paints a message's pictures again, if the message names one."""
    if not message.retry:
        return []
    verb, args = ids.parse(message.retry)
    return [button(say("picture.retry"), verb, *args, emoji="🔁")]


def file_numbers(shown: object) -> frozenset[int] | None:
    """How Discord numbers the files of a message, by what it says of it or answers to it; None where it does
    not say. Each file that is sent has a number of its own, so whoever names them has seen these."""
    files = getattr(getattr(shown, "resource", shown), "attachments", None)
    return None if files is None else frozenset(file.id for file in files)
