"""Discord's error codes and their meaning, and the permissions that a table needs."""

from __future__ import annotations

import aiohttp
import discord

UNKNOWN_CHANNEL, UNKNOWN_GUILD, UNKNOWN_MESSAGE, UNKNOWN_INTERACTION = 10003, 10004, 10008, 10062
DELETED = (UNKNOWN_CHANNEL, UNKNOWN_GUILD, UNKNOWN_MESSAGE)
UNKNOWN_MEMBER, UNKNOWN_ROLE, UNKNOWN_USER = 10007, 10011, 10013
NOBODY = frozenset((UNKNOWN_MEMBER, UNKNOWN_ROLE, UNKNOWN_USER))
"""Codes about an account or role that was deleted or never existed."""
UNKNOWN_WEBHOOK, MISSING_ACCESS, DEAD_TOKEN = 10015, 50001, 50027
MISSING_PERMISSIONS = 50013
FILTERED = frozenset((20009, 200000, 200001, 240000))
"""Codes of Discord's filters: explicit content, AutoMod, harmful links."""
TOO_LARGE = 413
"""The status of a request whose body is too large for Discord or a proxy."""
FILE_REFUSED = frozenset((40005, 50045, 50046, 50138))
"""Codes about a file: too large, broken, or impossible to resize."""
MANY_COMMANDS = 30034
"""Discord creates at most 200 commands a day for an application."""
MANY_THREADS = 160006
ALREADY_ANSWERED, INVALID_FORM, ARCHIVED = 40060, 50035, 50083
NOT_DONE = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Errors of a call to Discord that was refused, or whose connection broke."""
BROKEN_LINE = (aiohttp.ClientError, ConnectionError, TimeoutError, discord.DiscordServerError)
"""Errors that are not about the call itself: a broken connection, or trouble at Discord."""
TOO_MANY = 429
"""The status of a call that Discord has rate-limited more often than discord.py retries it."""
TABLE_PERMISSIONS = ("view_channel", "send_messages", "attach_files")
THREAD_PERMISSIONS = ("create_public_threads", "send_messages_in_threads")


class MissingPermissions(Exception):
    """The bot lacks permissions in a channel; `missing` are their names in discord.Permissions."""

    def __init__(self, missing: list[str]) -> None:
        super().__init__(missing)
        self.missing = missing


class Locked(discord.HTTPException):
    """A moderator has locked a thread, so the bot writes nothing there, even if Discord would let it."""

    def __init__(self) -> None:
        Exception.__init__(self, "the thread is locked")
        self.status, self.code, self.text = 403, ARCHIVED, "the thread is locked"


def reason(error: BaseException) -> str:
    """Return an error as one line: its name if it has no message, and the status instead of an HTML page.

    Proxies and Cloudflare, which is in front of Discord, answer with HTML pages.
    """
    if isinstance(error, discord.HTTPException) and is_page(error):
        return f"{error.status} {error.response.reason}"
    return str(error) or repr(error)


def is_about_permissions(error: discord.HTTPException) -> bool:
    """Return whether Discord refused something because the bot lacks permissions.

    Other codes of status 403 are about what was sent, or about Discord itself.
    """
    return isinstance(error, discord.Forbidden) and error.code in (MISSING_PERMISSIONS, MISSING_ACCESS)


def is_page(error: discord.HTTPException) -> bool:
    """Return whether the answer is an HTML page, and so not Discord's."""
    return error.text.lstrip().startswith("<")


def missing_permissions(
    have: discord.Permissions, *, thread: bool = False, in_thread: bool = False
) -> list[str]:
    """Return the permissions that the bot lacks for a table here. With `thread` the table opens a thread."""
    needed = list(TABLE_PERMISSIONS)
    if in_thread:
        needed[1] = "send_messages_in_threads"
    if thread:
        needed += THREAD_PERMISSIONS
    missing = [name for name in needed if not getattr(have, name)]
    # a bot that cannot see a channel has no other permission there, so more may be missing
    return missing[:1] if missing[:1] == ["view_channel"] else missing
