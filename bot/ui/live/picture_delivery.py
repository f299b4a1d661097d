"""Delivery of a message with its pictures: painted in time, promised in words, or refused by Discord."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import discord
import structlog

from bot import custom_ids as ids
from bot.locales import Words, words
from bot.telemetry.discord_requests import ServerFailedTwice, uploading
from bot.ui import discord_errors
from bot.ui.components import Control, Message, button

log = structlog.get_logger(__name__)
R = TypeVar("R")

PICTURE_SECONDS = 4.0
"""Seconds that a view changed by others waits for its picture before it is shown in words, because the
choices on the screen are out of date."""
_logged = set[tuple[int, int]]()
"""Refusals that were logged since Discord last accepted a file, by status and code."""


async def in_time(painting: asyncio.Future[list[discord.File]], seconds: float) -> bool:
    """Return whether the pictures are painted within this many seconds. The painting continues."""
    return bool((await asyncio.wait({painting}, timeout=seconds))[0])


def as_painted(
    message: Message, files: list[discord.File] | None, locale: str
) -> tuple[discord.ui.LayoutView, list[discord.File]]:
    """Return a message's view with its painted files.

    Words replace pictures that are on their way (None), and those that could not be painted.
    """
    say = words(locale)
    if files is None:
        return message.without(message.pictures, say("picture.coming"), told=True), message.ready()
    if message.unpainted:
        painted = [file for file in files if file.filename not in message.unpainted]
        line, controls = say("picture.failed"), retry_controls(message, say)
        return message.without(message.unpainted, line, told=True, controls=controls), painted
    return message.view, files


def editor(interaction: discord.Interaction[Any], follow_up: int = 0) -> Callable[..., Awaitable[Any]]:
    """Return the method that changes the first answer to an interaction, or its follow-up with this id."""
    if follow_up:
        return partial(interaction.followup.edit_message, follow_up)
    return interaction.edit_original_response


async def change_answer(
    interaction: discord.Interaction[Any],
    message: Message,
    files: list[discord.File] | None,
    locale: str,
    *,
    kept: Sequence[Any] = (),
    follow_up: int = 0,
) -> object:
    """Change the answer to an interaction to this message.

    `files` are the painted files, or None while they are painted. `kept` are attachments that stay. Return
    the message as Discord describes it.

    Raises:
        discord.HTTPException: Discord did not accept it.
    """
    view, files = as_painted(message, files, locale)
    edit = editor(interaction, follow_up)
    return await deliver(
        message, files, locale, lambda view, files: edit(view=view, attachments=[*files, *kept]), view=view
    )


def retry_controls(message: Message, say: Words) -> list[Control]:
    """Return the button that paints a message's pictures again, if the message names one."""
    if not message.retry:
        return []
    verb, args = ids.parse(message.retry)
    return [button(say("picture.retry"), verb, *args, emoji="🔁")]


def file_numbers(shown: object) -> frozenset[int] | None:
    """Return the ids of a message's files, from the message or from Discord's answer, or None if unknown.

    Each file that is sent gets its own id, so a press that names them has seen these files.
    """
    files = getattr(getattr(shown, "resource", shown), "attachments", None)
    return None if files is None else frozenset(file.id for file in files)


def is_refused(error: BaseException) -> bool:
    """Return whether Discord may accept a message in words that it refused with files.

    Missing permissions are about the channel, so they do not count.
    """
    if isinstance(error, ServerFailedTwice | discord.DiscordServerError):
        return True  # discord.py has tried it several times
    if not isinstance(error, discord.HTTPException):
        return False
    if (
        error.status == discord_errors.TOO_LARGE
        or error.code in discord_errors.FILE_REFUSED | discord_errors.FILTERED
    ):
        return True
    return isinstance(error, discord.Forbidden) and not discord_errors.is_about_permissions(error)


async def deliver(
    message: Message,
    files: Sequence[discord.File],
    locale: str,
    send: Callable[[discord.ui.LayoutView, list[discord.File]], Awaitable[R]],
    *,
    view: discord.ui.LayoutView | None = None,
) -> R:
    """Send a message with its files, or in words if Discord refuses those.

    `view` is shown with these files, if it is not the view of the message. Refused pictures count as
    unpainted, so a live message tries them again.

    Raises:
        discord.HTTPException: Discord did not accept the words either.
    """
    shown = view or message.view
    if not files:
        return await send(shown, [])
    try:
        with uploading():
            sent = await send(shown, [*files])
    except discord_errors.NOT_DONE as error:
        if not is_refused(error):
            raise
        _note(error)
    else:
        _logged.clear()
        return sent
    message.unpainted.update(message.pictures, message.raw)
    return await send(in_words(message, locale), [])


def in_words(message: Message, locale: str) -> discord.ui.LayoutView:
    """Return the view of a message with words in place of its pictures and files."""
    say = words(locale)
    names = {*message.pictures, *message.raw, *message.files}
    lines = {name: say("picture.file_refused", file=name) for name in message.files}
    controls = retry_controls(message, say)
    return message.without(names, say("picture.refused"), told=True, lines=lines, controls=controls)


def _note(error: BaseException) -> None:
    status, code = getattr(error, "status", 0), getattr(error, "code", 0)
    if (status, code) not in _logged:
        _logged.add((status, code))
        log.warning(
            "files refused, sent in words", status=status, code=code, why=discord_errors.reason(error)
        )
