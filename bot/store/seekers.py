"""Who wants to be called when somebody in a server looks for people, and when a channel was last called."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, select

from bot.store.locks import one_at_a_time
from bot.store.models import SeekerRow, table_of
from bot.store.people import get_setting, put, put_setting

_SEEKERS = table_of(SeekerRow)
_CHANNEL, _KEY = "channel", "seek"
BETWEEN_MS = 3_600_000
"""Nobody is called in a channel again within so long."""


def opt_in(connection: Connection, guild_id: int, user_id: int, at: int) -> None:
    """Call this person from now on."""
    row = {"guild_id": guild_id, "user_id": user_id, "since": at}
    put(connection, _SEEKERS, ("guild_id", "user_id"), [row])


def opt_out(connection: Connection, guild_id: int, user_id: int) -> None:
    """Call this person no more."""
    mine = (_SEEKERS.c.guild_id == guild_id, _SEEKERS.c.user_id == user_id)
    connection.execute(delete(_SEEKERS).where(*mine))


def of_guild(connection: Connection, guild_id: int) -> list[int]:
    """All who want to be called in a server."""
    return list(
        connection.execute(select(_SEEKERS.c.user_id).where(_SEEKERS.c.guild_id == guild_id)).scalars()
    )


def claim(connection: Connection, channel_id: int, now: int) -> int:
    """Take the right to call people in this channel: 0 if it was free, else from when on it is again."""
    one_at_a_time(connection, _CHANNEL, channel_id)
    found = get_setting(connection, _CHANNEL, channel_id, _KEY)
    at = found.get("at") if isinstance(found, Mapping) else None
    if isinstance(at, int) and at <= now < at + BETWEEN_MS:
        return at + BETWEEN_MS
    put_setting(connection, _CHANNEL, channel_id, _KEY, {"at": now})
    return 0
