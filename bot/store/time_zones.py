"""Time zones by the names people use, and the night in a person's own zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta, timezone, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.store.prefs import Prefs
from bot.typed_names import simplified

LONGEST_ZONE: Final = 40
"""Maximum number of characters in the name of a zone."""
NIGHT: Final = (22, 8)
"""The hours at which a night begins and ends; reminders wait in between."""
_BY_ZONE: Final = {
    # regions rather than fixed offsets: in summer people write PST and mean the local time
    "America/Los_Angeles": "pst pdt pt san_francisco seattle san_diego 洛杉矶 旧金山 西雅图",
    "America/Denver": "mst mdt mt",
    "America/Chicago": "cdt ct houston dallas austin 芝加哥",  # CST is China's time, too
    "America/New_York": "est edt et boston washington miami philadelphia atlanta 纽约 波士顿 华盛顿",
    "America/Toronto": "ottawa 多伦多",
    "America/Vancouver": "温哥华",
    "America/Sao_Paulo": "brt rio rio_de_janeiro",
    "Europe/London": "bst manchester edinburgh 伦敦",
    "Europe/Berlin": "cest mez mesz munich münchen hamburg frankfurt cologne köln 柏林 慕尼黑",
    "Europe/Paris": "lyon 巴黎",
    "Europe/Rome": "milan 罗马",
    "Europe/Madrid": "barcelona 马德里",
    "Europe/Zurich": "geneva 苏黎世",
    "Europe/Moscow": "msk 莫斯科",
    "Asia/Shanghai": "beijing shenzhen guangzhou chengdu hangzhou nanjing wuhan china"
    " 中国 北京 上海 广州 深圳 成都 重庆 杭州 南京 武汉 西安 天津",
    "Asia/Hong_Kong": "hkt 香港",
    "Asia/Macau": "澳门",
    "Asia/Taipei": "台北 台湾",
    "Asia/Singapore": "sgt 新加坡",
    "Asia/Kuala_Lumpur": "吉隆坡",
    "Asia/Tokyo": "jst osaka 东京 大阪",
    "Asia/Seoul": "kst 首尔",
    "Asia/Kolkata": "mumbai delhi new_delhi bangalore india",
    "Australia/Sydney": "aest aedt canberra 悉尼",
    "Australia/Melbourne": "墨尔本",
}
"""Names that people use and the time zone database lacks: abbreviations and large cities."""
ALIASES: Final = {name: zone for zone, names in _BY_ZONE.items() for name in names.split()}
"""Zones by further names: casefolded, with underscores for spaces."""
_OFFSET = re.compile(r"(?:utc|gmt)?\s*([+-])\s*(\d{1,2})(?::?([0-5]\d))?")


def zone_of(name: str) -> tzinfo | None:
    """Return the time zone of this name ("Europe/Berlin", "berlin", "PST", "UTC+2"), or None."""
    text = simplified(name).strip().casefold()
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
