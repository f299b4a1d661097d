"""Time zones by their names, and the nights in them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.store.prefs import Prefs
from bot.store.time_zones import ALIASES, night_ends, zone_name, zone_of


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("berlin", "Europe/Berlin"),
        ("New York", "America/New_York"),
        ("UTC", "UTC"),
        ("utc+2", "UTC+02:00"),
        ("-3:30", "UTC-03:30"),
        ("GMT -5", "UTC-05:00"),
        ("Asia/Shanghai", "Asia/Shanghai"),
        ("臺北", "Asia/Taipei"),
        ("東京時間", "Asia/Tokyo"),
        ("紐約", "America/New_York"),
    ],
)
def test_zones_go_by_city_or_offset(typed: str, kept: str) -> None:
    found = zone_of(typed)
    assert found is not None
    assert zone_name(found) == kept
    assert zone_of(zone_name(found)) is not None


@pytest.mark.parametrize("typed", ["", "Atlantis", "UTC+25", "UTC+2:99", "../../etc/passwd"])
def test_there_are_no_other_zones(typed: str) -> None:
    assert zone_of(typed) is None


def test_every_further_name_leads_to_a_zone() -> None:
    for name, key in ALIASES.items():
        zone = zone_of(name.replace("_", " "))
        assert zone is not None, name
        assert zone_name(zone) == key


def test_an_abbreviation_of_two_zones_is_not_guessed() -> None:
    assert zone_of("CST") is None
    assert zone_of("IST") is None


def test_a_night_ends_at_eight_by_the_clocks_of_its_place() -> None:
    """In Berlin the clocks go back in the night to 26 October 2025, and forward in that to 29 March 2026."""
    berlin = Prefs(zone="Europe/Berlin")

    def ends(*evening: int) -> datetime:
        at = int(datetime(*evening, tzinfo=UTC).timestamp() * 1000)  # type: ignore[misc,arg-type]
        return datetime.fromtimestamp(night_ends(berlin, at) / 1000, UTC)

    assert ends(2025, 10, 25, 20) == datetime(2025, 10, 26, 7, tzinfo=UTC)
    assert ends(2026, 3, 28, 21) == datetime(2026, 3, 29, 6, tzinfo=UTC)
    assert ends(2026, 3, 28, 19) == datetime.fromtimestamp(0, UTC)


@pytest.mark.parametrize("prefs", [Prefs(), Prefs(zone="Atlantis"), Prefs(zone="Asia/Tokyo", at_night=True)])
def test_without_a_known_zone_there_is_no_night(prefs: Prefs) -> None:
    assert not any(night_ends(prefs, hour * 3_600_000) for hour in range(24))
