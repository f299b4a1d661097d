"""People who want to be called when someone in a server looks for players, and the hourly limit on calls."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, select

from bot.store.backend.locks import one_at_a_time
from bot.store.models import SeekerRow, table_of
from bot.store.people import get_setting, put, put_setting

_SEEKERS = table_of(SeekerRow)
_SERVER, _KEY = "server", "seek"
MOST_READ = 1000
"""Maximum number of people of a server who are considered for one call."""
BETWEEN_MS = 3_600_000
"""Milliseconds between two calls in a server."""


def opt_in(connection: Connection, guild_id: int, user_id: int, at: int) -> None:
    """Call this person from now on."""
    row = {"guild_id": guild_id, "user_id": user_id, "since": at}
    put(connection, _SEEKERS, ("guild_id", "user_id"), [row])


def opt_out(connection: Connection, guild_id: int, user_id: int) -> None:
    """Call this person no more."""
    mine = (_SEEKERS.c.guild_id == guild_id, _SEEKERS.c.user_id == user_id)
    connection.execute(delete(_SEEKERS).where(*mine))


def of_guild(connection: Connection, guild_id: int, *, most: int = MOST_READ, start: int = 0) -> list[int]:
    """Return up to `most` people who want to be called in a server.

    If there are more, these are the people whose ids follow `start`, and then the people with the lowest ids.
    """
    here = select(_SEEKERS.c.user_id).where(_SEEKERS.c.guild_id == guild_id).order_by(_SEEKERS.c.user_id)
    found = list(connection.execute(here.where(_SEEKERS.c.user_id >= start).limit(most)).scalars())
    if len(found) < most:
        lowest = here.where(_SEEKERS.c.user_id < start).limit(most - len(found))
        found += connection.execute(lowest).scalars()
    return found


def claim(connection: Connection, guild_id: int, now: int) -> int:
    """Claim the one call of this hour in a server. Return 0, or the time of the next one if it is taken.

    All its channels and threads share it, because they call the same people and the same role.
    """
    one_at_a_time(connection, _SERVER, guild_id)
    found = get_setting(connection, _SERVER, guild_id, _KEY)
    at = found.get("at") if isinstance(found, Mapping) else None
    if isinstance(at, int) and at <= now < at + BETWEEN_MS:
        return at + BETWEEN_MS
    put_setting(connection, _SERVER, guild_id, _KEY, {"at": now})
    return 0
