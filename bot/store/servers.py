"""What a server and its channels agree on about tables that are opened there, as it is stored.

Every field has a default, and one that cannot be read (a value of a newer version) is as if nobody had said
anything: the others still hold.
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

Who = Literal["everybody", "role", "moderators"]
"""Who may do something: everybody, who has a certain role, or who may manage messages, who always may."""


class Opening(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """How tables begin that are opened in a channel; None where the server, or else the house, says it."""

    locale: str | None = None
    """The language in which they speak to everybody."""
    clock: int | None = None
    """Seconds that a turn may take, 0 for as long as it likes."""
    thread: bool | None = None
    """Whether they are played in a thread of their own."""
    access: Access | None = None
    """Who may sit down."""

    def before(self, wider: Opening) -> Opening:
        """This, and where it says nothing, what holds around it."""
        return Opening(
            locale=wider.locale if self.locale is None else self.locale,
            clock=wider.clock if self.clock is None else self.clock,
            thread=wider.thread if self.thread is None else self.thread,
            access=wider.access if self.access is None else self.access,
        )


class Limits(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The most tables that may be open here at a time; None for as many as the operator allows."""

    lobbies_of_person: int | None = None
    tables_of_person: int | None = None
    tables_of_channel: int | None = None
    tables_of_server: int | None = None


class Server(Opening, frozen=True, omit_defaults=True, kw_only=True):
    """What holds in a whole server."""

    channels: tuple[int, ...] = ()
    """Where tables may be opened; empty for everywhere."""
    games: tuple[str, ...] = ()
    """What may be opened; empty for all games."""
    open_by: Who = "everybody"
    """Who may open tables."""
    open_role: int = 0
    """With which role, where it goes by roles."""
    close_by: Who = "moderators"
    """Who may close tables that others opened."""
    close_role: int = 0
    """With which role, where it goes by roles."""
    limits: Limits = Limits()
    seek_role: int = 0
    """The role that is called when somebody looks for people; 0 for none."""


S = TypeVar("S", bound=msgspec.Struct)
_SETTINGS = table_of(SettingRow)
_SERVER, _CHANNEL, _KEY = "server", "channel", "tables"


def server_of(connection: Connection, guild_id: int) -> Server:
    """What holds in this server; the defaults where nobody said."""
    return _read(get_setting(connection, _SERVER, guild_id, _KEY), Server)


def every(connection: Connection) -> dict[int, Server]:
    """What holds in each server where somebody has said something."""
    rows = select(_SETTINGS.c.scope_id, _SETTINGS.c.value)
    here = rows.where(_SETTINGS.c.scope == _SERVER, _SETTINGS.c.key == _KEY)
    return {guild_id: _read(value, Server) for guild_id, value in connection.execute(here)}


def put_server(connection: Connection, guild_id: int, server: Server) -> None:
    """Keep what holds in this server."""
    put_setting(connection, _SERVER, guild_id, _KEY, msgspec.to_builtins(server))


def opening_of(connection: Connection, channel_id: int) -> Opening:
    """How tables of this channel begin; the defaults where nobody said."""
    return _read(get_setting(connection, _CHANNEL, channel_id, _KEY), Opening)


def put_opening(connection: Connection, channel_id: int, opening: Opening) -> None:
    """Keep how tables of this channel begin."""
    put_setting(connection, _CHANNEL, channel_id, _KEY, msgspec.to_builtins(opening))


def _read(stored: object, kind: type[S]) -> S:
    """What is stored, field by field: one that this version cannot read is left out."""
    kept: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if isinstance(stored, Mapping) and field.encode_name in stored:
            with suppress(msgspec.ValidationError):
                kept[field.name] = msgspec.convert(stored[field.encode_name], field.type)
    return kind(**kept)
