"""Times and time zones as people type them.

Understood are "20:00", "8pm", "noon", "tomorrow 20:00", "Sat 8:30 pm", "2026-12-01 20:00", "1.12. 20:00",
"Dec 24 8pm", "in 2 hours", Discord's own "<t:1795700000:F>", and in Chinese "明天 20:00", "周六晚上八点半".
A time without a day is the next such time; the day may follow the time. A zone at the end ("20:00 UTC+2",
"8pm Berlin", "8pm PST") applies to this time only. Midnight is the end of its day.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final, Literal

from bot.store.time_zones import zone_of
from bot.typed_names import simplified

LONGEST: Final = 40
"""How many signs a time may have."""
_WITH_OFFSET = re.compile(r"(.*?)\s*((?:utc|gmt)\s*(?:[+-]\s*\d{1,2}(?::?[0-5]\d)?)?)")
_WITH_SHIFT = re.compile(r"(.*(?::\d\d|m\.?|点))\s*([+-]\d{1,2}(?::?[0-5]\d)?)")
_CITY_WORDS: Final = 3
"""How many words a zone at the end of a time may have."""
_CLOCK = re.compile(
    r"(\d{1,2})(?:(?:[:.：]|h|点)(\d{2}|半)?分?)?\s*(am|pm|a\.m\.|p\.m\.)?(?:\s*(?:uhr|h|o'clock))?"
)
_LATER = re.compile(r"in\s*(\d{1,3})\s*(minutes?|mins?|m|hours?|hrs?|h|days?|d)")
_LATER_ZH = re.compile(r"(\d{1,3})\s*个?(分钟|小时|天)(?:后|以后|之后)?")
_ISO = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?")
_DOTTED = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.(?:\s*(\d{4}))?")
_MONTH_ZH = re.compile(r"(\d{1,2})月(\d{1,2})日?")
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTH_FIRST = re.compile(r"(?:on )?([a-z]{3,9})\.?\s*(\d{1,2})(?:st|nd|rd|th)?(?![\d:：.])(?:\s+(\d{4})\b)?")
_DAY_FIRST = re.compile(
    r"(?:on )?(?:the )?(\d{1,2})(?:st|nd|rd|th)?\.?\s*(?:of )?([a-z]{3,9})\b\.?(?:\s+(\d{4})\b)?"
)
_STAMP = re.compile(r"<t:(\d{1,11})(?::[a-z])?>")
"""A time as Discord writes it, which every client shows in its own zone."""
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
_ZH_DIGITS: Final = "零一二三四五六七八九十"
_ZH_NUMBER = re.compile(
    # the first digit of 周二十点 names the day
    r"(?<![周期拜月])(二十[一二三]?|十[一二三四五六七八九]?|[一二两三四五六七八九])(?=点|个?小时|分钟|天)"
)
_TONIGHT: Final = ("tonight", "今晚")
_NIGHT: Final = (*_TONIGHT, "明晚", "晚上")
_EVENING: Final = (*_NIGHT, "下午")
_NOON, _MIDNIGHT = ("noon", "midday", "12 noon", "正午"), ("midnight", "12 midnight", "午夜", "半夜")
_END_OF_DAY: Final = 24
"""The hour of midnight."""
_AFTER_NOON: Final = 4
"""Hours below this one are after noon when they are said to be around noon (中午1点)."""
_SMALL_HOURS: Final = 5
"""Hours below this one of a night (tonight 1:40) belong to the next day."""


def is_stamp(text: str) -> bool:
    """Return whether a time is written as Discord does, `<t:1795700000:F>`, so that it needs no zone."""
    return _STAMP.fullmatch(_even(text)) is not None


def split_zone(text: str) -> tuple[str, tzinfo | None]:
    """Return a time as it was typed and the zone that it names, if any. Discord's own times need none."""
    typed = _even(text)
    if is_stamp(typed):
        return typed, UTC
    for pattern in (_WITH_OFFSET, _WITH_SHIFT):
        if (found := pattern.fullmatch(typed)) and (zone := zone_of(found[2])):
            return found[1], zone
    parts = typed.split()
    for count in range(1, min(_CITY_WORDS, len(parts) - 1) + 1):
        # what begins with a digit is a time or a date
        if (zone := zone_of(" ".join(parts[-count:]))) and not parts[-count][0].isdigit():
            return " ".join(parts[:-count]), zone
    if len(parts) > 1 and parts[0].endswith("时间") and (zone := zone_of(parts[0])):
        return " ".join(parts[1:]), zone
    return typed, None


def time_of(text: str, zone: tzinfo, now: datetime) -> datetime | None:
    """The moment that somebody in this zone means by a text; None where it is not understood. It may have
    passed, where a day was named."""
    typed, own = split_zone(text)
    if stamp := _STAMP.fullmatch(typed):
        return datetime.fromtimestamp(int(stamp[1]), UTC)
    here = now.astimezone(own or zone)
    if (later := _after(typed, here)) is not None:
        return later.replace(second=0, microsecond=0)
    parts = typed.split()
    # as it stands, then with the day, which may be several words, in front
    orders = [typed, *(" ".join(parts[n:] + parts[:n]) for n in range(1, len(parts)))]
    return next(filter(None, (_moment(order, here) for order in orders)), None)


def _even(text: str) -> str:
    typed = " ".join(simplified(text).strip().casefold().replace("，", " ").replace(",", " ").split())
    return _ZH_NUMBER.sub(lambda found: str(_zh_number(found[1])), typed)


def _zh_number(text: str) -> int:
    """Return the value of 一 to 二十三."""
    tens, ten, ones = text.replace("两", "二").rpartition("十")
    value = _ZH_DIGITS.index(ones) if ones else 0
    return value + (10 * (_ZH_DIGITS.index(tens) if tens else 1) if ten else 0)


def _moment(typed: str, here: datetime) -> datetime | None:
    day, rest, weekly = _day(typed, here)
    evening, at_noon = any(word in typed for word in _EVENING), "中午" in typed
    for word in (*_EVENING, "at ", "um ", "上午", "早上", "凌晨", "中午"):
        rest = rest.replace(word, " ")
    by_night = any(word in typed for word in _NIGHT)
    clock = _clock(rest.strip() or ("noon" if at_noon else ""), evening=evening, by_night=by_night)
    if clock is None or day is _UNREADABLE:
        return None
    hour, minute = clock
    if at_noon and hour < _AFTER_NOON:
        hour += 12
    if (day is None or any(word in typed for word in _TONIGHT)) and hour >= _END_OF_DAY:
        this_night = _at(here.date() - timedelta(days=1), hour, minute, here)
        if _is_later(this_night, here):
            return this_night
    chosen = _at(day or here.date(), hour, minute, here)
    if _is_later(chosen, here) or (day is not None and not weekly):
        return chosen
    return _at((day or here.date()) + timedelta(days=1 if day is None else 7), hour, minute, here)


def _at(day: date, hour: int, minute: int, here: datetime) -> datetime:
    """Return a time of day; hours from 24 on are those of the next day."""
    day, hour = day + timedelta(days=hour // _END_OF_DAY), hour % _END_OF_DAY
    chosen = datetime(day.year, day.month, day.day, hour, minute, tzinfo=here.tzinfo)
    # in the night in which clocks go back, an hour comes twice
    return chosen if _is_later(chosen, here) else chosen.replace(fold=1)


def clock_change(time: datetime) -> Literal["skipped", "first", "second"] | None:
    """Return what a change of the clocks does to a time of day; None if it does nothing.

    The clocks skip it, so that the moment has a later name, or they show it twice, and it is the first or the
    second of both.
    """
    if time.astimezone(UTC).astimezone(time.tzinfo).replace(tzinfo=None) != time.replace(tzinfo=None):
        return "skipped"
    if time.replace(fold=0).utcoffset() != time.replace(fold=1).utcoffset():
        return "second" if time.fold else "first"
    return None


def _is_later(time: datetime, here: datetime) -> bool:
    """Compare moments; two times of one zone would be compared by their clocks."""
    return time.timestamp() > here.timestamp()


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


def _day(typed: str, here: datetime) -> tuple[date | None, str, bool]:
    """Return the day that is named, if any, the rest of the text, and whether the day is a weekday's next."""
    today = here.date()
    for word, days in _DAYS.items():
        if re.match(rf"{word}(?![a-z])", typed):
            return today + timedelta(days=days), typed.removeprefix(word), False
    weekday, rest = _weekday(typed)
    found = _dated(rest.strip(), today)
    if found is not None:
        return *found, False
    if weekday is None:
        return None, typed, False
    return _next_weekday(today, weekday), rest, True


def _weekday(typed: str) -> tuple[int | None, str]:
    """Return the weekday with which a text begins, if any, and the rest."""
    if found := _ZH_WEEK.match(typed):
        return _ZH_NUMBERS.find(found[1].replace("天", "日")), typed[found.end() :]
    if found := re.match(r"(?:on |next )?([a-z]{2,9})\.?(?![a-z])", typed):
        matching = _named(found[1], _WEEKDAYS)
        if matching is not None:
            return matching, typed[found.end() :]
    return None, typed


def _named(name: str, names: tuple[str, ...]) -> int | None:
    """Return the place of the one name that begins like this."""
    matching = [n for n, each in enumerate(names) if len(name) > _SHORT and each.startswith(name)]
    return matching[0] if len(matching) == 1 else None


def _dated(typed: str, today: date) -> tuple[date, str] | None:
    """Return the date with which a text begins, if any, and the rest."""
    for pattern, order in ((_ISO, (1, 2, 3)), (_DOTTED, (3, 2, 1)), (_MONTH_ZH, (0, 1, 2))):
        if found := pattern.match(typed):
            year, month, day = (found[n] if n else None for n in order)
            return _date(year, int(month or 0), int(day or 0), today), typed[found.end() :]
    for pattern, (of_month, of_day) in ((_MONTH_FIRST, (1, 2)), (_DAY_FIRST, (2, 1))):
        if (found := pattern.match(typed)) and (number := _named(found[of_month], _MONTHS)) is not None:
            return _date(found[3], number + 1, int(found[of_day]), today), typed[found.end() :]
    return None


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


def _clock(text: str, *, evening: bool, by_night: bool) -> tuple[int, int] | None:
    """Return hour and minute; midnight is hour 24, and the hours of a night after it are those from 24 on."""
    if text in _NOON:
        return 12, 0
    if text in _MIDNIGHT:
        return _END_OF_DAY, 0
    found = _CLOCK.fullmatch(text)
    if not found:
        return None
    hour, minute, half = int(found[1]), 30 if found[2] == "半" else int(found[2] or 0), (found[3] or "")[:1]
    if text.isdecimal() and not evening:
        return None  # a bare number may be a day as well
    if half and not 1 <= hour <= 12:
        return None
    if hour >= _END_OF_DAY or minute >= 60:
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else _END_OF_DAY if by_night else 0)
    elif by_night and hour % 12 < _SMALL_HOURS and hour <= 12:
        hour = hour % 12 + _END_OF_DAY
    elif evening and 1 <= hour < 12:
        hour += 12
    return hour, minute
