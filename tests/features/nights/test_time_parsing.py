"""Times and zones as people type them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.features.nights.time_parsing import clock_change, split_zone, time_of
from bot.store.time_zones import zone_of

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
"""A Sunday, 13:00 in Berlin."""


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("20:00", "2026-11-22 20:00"),
        ("8pm", "2026-11-22 20:00"),
        ("8:30 pm", "2026-11-22 20:30"),
        ("20.15", "2026-11-22 20:15"),
        ("12 am", "2026-11-23 00:00"),
        ("9:00", "2026-11-23 09:00"),
        ("today 20:00", "2026-11-22 20:00"),
        ("today 9:00", "2026-11-22 09:00"),
        ("tonight 8", "2026-11-22 20:00"),
        ("tonight 5", "2026-11-22 17:00"),
        ("tonight 1:40", "2026-11-23 01:40"),
        ("tonight 1 am", "2026-11-23 01:00"),
        ("tonight 12", "2026-11-23 00:00"),
        ("tonight 12:30", "2026-11-23 00:30"),
        ("tonight 0:30", "2026-11-23 00:30"),
        ("tonight at midnight", "2026-11-23 00:00"),
        ("今晚一点", "2026-11-23 01:00"),
        ("今晚十二点半", "2026-11-23 00:30"),
        ("明晚1点", "2026-11-24 01:00"),
        ("周六晚上一点", "2026-11-29 01:00"),
        ("今天下午3点", "2026-11-22 15:00"),
        ("Tomorrow 20:00", "2026-11-23 20:00"),
        ("tomorrow at 8 pm", "2026-11-23 20:00"),
        ("Sat 20:00", "2026-11-28 20:00"),
        ("saturday, 20:00", "2026-11-28 20:00"),
        ("Sun 20:00", "2026-11-22 20:00"),
        ("Sun 12:00", "2026-11-29 12:00"),
        ("on Sun 12:00", "2026-11-29 12:00"),
        ("12:00 on Sun", "2026-11-29 12:00"),
        ("next fri 19:30", "2026-11-27 19:30"),
        ("2026-12-01 20:00", "2026-12-01 20:00"),
        ("1.12. 20:00", "2026-12-01 20:00"),
        ("1.2. 20:00", "2027-02-01 20:00"),
        ("1.12.2026 20:00", "2026-12-01 20:00"),
        ("in 2 hours", "2026-11-22 15:00"),
        ("in 45 min", "2026-11-22 13:45"),
        ("明天 20:00", "2026-11-23 20:00"),
        ("周六 20:00", "2026-11-28 20:00"),
        ("今晚8点", "2026-11-22 20:00"),
        ("12月1日 20:00", "2026-12-01 20:00"),
        ("2小时后", "2026-11-22 15:00"),
        ("20:00 tomorrow", "2026-11-23 20:00"),
        ("8 pm on Sat", "2026-11-28 20:00"),
        ("20:00 next fri", "2026-11-27 20:00"),
        ("20:00 1.12.", "2026-12-01 20:00"),
        ("Dec 24 8pm", "2026-12-24 20:00"),
        ("December 24th, 8 pm", "2026-12-24 20:00"),
        ("8pm Dec 24", "2026-12-24 20:00"),
        ("24 Dec 20:00", "2026-12-24 20:00"),
        ("the 24th of December 20:00", "2026-12-24 20:00"),
        ("20:00 on 24 Dec.", "2026-12-24 20:00"),
        ("Thu, Dec 24, 8pm", "2026-12-24 20:00"),
        ("Thursday 24 December 2026 20:00", "2026-12-24 20:00"),
        ("Dec 24 2027 20:00", "2027-12-24 20:00"),
        ("may 5 20:00", "2027-05-05 20:00"),
        ("Sat 21 Nov 20:00", "2027-11-21 20:00"),
        ("noon", "2026-11-23 12:00"),
        ("tomorrow noon", "2026-11-23 12:00"),
        ("at noon on Sat", "2026-11-28 12:00"),
        ("midnight", "2026-11-23 00:00"),
        ("Sat midnight", "2026-11-29 00:00"),
        ("<t:1795700000:F>", "2026-11-26 14:33"),
        ("<t:1795700000>", "2026-11-26 14:33"),
        (" <t:1795700000:R> ", "2026-11-26 14:33"),
        ("明天中午", "2026-11-23 12:00"),
        ("明天中午1点", "2026-11-23 13:00"),
        ("明天中午12点", "2026-11-23 12:00"),
        ("今晚八点", "2026-11-22 20:00"),
        ("今晚八點", "2026-11-22 20:00"),
        ("後天晚上八點半", "2026-11-24 20:30"),
        ("週六 20:00", "2026-11-28 20:00"),
        ("禮拜六晚上八點", "2026-11-28 20:00"),
        ("兩個小時後", "2026-11-22 15:00"),
        ("45分鐘後", "2026-11-22 13:45"),
        ("周六晚上八点半", "2026-11-28 20:30"),
        ("周六晚上8点30分", "2026-11-28 20:30"),
        ("周二十点", "2026-11-24 10:00"),
        ("明天二十点", "2026-11-23 20:00"),
        ("明天早上十点", "2026-11-23 10:00"),
        ("两个小时后", "2026-11-22 15:00"),
    ],
)
def test_what_people_type_is_understood(typed: str, meant: str) -> None:
    zone = zone_of("Europe/Berlin")
    assert zone is not None
    found = time_of(typed, zone, NOW)
    assert found is not None, typed
    assert found.astimezone(zone).strftime("%Y-%m-%d %H:%M") == meant
    assert found.tzinfo is not None


@pytest.mark.parametrize(
    ("typed", "in_utc"),
    [
        ("20:00 UTC+2", "2026-11-22 18:00"),
        ("20:00 utc", "2026-11-22 20:00"),
        ("tomorrow 8pm GMT -5", "2026-11-24 01:00"),
        ("20:00+02:00", "2026-11-22 18:00"),
        ("2026-12-01 20:00 -0330", "2026-12-01 23:30"),
        ("sat 19:00 New York", "2026-11-29 00:00"),
        ("19:00 Europe/Berlin", "2026-11-22 18:00"),
        ("2026-12-01 20:00", "2026-12-01 19:00"),
        ("8pm PST", "2026-11-23 04:00"),
        ("2027-07-01 20:00 EST", "2027-07-02 00:00"),
        ("noon PT", "2026-11-22 20:00"),
        ("20:00 San Francisco", "2026-11-23 04:00"),
        ("20:00 Beijing", "2026-11-23 12:00"),
        ("明天 20:00 北京", "2026-11-23 12:00"),
        ("北京时间 20:00", "2026-11-23 12:00"),
        ("20:00 北京时间", "2026-11-23 12:00"),
        ("<t:1795700000:F>", "2026-11-26 13:33"),
    ],
)
def test_a_time_may_name_its_zone(typed: str, in_utc: str) -> None:
    zone = zone_of("Europe/Berlin")
    assert zone is not None
    found = time_of(typed, zone, NOW)
    assert found is not None, typed
    assert found.astimezone(UTC).strftime("%Y-%m-%d %H:%M") == in_utc
    assert (split_zone(typed)[1] is None) == (typed == "2026-12-01 20:00")


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "soon",
        "25:00",
        "20:61",
        "13pm",
        "2026-13-01 20:00",
        "31.2. 20:00",
        "20",
        "someday 20:00",
        "s 20:00",
        "20:00 UTC+25",
        "20:00 Atlantis",
        "20:00 20:00",
        "UTC+2",
        "<t:>",
        "<t:abc:F>",
        "<t:999999999999:F>",
        "<@1795700000>",
        "Dec 32 20:00",
        "Feb 30 20:00",
        "Dec 24",
        "ma 5 20:00",
        "December",
        "Thu Dec 24",
    ],
)
def test_what_cannot_be_meant_is_nothing(typed: str) -> None:
    zone = zone_of("UTC")
    assert zone is not None
    assert time_of(typed, zone, NOW) is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("in 2 hours", "2027-03-28 04:30"),  # there is no 02:30 in that night
        ("in 90 minutes", "2027-03-28 04:00"),
        ("in 24 hours", "2027-03-29 02:30"),
        ("in 2 days", "2027-03-30 01:30"),
    ],
)
def test_hours_are_hours_when_the_clocks_are_changed(typed: str, meant: str) -> None:
    now = datetime(2027, 3, 28, 0, 30, tzinfo=UTC)  # 01:30 in Berlin
    zone = zone_of("Europe/Berlin")
    assert zone is not None
    found = time_of(typed, zone, now)
    assert found is not None
    assert f"{found:%Y-%m-%d %H:%M}" == meant


@pytest.mark.parametrize(
    ("minutes", "in_utc"),
    [
        (0, "00:30"),  # at 01:00: the first 02:30 of two is meant
        (70, "00:30"),  # at the first 02:10
        (90, "01:30"),  # the first has just passed
        (130, "01:30"),  # at the second 02:10
        (150, "01:30"),  # the second has just passed: tomorrow
    ],
)
def test_an_hour_that_comes_twice_is_the_next_of_both(minutes: int, in_utc: str) -> None:
    now = datetime(2027, 10, 30, 23, 0, tzinfo=UTC) + timedelta(minutes=minutes)  # 01:00 in Berlin
    zone = zone_of("Europe/Berlin")
    assert zone is not None
    found = time_of("02:30", zone, now)
    assert found is not None
    assert found.timestamp() > now.timestamp()
    assert f"{found.astimezone(UTC):%H:%M}" == in_utc


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("tonight 1:40", "2026-11-23 01:40"),
        ("今晚1点40分", "2026-11-23 01:40"),
        ("晚上1点40分", "2026-11-23 01:40"),
        ("tonight 1:05", "2026-11-24 01:05"),
        ("tonight 8", "2026-11-23 20:00"),
        ("tonight 11 pm", "2026-11-23 23:00"),
        ("midnight", "2026-11-24 00:00"),
        ("tomorrow 1:40", "2026-11-24 01:40"),
    ],
)
def test_after_midnight_tonight_is_the_night_that_has_begun(typed: str, meant: str) -> None:
    ten_past_one = datetime(2026, 11, 23, 1, 10, tzinfo=UTC)
    found = time_of(typed, UTC, ten_past_one)
    assert found is not None
    assert f"{found:%Y-%m-%d %H:%M}" == meant


@pytest.mark.parametrize(
    ("zone", "typed", "change", "in_utc"),
    [
        ("New York", "2027-03-14 2:30", "skipped", "2027-03-14 07:30"),
        ("Cairo", "2027-04-29 midnight", "skipped", "2027-04-29 22:00"),
        ("Berlin", "2027-03-28 02:00", "skipped", "2027-03-28 01:00"),
        ("Lord Howe", "2026-12-31 20:00", None, "2026-12-31 09:00"),
        ("New York", "2027-03-14 3:00", None, "2027-03-14 07:00"),
        ("New York", "2026-12-06 1:30", None, "2026-12-06 06:30"),
        ("New York", "2027-11-07 1:30", "first", "2027-11-07 05:30"),
        ("New York", "2027-11-07 1:30 UTC-5", None, "2027-11-07 06:30"),
    ],
)
def test_hours_that_clocks_skip_or_show_twice_are_known(
    zone: str, typed: str, change: str | None, in_utc: str
) -> None:
    here = zone_of(zone)
    assert here is not None
    found = time_of(typed, here, NOW)
    assert found is not None
    assert clock_change(found) == change
    assert f"{found.astimezone(UTC):%Y-%m-%d %H:%M}" == in_utc


def test_the_second_of_two_equal_hours_is_meant_once_the_first_has_passed() -> None:
    now = datetime(2027, 11, 7, 5, 45, tzinfo=UTC)  # the first 1:45 in New York
    here = zone_of("New York")
    assert here is not None
    found = time_of("1:30", here, now)
    assert found is not None
    assert clock_change(found) == "second"


def test_a_leap_day_of_next_year_is_understood() -> None:
    new_year = datetime(2027, 12, 31, 12, 0, tzinfo=UTC)
    found = time_of("29.2. 20:00", UTC, new_year)
    assert found is not None
    assert f"{found:%Y-%m-%d}" == "2028-02-29"
    assert time_of("30.2. 20:00", UTC, new_year) is None


def test_summer_and_winter_are_told_apart() -> None:
    zone = zone_of("berlin")
    assert zone is not None
    summer = time_of("2027-07-01 20:00", zone, NOW)
    winter = time_of("2026-12-01 20:00", zone, NOW)
    assert summer is not None
    assert winter is not None
    assert (summer.astimezone(UTC).hour, winter.astimezone(UTC).hour) == (18, 19)
