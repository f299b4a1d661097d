"""Time zones by the names people use, and the night in a person's own zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.store.prefs import Prefs
from bot.store.time_zone_names import ALIASES

LONGEST_ZONE: Final = 40
"""Maximum number of characters in the name of a zone."""
NIGHT: Final = (22, 8)
"""The hours at which a night begins and ends; reminders wait in between."""
_OFFSET = re.compile(r"(?:utc|gmt)?\s*([+-])\s*(\d{1,2})(?::?([0-5]\d))?")


def zone_of(name: str) -> tzinfo | None:
    """Return the time zone of this name ("Europe/Berlin", "berlin", "PST", "UTC+2"), or None."""
    text = name.strip().casefold()
    found = _OFFSET.fullmatch(text)
    if found:
        sign, hours, minutes = found.groups()
        shift = timedelta(hours=int(hours), minutes=int(minutes or 0))
        if shift > timedelta(hours=14):
            return None
        return timezone(shift if sign == "+" else -shift)
    known = _zones().get(text.removesuffix("时间").replace(" ", "_"))
    try:
        return ZoneInfo(known) if known else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_name(zone: tzinfo) -> str:
    """Return the name under which a zone is stored and shown."""
    if isinstance(zone, ZoneInfo):
        return zone.key
    shift = zone.utcoffset(None) or timedelta()
    minutes = int(shift.total_seconds()) // 60
    if not minutes:
        return "UTC"
    return f"UTC{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


@cache
def _zones() -> dict[str, str]:
    """Zones by what people call them: their name, and the last part of it where that is one zone alone."""
    every = sorted(available_timezones())
    cities: dict[str, set[str]] = {}
    for key in every:
        if "/" in key and not key.startswith(("Etc/", "posix/", "right/", "SystemV/")):
            cities.setdefault(key.rpartition("/")[2].casefold(), set()).add(key)
    # of names that several zones have, such as Louisville, the shortest is the usual one
    found = {city: min(keys, key=len) for city, keys in cities.items()}
    return found | {key.casefold(): key for key in every} | ALIASES | {"utc": "UTC", "gmt": "UTC"}


def night_ends(prefs: Prefs, at: int) -> int:
    """Return when the night ends in which a person wants no reminders, in milliseconds since 1970.

    0 if it is day for them at this time, their zone is unknown, or they want reminders at once.
    """
    zone = None if prefs.at_night else zone_of(prefs.zone)
    if zone is None:
        return 0
    here, (begins, ends) = datetime.fromtimestamp(at / 1000, zone), NIGHT
    if ends <= here.hour < begins:
        return 0
    day = here.date() + timedelta(days=here.hour >= begins)
    # through UTC: an hour that the clocks skip is read as the one after it
    return int(datetime.combine(day, time(ends), zone).astimezone(UTC).timestamp() * 1000)
