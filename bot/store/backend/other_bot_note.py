"""The time when another bot last answered with the same token, stored as a setting of the application."""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import Connection, select

from bot.store.models import SettingRow, table_of
from bot.store.people import put_setting

_SETTINGS = table_of(SettingRow)
_SCOPE, _KEY = "application", "other_bot"
NOTE_MS: Final = 3_600_000
"""Milliseconds between two notes by the same process."""
FRESH_MS: Final = 24 * NOTE_MS
"""Milliseconds for which `valence doctor` reports a note."""


class OtherBotAnswer(msgspec.Struct, frozen=True):
    """The time of the other bot's last answer, in milliseconds."""

    at: int


def note(connection: Connection, application_id: int, at: int) -> None:
    """Store the time at which another bot answered first."""
    put_setting(connection, _SCOPE, application_id, _KEY, msgspec.to_builtins(OtherBotAnswer(at)))


def last_seen(connection: Connection) -> int | None:
    """Return when another bot last answered first, or None."""
    query = select(_SETTINGS.c.value).where(_SETTINGS.c.scope == _SCOPE, _SETTINGS.c.key == _KEY)
    return max(
        (msgspec.convert(value, OtherBotAnswer).at for value in connection.scalars(query)), default=None
    )
