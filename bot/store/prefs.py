"""What a person or a channel prefers, as it is stored: every field has a default, so older rows can still be
read."""

from __future__ import annotations

from typing import Literal

import msgspec
from sqlalchemy import Connection, select

from bot.store.models import PlayerRow, table_of
from bot.store.people import get_setting, put_player, put_setting

_PLAYERS = table_of(PlayerRow)
Palette = Literal["default", "contrast"]
Pings = Literal["mention", "direct", "none"]


class Pictures(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """How pictures are shown: to everybody in a channel, or to one person."""

    palette: Palette = "default"
    """Their colours."""
    large: bool = False
    """Whether they take the whole width of the screen."""
    text_only: bool = False
    """Whether words stand in their place."""
    still: bool = False
    """Whether nothing in them moves."""


class Prefs(Pictures, frozen=True, omit_defaults=True, kw_only=True):
    """What a person alone sees, and how they are called.

    A table's message, which everybody sees, is `still` where one of those who sit there wants it to be.
    """

    confirm: bool = False
    """Whether each decision is asked once more."""
    hints: bool = True
    """Whether hands offer a hint, where that is allowed."""
    named: bool = False
    """Whether leaderboards of all servers name the person where nobody has met them."""
    pings: Pings = "mention"
    """How the person hears that it is their turn, or that they are invited."""
    title: str = ""
    """The achievement whose name they bear as a title, `game:key`; empty for none."""
    holiday: int = 0
    """Until when they are on holiday, in milliseconds since 1970; 0 for never yet."""
    holiday_days: tuple[int, int] = (0, 0)
    """A year, and how many days of holiday they have taken in it."""
    zone: str = ""
    """The time zone in which they name times; empty while they have not said."""
    locale: str = ""
    """The language of what they alone see; empty for that of their Discord."""


def prefs_of(connection: Connection, user_id: int) -> Prefs:
    """What this person prefers; the defaults where nobody said or a row cannot be read."""
    found = connection.execute(select(_PLAYERS.c.prefs).where(_PLAYERS.c.id == user_id)).scalar()
    try:
        return msgspec.convert(found or {}, Prefs)
    except msgspec.ValidationError:
        return Prefs()  # a value of a newer version


def put_prefs(connection: Connection, user_id: int, name: str, prefs: Prefs, at: int) -> None:
    """Keep what a person prefers."""
    put_player(connection, user_id, name, msgspec.to_builtins(prefs), at)


_CHANNEL, _KEY = "channel", "pictures"


def pictures_of(connection: Connection, channel_id: int) -> Pictures:
    """How this channel shows pictures; the defaults where nobody said or a row cannot be read."""
    try:
        return msgspec.convert(get_setting(connection, _CHANNEL, channel_id, _KEY) or {}, Pictures)
    except msgspec.ValidationError:
        return Pictures()  # a value of a newer version


def put_pictures(connection: Connection, channel_id: int, pictures: Pictures) -> None:
    """Keep how this channel shows pictures."""
    put_setting(connection, _CHANNEL, channel_id, _KEY, msgspec.to_builtins(pictures))
