"""Which channels are told each morning about the deal of the day: a setting of the channel."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, select

from bot.store import days
from bot.store.backend.locks import one_at_a_time
from bot.store.days import DailyPlace
from bot.store.models import SettingRow, table_of
from bot.store.people import get_setting, put_setting
from bot.store.servers import opening_of, server_of
from bot.store.shards import ALL, Shards
from engine import catalog

_SETTINGS = table_of(SettingRow)
_CHANNEL, _KEY = "channel", "daily"
BEST: Final = 3
"""How many lines each board has."""


class Morning(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a channel wants that is told each morning."""

    guild_id: int
    locale: str = "en"
    """The language there when it was switched on; what is set for channel or server goes before it."""
    told: str = ""
    """The last day on which it was told, or was about to be."""


def morning_of(connection: Connection, channel_id: int) -> Morning | None:
    """What this channel wants, or None."""
    return _read(get_setting(connection, _CHANNEL, channel_id, _KEY))


def put_morning(connection: Connection, channel_id: int, morning: Morning | None) -> None:
    """Keep what this channel wants; None: nothing more."""
    one_at_a_time(connection, _CHANNEL, channel_id)
    if morning is not None:
        put_setting(connection, _CHANNEL, channel_id, _KEY, msgspec.to_builtins(morning))
        return
    mine = (_SETTINGS.c.scope == _CHANNEL, _SETTINGS.c.scope_id == channel_id, _SETTINGS.c.key == _KEY)
    connection.execute(delete(_SETTINGS).where(*mine))


def channels(connection: Connection, after: int, most: int) -> list[int]:
    """The next channels behind this one that want to be told."""
    query = select(_SETTINGS.c.scope_id).where(
        _SETTINGS.c.scope == _CHANNEL, _SETTINGS.c.scope_id > after, _SETTINGS.c.key == _KEY
    )
    return list(connection.execute(query.order_by(_SETTINGS.c.scope_id).limit(most)).scalars())


def untold(connection: Connection, channel_id: int, day: str, shards: Shards = ALL) -> Morning | None:
    """What this channel wants; None where it was told today, does not want it any more, or is in a server of
    another shard."""
    found = morning_of(connection, channel_id)
    return found if found is not None and found.told < day and shards.own(found.guild_id) else None


def claim(connection: Connection, channel_id: int, day: str, shards: Shards = ALL) -> Morning | None:
    """Note that this channel is told today, before it is; None where it is not to be told, see `untold`."""
    one_at_a_time(connection, _CHANNEL, channel_id)  # who switches it off meanwhile is not written over
    found = untold(connection, channel_id, day, shards)
    if found is None:
        return None
    claimed = msgspec.structs.replace(found, told=day)
    put_morning(connection, channel_id, claimed)
    said = opening_of(connection, channel_id).before(server_of(connection, found.guild_id)).locale
    return msgspec.structs.replace(claimed, locale=said or found.locale)


class DailyBoard(NamedTuple):
    """The best of one server on yesterday's deal of a game, and how many days in a row each has played."""

    game: str
    places: tuple[DailyPlace, ...]
    among: int
    streaks: tuple[int, ...]


class Summary(NamedTuple):
    """What is told on the morning of a day: yesterday's boards, and the games that have a deal today."""

    day: str
    boards: tuple[DailyBoard, ...]
    ready: frozenset[str]


def read(connection: Connection, day: str, guild_id: int) -> Summary:
    """What is told in a server on the morning of this day. Of today there is nothing in it but that there are
    deals: they are still being played."""
    before = days.shifted(day, -1)
    boards = []
    for game in catalog.listed():
        places, among = days.board_of_server(connection, before, game, guild_id, BEST)
        if places:
            streaks = tuple(days.streak(connection, place.user_id, before) for place in places)
            boards.append(DailyBoard(game, tuple(places), among, streaks))
    return Summary(day, tuple(boards), days.ready(connection, day))


def _read(stored: object) -> Morning | None:
    try:
        return msgspec.convert(stored, Morning) if stored else None
    except msgspec.ValidationError:
        return None  # a value of a newer version
