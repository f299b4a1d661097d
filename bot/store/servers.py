"""Stored settings of servers and channels for the tables opened there.

Every field has a default. A field that cannot be read (a value of a newer version) counts as not set, and the
others still apply.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal, TypeVar

import msgspec
from sqlalchemy import Connection, select

from bot.store.models import SettingRow, table_of
from bot.store.people import get_setting, put_setting
from bot.store.terms import Access

Permitted = Literal["everybody", "role", "moderators"]
"""People with a permission: everyone, members with a certain role, or moderators. Moderators (people who may
manage messages) always have it."""


class Opening(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Defaults for tables opened in a channel. None means the server's setting, or else the bot's default."""

    locale: str | None = None
    """The language of public messages."""
    clock: int | None = None
    """Seconds per turn, 0 for no limit."""
    thread: bool | None = None
    """Whether games are played in their own thread."""
    access: Access | None = None
    """Seating access."""

    def before(self, wider: Opening) -> Opening:
        """Return these settings, falling back to `wider`."""
        return Opening(
            locale=wider.locale if self.locale is None else self.locale,
            clock=wider.clock if self.clock is None else self.clock,
            thread=wider.thread if self.thread is None else self.thread,
            access=wider.access if self.access is None else self.access,
        )


class ServerLimits(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Maximum numbers of open tables. None means the operator's limit."""

    lobbies_of_person: int | None = None
    tables_of_person: int | None = None
    tables_of_channel: int | None = None
    tables_of_server: int | None = None


class Server(Opening, frozen=True, omit_defaults=True, kw_only=True):
    """Per-server settings."""

    channels: tuple[int, ...] = ()
    """Channels in which tables may be opened; empty for all."""
    games: tuple[str, ...] = ()
    """Games that may be opened; empty for all."""
    open_by: Permitted = "everybody"
    """People who may open tables."""
    open_role: int = 0
    """The role needed to open tables if `open_by` is "role"."""
    close_by: Permitted = "moderators"
    """People who may close tables opened by others."""
    close_role: int = 0
    """The role needed to close them if `close_by` is "role"."""
    limits: ServerLimits = ServerLimits()
    seek_role: int = 0
    """The role to notify when someone looks for players; 0 for none."""
    deleted: tuple[int, ...] = ()
    """Channels and roles of these settings that the server has been told are deleted."""
    welcomed: bool = False
    """Whether the bot has introduced itself in the server."""


S = TypeVar("S", bound=msgspec.Struct)
_SETTINGS = table_of(SettingRow)
_SERVER, _CHANNEL, _KEY = "server", "channel", "tables"


def server_of(connection: Connection, guild_id: int) -> Server:
    """Return a server's settings, or the defaults."""
    return _read(get_setting(connection, _SERVER, guild_id, _KEY), Server)


def every(connection: Connection) -> dict[int, Server]:
    """Return the settings of every server that has any."""
    rows = select(_SETTINGS.c.scope_id, _SETTINGS.c.value)
    here = rows.where(_SETTINGS.c.scope == _SERVER, _SETTINGS.c.key == _KEY)
    return {guild_id: _read(value, Server) for guild_id, value in connection.execute(here)}


def put_server(connection: Connection, guild_id: int, server: Server) -> None:
    """Store a server's settings."""
    put_setting(connection, _SERVER, guild_id, _KEY, msgspec.to_builtins(server))


def opening_of(connection: Connection, channel_id: int) -> Opening:
    """Return a channel's defaults for new tables."""
    return _read(get_setting(connection, _CHANNEL, channel_id, _KEY), Opening)


def put_opening(connection: Connection, channel_id: int, opening: Opening) -> None:
    """Store a channel's defaults for new tables."""
    put_setting(connection, _CHANNEL, channel_id, _KEY, msgspec.to_builtins(opening))


def _read(stored: object, kind: type[S]) -> S:
    """Convert stored settings field by field, leaving out fields this version cannot read."""
    kept: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if isinstance(stored, Mapping) and field.encode_name in stored:
            with suppress(msgspec.ValidationError):
                kept[field.name] = msgspec.convert(stored[field.encode_name], field.type)
    return kind(**kept)
