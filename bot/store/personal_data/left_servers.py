"""Servers that the bot has left, and the later removal of their data.

The note that a server was left is one of its settings. If the bot returns in time, everything is as it was.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec
import structlog
from sqlalchemy import Connection, Table, and_, delete, or_, select

from bot.store.models import GameRow, NameRow, SettingRow, table_of
from bot.store.models.base import REMOVED_WITH_SERVER
from bot.store.people import put_setting
from bot.store.shards import ALL, Shards

log = structlog.get_logger(__name__)

_SETTINGS, _GAMES, _NAMES = table_of(SettingRow), table_of(GameRow), table_of(NameRow)
_SERVER, _CHANNEL = "server", "channel"
KEY: Final = "left"


class LeftServer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The time at which the bot left a server, and the server's channels if they were known."""

    at: int = 0
    channels: tuple[int, ...] = ()


def note(connection: Connection, guild_id: int, at: int, channels: Collection[int] = ()) -> None:
    """Record that the bot has left a server."""
    put_setting(connection, _SERVER, guild_id, KEY, msgspec.to_builtins(LeftServer(at, tuple(channels))))


def delete_note(connection: Connection, guild_id: int) -> None:
    """Record that the bot is in a server again, so that nothing of it is removed."""
    noted = (_SETTINGS.c.scope == _SERVER, _SETTINGS.c.scope_id == guild_id, _SETTINGS.c.key == KEY)
    connection.execute(delete(_SETTINGS).where(*noted))


def read_notes(connection: Connection, shards: Shards = ALL) -> dict[int, LeftServer]:
    """Return the servers that were left and may still have rows.

    Unreadable entries are skipped; they are written again when the bot next counts its servers.
    """
    query = select(_SETTINGS.c.scope_id, _SETTINGS.c.value).where(
        _SETTINGS.c.scope == _SERVER, _SETTINGS.c.key == KEY, shards.where(_SETTINGS.c.scope_id)
    )
    found = {}
    for guild_id, value in connection.execute(query):
        try:
            found[guild_id] = msgspec.convert(value, LeftServer)
        except msgspec.ValidationError as error:
            log.error("server that was left cannot be read", guild=guild_id, why=str(error))
    return found


def servers_with_data(connection: Connection, shards: Shards = ALL) -> set[int]:
    """Return the servers with settings, or with rows that are removed with their server."""
    settings = _SETTINGS.c.scope_id
    found = set(connection.execute(select(settings).where(_SETTINGS.c.scope == _SERVER)).scalars())
    for table in _removed_with_server():
        guild = table.c.guild_id
        found |= set(connection.execute(select(guild).where(guild.is_not(None)).distinct()).scalars())
    return {guild_id for guild_id in found if shards.own(guild_id)}


def remove(connection: Connection, before: int, most: int, shards: Shards = ALL) -> int:
    """Remove data of servers that were left before then. Return how many servers were cleaned up.

    This removes their settings and those of their channels, the names people had there, and rows of models
    that are declared as `removed_with_server`. People keep what they did there: games, results, totals and
    ratings.
    Channels are not stored with their server, so a server's channels are those it had when it was left and
    those named in a game or a removed row.
    """
    due = {guild_id: left for guild_id, left in read_notes(connection, shards).items() if left.at <= before}
    ids = sorted(due)[:most]
    if not ids:
        return 0
    told = sorted({channel for guild_id in ids for channel in due[guild_id].channels})
    # selected by a subquery: with a thread for each table, a server can have more channels than one statement
    # takes
    removed = _removed_with_server()
    with_channels = (_GAMES, *(table for table in removed if "channel_id" in table.c))
    used = (select(rows.c.channel_id).where(rows.c.guild_id.in_(ids)) for rows in with_channels)
    channel = _SETTINGS.c.scope_id
    of_channels = and_(_SETTINGS.c.scope == _CHANNEL, or_(channel.in_(told), *map(channel.in_, used)))
    of_server = and_(_SETTINGS.c.scope == _SERVER, _SETTINGS.c.scope_id.in_(ids))
    connection.execute(delete(_SETTINGS).where(or_(of_server, of_channels)))
    for table in (_NAMES, *removed):
        connection.execute(delete(table).where(table.c.guild_id.in_(ids)))
    return len(ids)


def _removed_with_server() -> list[Table]:
    return [table_of(model) for model in REMOVED_WITH_SERVER]
