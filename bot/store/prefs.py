"""Stored preferences of a person or a channel. Every field has a default, so older rows can still be read."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, select

from bot.store.models import PlayerRow, table_of
from bot.store.people import get_setting, put_player, put_setting
from bot.store.personal_data import kept_limits

_PLAYERS = table_of(PlayerRow)
Palette = Literal["default", "contrast"]
Pings = Literal["mention", "direct", "none"]


class Pictures(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Picture settings: for everyone in a channel, or for one person."""

    palette: Palette = "default"
    """The colours of pictures."""
    large: bool = False
    """Whether pictures take the full width of the screen."""
    text_only: bool = False
    """Whether text replaces pictures."""
    still: bool = False
    """Whether animation is turned off."""


class Prefs(Pictures, frozen=True, omit_defaults=True, kw_only=True):
    """A person's own preferences: private views, name and notifications.

    A table's message, which everyone sees, is `still` if any of its players wants it to be.
    """

    confirm: bool = False
    """Whether each decision must be confirmed."""
    hints: bool = True
    """Whether hands offer a hint, if hints are allowed."""
    named: bool = False
    """Whether global leaderboards may show the person's name to people who have not met them."""
    hand_only: bool = False
    """Whether games against the computer alone are played in the hand only, in servers."""
    pings: Pings = "mention"
    """How the person is notified of their turn and of invitations."""
    title: str = ""
    """The achievement shown as the person's title, as `game:key`; empty for none."""
    holiday: int = 0
    """End of the current or last holiday, in milliseconds since 1970; 0 for never."""
    holiday_days: tuple[int, int] = (0, 0)
    """A year, and the number of holiday days taken in it."""
    zone: str = ""
    """The time zone in which the person writes times; empty if not set."""
    at_night: bool = False
    """Whether reminders come at night, too; see `bot.store.time_zones.night_ends`."""
    locale: str = ""
    """The language of private views; empty for the person's Discord language."""
    discord_locale: str = ""
    """The language of the person's Discord at their last press. It is kept only for people who want direct
    messages, and empty otherwise."""


def with_language(prefs: Prefs, locale: str) -> Prefs:
    """Return these preferences with the language of the person's Discord, if they want direct messages."""
    known = locale if prefs.pings == "direct" else ""
    return prefs if prefs.discord_locale == known else replace(prefs, discord_locale=known)


def prefs_of(connection: Connection, user_id: int) -> Prefs:
    """Return a person's preferences, or the defaults if they are missing or unreadable."""
    found = connection.execute(select(_PLAYERS.c.prefs).where(_PLAYERS.c.id == user_id)).scalar()
    try:
        prefs = msgspec.convert(found or {}, Prefs)
    except msgspec.ValidationError:
        prefs = Prefs()  # a newer version stored this value
    if prefs.holiday_days == Prefs().holiday_days:  # deleting personal data does not restore holiday days
        kept = kept_limits.find(connection, kept_limits.HOLIDAY, "", user_id, at=0)
        if kept is not None:
            prefs = replace(prefs, holiday_days=(kept.value["year"], kept.value["days"]))
    return prefs


def put_prefs(connection: Connection, user_id: int, name: str, prefs: Prefs, at: int) -> None:
    """Store a person's preferences."""
    put_player(connection, user_id, name, msgspec.to_builtins(prefs), at)


_CHANNEL, _KEY = "channel", "pictures"


def pictures_of(connection: Connection, channel_id: int) -> Pictures:
    """Return a channel's picture settings, or the defaults if they are missing or unreadable."""
    try:
        return msgspec.convert(get_setting(connection, _CHANNEL, channel_id, _KEY) or {}, Pictures)
    except msgspec.ValidationError:
        return Pictures()  # a newer version stored this value


def put_pictures(connection: Connection, channel_id: int, pictures: Pictures) -> None:
    """Store a channel's picture settings."""
    put_setting(connection, _CHANNEL, channel_id, _KEY, msgspec.to_builtins(pictures))
