"""Which channels are told each morning about the deal of the day: a setting of the channel."""

from __future__ import annotations

from collections.abc import Collection
from itertools import zip_longest
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
SPARE: Final = 7
"""Number of people looked up besides, in case some of the best have left the server."""


class Morning(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a channel wants that is told each morning."""

    guild_id: int
    locale: str = "en"
    """The language there when it was switched on; what is set for channel or server goes before it."""
    told: str = ""
    """The last day on which it was told, or was about to be; in the channel's zone."""
    hour: int = 6
    """The hour from which on it is told."""
    zone: str = "UTC"
    """The zone of that hour, as `bot.store.time_zones.zone_name` writes it."""

    trouble: str = ""
    """The reason why the last summary could not be posted, as a key of the words. The server knows."""

    def was_told(self, day: str) -> bool:
        """Return whether it was told on this day.

        The day after counts, too: it may have been noted in another zone. A day further ahead was noted by a
        clock that was wrong.
        """
        return day <= self.told <= days.shifted(day, 1)


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


def channels(connection: Connection, after: int, most: int) -> dict[int, Morning | None]:
    """Return the next channels with a morning summary and their settings, None for an unreadable setting."""
    query = select(_SETTINGS.c.scope_id, _SETTINGS.c.value).where(
        _SETTINGS.c.scope == _CHANNEL, _SETTINGS.c.scope_id > after, _SETTINGS.c.key == _KEY
    )
    found = connection.execute(query.order_by(_SETTINGS.c.scope_id).limit(most)).all()
    return {row.scope_id: _read(row.value) for row in found}


def untold(connection: Connection, channel_id: int, day: str, shards: Shards = ALL) -> Morning | None:
    """What this channel wants; None where it was told today, does not want it any more, or is in a server of
    another shard."""
    found = morning_of(connection, channel_id)
    if found is None or found.was_told(day) or not shards.own(found.guild_id):
        return None
    return found


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


def note_trouble(connection: Connection, channel_id: int, trouble: str) -> bool:
    """Note what kept a summary from being posted; "" for nothing. Return whether something else was noted."""
    one_at_a_time(connection, _CHANNEL, channel_id)
    found = morning_of(connection, channel_id)
    if found is None or found.trouble == trouble:
        return False
    put_morning(connection, channel_id, msgspec.structs.replace(found, trouble=trouble))
    return True


class DailyBoard(NamedTuple):
    """The best of one server on yesterday's deal of a game, and how many days in a row each has played."""

    game: str
    places: tuple[DailyPlace, ...]
    among: int
    streaks: tuple[int, ...]


class Summary(NamedTuple):
    """Content of a morning summary: the boards of the last finished deals, and today's games."""

    day: str
    boards: tuple[DailyBoard, ...]
    ready: frozenset[str]
    before: str = ""
    """The day of the boards, if it is not yesterday: some of yesterday's deals are still being played."""


def best(connection: Connection, at: int, guild_id: int) -> list[int]:
    """Return the people who may be in a server's summary at this time, the best of each game first."""
    before = _day_of_boards(at)
    found = (
        days.best_of_server(connection, before, game, guild_id, BEST + SPARE) for game in catalog.listed()
    )
    return [user for some in zip_longest(*found) for user in dict.fromkeys(some) if user is not None]


def _day_of_boards(at: int) -> str:
    return days.shifted(days.day_of(at - days.GRACE_MS), -1)


def read(connection: Connection, at: int, guild_id: int, departed: Collection[int] = ()) -> Summary:
    """Return a server's summary at this time, in milliseconds. It reveals nothing of deals that are still
    being played, and leaves out people who have `departed` from the server."""
    day, before = days.day_of(at), _day_of_boards(at)
    boards = []
    for game in catalog.listed():
        places, among = days.board_of_server(connection, before, game, guild_id, most=BEST, departed=departed)
        if places:
            streaks = tuple(days.streak(connection, place.user_id, before) for place in places)
            boards.append(DailyBoard(game, tuple(places), among, streaks))
    late = before if before != days.shifted(day, -1) else ""
    return Summary(day, tuple(boards), days.ready(connection, day), late)


def _read(stored: object) -> Morning | None:
    try:
        return msgspec.convert(stored, Morning) if stored else None
    except msgspec.ValidationError:
        return None  # a value of a newer version
