"""Files that Discord refuses: the same message goes out again at once, in words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import discord
import structlog

from bot.locales import words
from bot.telemetry.discord_requests import ServerFailedTwice, uploading
from bot.ui import discord_errors
from bot.ui.components import Message
from bot.ui.live.late_pictures import retry_controls

log = structlog.get_logger(__name__)
R = TypeVar("R")

_logged = set[tuple[int, int]]()
"""Refusals that were logged since Discord last took a file, by status and code."""


def is_refused(error: BaseException) -> bool:
    """Return whether Discord may take a message without its files that it refused with them.

    Permissions that the bot lacks are about the channel, so they are no such refusal.
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

    `view` is what is shown with these files, if it is not the view of the message. Pictures that were
    refused count as unpainted, so a live message tries them again.

    Raises:
        discord.HTTPException: Discord did not take the words either.
    """
    whole = view or message.view
    if not files:
        return await send(whole, [])
    try:
        with uploading():
            sent = await send(whole, [*files])
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
    """Return a message that has words in the place of its pictures and files."""
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
