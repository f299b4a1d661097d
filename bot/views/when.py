"""When something is to be: times as people type them, and time zones.

Understood are "20:00", "8pm", "tomorrow 20:00", "Sat 8:30 pm", "2026-12-01 20:00", "1.12. 20:00" and
"in 2 hours", in Chinese "明天 20:00", "周六 20:00". A time without a day is the next such time; the day may
stand behind it. A zone at the end ("20:00 UTC+2", "8pm Berlin") holds for this time alone.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

LONGEST: Final = 40
"""How many signs a time or a zone may have."""
_OFFSET = re.compile(r"(?:utc|gmt)?\s*([+-])\s*(\d{1,2})(?::?(\d{2}))?")
_WITH_OFFSET = re.compile(r"(.*?)\s*((?:utc|gmt)\s*(?:[+-]\s*\d{1,2}(?::?\d{2})?)?)")
_WITH_SHIFT = re.compile(r"(.*(?::\d\d|m\.?|点))\s*([+-]\d{1,2}(?::?\d{2})?)")
_CITY_WORDS: Final = 3
"""How many words a zone at the end of a time may have."""
_CLOCK = re.compile(
    r"(\d{1,2})(?:(?:[:.：]|h|点)(\d{2})?)?\s*(am|pm|a\.m\.|p\.m\.)?(?:\s*(?:uhr|h|o'clock))?"
)
_LATER = re.compile(r"in\s*(\d{1,3})\s*(minutes?|mins?|m|hours?|hrs?|h|days?|d)")
_LATER_ZH = re.compile(r"(\d{1,3})\s*(分钟|小时|天)(?:后|以后|之后)?")
_ISO = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?")
_DOTTED = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.(?:\s*(\d{4}))?")
_MONTH_ZH = re.compile(r"(\d{1,2})月(\d{1,2})日?")
_DAYS: Final = {
    "today": 0,
    "tonight": 0,
    "tomorrow": 1,
    "tmr": 1,
    "今天": 0,
    "今晚": 0,
    "明天": 1,
    "明晚": 1,
    "后天": 2,
}
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT: Final = 2
_ZH_WEEK, _ZH_NUMBERS = re.compile(r"(?:周|星期|礼拜)([一二三四五六日天])"), "一二三四五六日"
_EVENING: Final = ("tonight", "今晚", "明晚", "晚上", "下午")


def zone_of(name: str) -> tzinfo | None:
    """The time zone of this name: "Europe/Berlin", "berlin", "UTC+2"; None where there is none."""
    text = name.strip().casefold()
    found = _OFFSET.fullmatch(text)
    if found:
        sign, hours, minutes = found.groups()
        shift = timedelta(hours=int(hours), minutes=int(minutes or 0))
        if shift > timedelta(hours=14):
            return None
        return timezone(shift if sign == "+" else -shift)
    known = _zones().get(text.replace(" ", "_"))
    try:
        return ZoneInfo(known) if known else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_name(zone: tzinfo) -> str:
    """The zone as it is kept and shown."""
    if isinstance(zone, ZoneInfo):
        return zone.key
    shift = zone.utcoffset(None) or timedelta()
    minutes = int(shift.total_seconds()) // 60
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
    return found | {key.casefold(): key for key in every} | {"utc": "UTC", "gmt": "UTC"}


def split_zone(text: str) -> tuple[str, tzinfo | None]:
    """A time as it was typed, and the zone at its end, None where it names none."""
    typed = _even(text)
    for pattern in (_WITH_OFFSET, _WITH_SHIFT):
        if (found := pattern.fullmatch(typed)) and (zone := zone_of(found[2])):
            return found[1], zone
    parts = typed.split()
    for count in range(1, min(_CITY_WORDS, len(parts) - 1) + 1):
        # what begins with a digit is a time or a date
        if (zone := zone_of(" ".join(parts[-count:]))) and not parts[-count][0].isdigit():
            return " ".join(parts[:-count]), zone
    return typed, None


def time_of(text: str, zone: tzinfo, now: datetime) -> datetime | None:
    """The moment that somebody in this zone means by a text; None where it is not understood. It may have
    passed, where a day was named."""
    typed, own = split_zone(text)
    here = now.astimezone(own or zone)
    if (later := _after(typed, here)) is not None:
        return later.replace(second=0, microsecond=0)
    parts = typed.split()
    # as it stands, then with the day, which may be several words, in front
    orders = [typed, *(" ".join(parts[n:] + parts[:n]) for n in range(1, len(parts)))]
    return next(filter(None, (_moment(order, here) for order in orders)), None)


def _even(text: str) -> str:
    return " ".join(text.strip().casefold().replace("，", " ").replace(",", " ").split())


def _moment(typed: str, here: datetime) -> datetime | None:
    day, rest = _day(typed, here)
    evening = any(word in typed for word in _EVENING)
    for word in (*_EVENING, "at ", "um ", "上午", "中午"):
        rest = rest.replace(word, " ")
    clock = _clock(rest.strip(), evening=evening)
    if clock is None or day is _UNREADABLE:
        return None
    chosen = datetime(*(day or here.date()).timetuple()[:3], *clock, tzinfo=here.tzinfo)
    if chosen > here or (day is not None and not _is_weekday(typed)):
        return chosen
    later = chosen.date() + timedelta(days=1 if day is None else 7)
    return datetime(*later.timetuple()[:3], *clock, tzinfo=here.tzinfo)


_UNREADABLE: Final = date.min


def _after(typed: str, here: datetime) -> datetime | None:
    """So much later: hours are hours, also where the clocks are changed meanwhile; days keep the time of
    day."""
    if found := _LATER.fullmatch(typed):
        count, size = int(found[1]), {"m": "minutes", "h": "hours", "d": "days"}[found[2][0]]
    elif found := _LATER_ZH.fullmatch(typed):
        count, size = int(found[1]), {"分": "minutes", "小": "hours", "天": "days"}[found[2][0]]
    else:
        return None
    if size == "days":
        return here + timedelta(days=count)
    return (here.astimezone(UTC) + timedelta(**{size: count})).astimezone(here.tzinfo)


def _day(typed: str, here: datetime) -> tuple[date | None, str]:
    """The day that is named, if one is, and the rest of the text."""
    today = here.date()
    for word, days in _DAYS.items():
        if re.match(rf"{word}(?![a-z])", typed):
            return today + timedelta(days=days), typed.removeprefix(word)
    if found := _ZH_WEEK.match(typed):
        number = _ZH_NUMBERS.find(found[1].replace("天", "日"))
        return _next_weekday(today, number), typed[found.end() :]
    if found := re.match(r"(?:on |next )?([a-z]{2,9})\.?(?![a-z])", typed):
        name = found[1]
        matching = [n for n, day in enumerate(_WEEKDAYS) if len(name) > _SHORT and day.startswith(name)]
        if len(matching) == 1:
            return _next_weekday(today, matching[0]), typed[found.end() :]
    for pattern, order in ((_ISO, (1, 2, 3)), (_DOTTED, (3, 2, 1)), (_MONTH_ZH, (0, 1, 2))):
        if found := pattern.match(typed):
            year, month, day = (found[n] if n else None for n in order)
            return _date(year, int(month or 0), int(day or 0), today), typed[found.end() :]
    return None, typed


def _date(year: str | None, month: int, day: int, today: date) -> date:
    for each in (int(year),) if year else (today.year, today.year + 1):
        try:
            found = date(each, month, day)
        except ValueError:  # there is no such day, or not in this year
            continue
        if year or found >= today:
            return found
    return _UNREADABLE


def _next_weekday(today: date, weekday: int) -> date:
    return today + timedelta(days=(weekday - today.weekday()) % 7)


def _is_weekday(typed: str) -> bool:
    named = typed.removeprefix("on ").removeprefix("next ")[:3]
    return bool(_ZH_WEEK.match(typed)) or any(named == day[:3] for day in _WEEKDAYS)


def _clock(text: str, *, evening: bool) -> tuple[int, int] | None:
    """Hour and minute."""
    found = _CLOCK.fullmatch(text)
    if not found:
        return None
    hour, minute, half = int(found[1]), int(found[2] or 0), (found[3] or "")[:1]
    if text.isdecimal() and not evening:
        return None  # a bare number may be a day as well
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    elif evening and 1 <= hour < 12:
        hour += 12
    return (hour, minute) if hour < 24 and minute < 60 else None
