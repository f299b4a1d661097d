"""The morning of a day: told once a day and channel, over restarts, lost answers and lost channels."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from bot.core.scheduler import RETRY
from bot.features.daily import morning_rows as mornings
from bot.features.daily.morning_rows import Morning, Summary
from bot.features.daily.morning_service import AT_ONCE, HOURS, first_after, next_at
from bot.store import days, people, servers
from bot.store.database import StoreError
from bot.store.days import DailyResult
from bot.store.servers import Opening
from bot.table.ports import DiscordFailure
from bot.table.registry import Tables
from tests.support.tables.results import add_game
from tests.support.tables.tables import ManualClock, Notebook, close_tables, opened_tables, settle
from tests.support.waiting import turns

DAY = "2027-03-14"
SEVEN = days.begins_at(DAY) + 7 * 3_600_000
HERE, ELSEWHERE = 70, 71


class Silent(Notebook):
    """Discord does not answer for some channels, and takes its time for all."""

    def __init__(self, passing: Collection[int]) -> None:
        super().__init__()
        self._passing = passing
        self.asked: list[int] = []
        self._at_once = self.most_at_once = 0

    async def morning(self, channel_id: int, morning: Morning, summary: Summary) -> None:
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        await turns(5)
        self._at_once -= 1
        self.asked.append(channel_id)
        if channel_id in self._passing:
            raise DiscordFailure("discord", passing=True)


def _silence(*_: object) -> Summary:
    raise StoreError("slow", "silent in the middle")


async def wanting(tables: Tables, *channels: int, told: str = "2027-03-13", **when: Any) -> None:
    for channel in channels:
        morning = Morning(guild_id=HERE, locale="en", told=told, **when)
        await tables.database.write_at_once(lambda c: mornings.put_morning(c, channel, morning))  # noqa: B023 - written at once


async def at(path: Path, now: int = SEVEN) -> tuple[Tables, ManualClock, Notebook]:
    book = Notebook()
    tables, clock, _ = await opened_tables(path, ManualClock(now), publisher=book)
    return tables, clock, book


async def look(tables: Tables) -> None:
    """Let an hour pass, and post to every channel in which it is morning."""
    await tables.runtime.upkeep.round()
    await settle(tables)


def told(book: Notebook) -> list[int]:
    return sorted(channel for channel, _, _ in book.mornings)


async def kept(tables: Tables, channel: int) -> Morning | None:
    return await tables.database.read_at_once(lambda c: mornings.morning_of(c, channel))


def played(connection: Connection, user: int, done: DailyResult, **where: Any) -> None:
    """Somebody has finished the deal of a day: by default of yesterday's Atom, here."""
    facts = {"day": "2027-03-13", "game": "atom", "guild_id": HERE, **where}
    table = add_game(connection)
    people.remember(connection, {user: f"person {user}"}, 1)
    days.begin(
        connection, facts["day"], facts["game"], user_id=user, game_id=table, guild_id=facts["guild_id"]
    )
    days.finish(connection, table, done, days.begins_at(facts["day"]) + 1)


async def test_each_channel_is_told_once_a_day_over_restarts(tmp_path: Path) -> None:
    tables, clock, book = await at(tmp_path / "v.db")
    await wanting(tables, 5, 6)
    await look(tables)
    await look(tables)
    assert told(book) == [5, 6]
    await close_tables(tables)
    tables, clock, book = await at(tmp_path / "v.db", SEVEN + 3_600_000)
    await look(tables)
    assert book.mornings == []
    clock.jumped = days.DAY_MS
    await look(tables)
    assert told(book) == [5, 6]
    await close_tables(tables)


async def test_a_morning_names_members_of_the_server(tmp_path: Path) -> None:
    tables, _, book = await at(tmp_path / "v.db")
    for user in range(1, 6):
        done = DailyResult(1, 10.0, 10.0 - user, 3)
        await tables.database.write_at_once(lambda c: played(c, user, done))  # noqa: B023 - written at once
    book.departures = {(HERE, 1), (HERE, 3), (ELSEWHERE, 2)}
    await wanting(tables, 5)
    await look(tables)
    ((_, _, summary),) = book.mornings
    assert [(each.place, each.user_id) for each in summary.boards[0].places] == [(1, 2), (2, 4), (3, 5)]
    assert summary.boards[0].among == 3
    await close_tables(tables)


@pytest.mark.parametrize("hour", [0, 5, 6 + HOURS, 23])
async def test_nothing_is_told_when_it_is_no_morning(tmp_path: Path, hour: int) -> None:
    tables, _, book = await at(tmp_path / "v.db", days.begins_at(DAY) + hour * 3_600_000)
    await wanting(tables, 5)
    await look(tables)
    assert book.mornings == []
    found = await kept(tables, 5)
    assert found is not None
    assert found.told == "2027-03-13"
    await close_tables(tables)


async def test_more_channels_than_are_read_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.daily.morning_service.AT_A_TIME", 2)
    tables, _, book = await at(tmp_path / "v.db")
    await wanting(tables, 5, 6, 7, 8)
    await look(tables)
    assert told(book) == [5, 6, 7, 8]
    await close_tables(tables)


async def test_channels_that_fail_hold_nobody_up(tmp_path: Path) -> None:
    """Thirty channels that Discord does not answer for cost no more time than one of them."""
    book = Silent(passing=range(100, 130))
    tables, clock, _ = await opened_tables(
        tmp_path / "v.db", ManualClock(SEVEN, instant_sleep=False), publisher=book
    )
    await wanting(tables, *range(100, 131))
    await look(tables)
    for tries in (1, 2):
        assert len(book.asked) == 1 + 30 * tries
        clock.move(RETRY.pause(tries))
        await settle(tables)
    assert 130 in book.asked[:31], "who is behind those that fail does not wait for them"
    assert book.most_at_once == AT_ONCE
    await close_tables(tables)


async def test_a_channel_that_breaks_costs_no_other_its_morning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.daily.morning_service.AT_A_TIME", 2)
    tables, _, book = await at(tmp_path / "v.db")
    await wanting(tables, 5, 6, 7)
    post = book.morning

    async def broken(channel_id: int, morning: Morning, summary: Summary) -> None:
        if channel_id == 5:
            raise LookupError("a word is missing")
        await post(channel_id, morning, summary)

    monkeypatch.setattr(book, "morning", broken)
    await look(tables)
    assert told(book) == [6, 7]
    await close_tables(tables)


async def test_a_database_that_falls_silent_costs_no_morning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, clock, book = await at(tmp_path / "v.db")
    await wanting(tables, 5)
    with monkeypatch.context() as silent:
        silent.setattr(mornings, "read", _silence)
        await look(tables)
    assert book.mornings == []
    clock.move(RETRY.first)
    await settle(tables)
    assert [channel for channel, _, _ in book.mornings] == [5]
    await close_tables(tables)


async def test_a_process_that_ends_before_it_has_posted_tells_nothing_twice(tmp_path: Path) -> None:
    tables, _, book = await at(tmp_path / "v.db")
    await wanting(tables, 5)
    book.hinders = [DiscordFailure("discord", passing=True)]
    await look(tables)
    found = await kept(tables, 5)
    assert found is not None
    assert found.told == DAY
    await close_tables(tables)
    tables, _, book = await at(tmp_path / "v.db")
    await look(tables)
    assert book.mornings == [], "it is left out then"
    await close_tables(tables)


async def test_an_answer_that_was_lost_is_asked_for_again(tmp_path: Path) -> None:
    tables, clock, book = await at(tmp_path / "v.db")
    await wanting(tables, 5)
    book.hinders = [DiscordFailure("discord", passing=True), None]
    await look(tables)
    clock.move(RETRY.first)
    await settle(tables)
    assert len(book.mornings) == 2
    await look(tables)
    assert len(book.mornings) == 2
    await close_tables(tables)


async def test_what_discord_does_not_take_is_tried_as_long_as_the_morning_lasts(tmp_path: Path) -> None:
    tables, clock, book = await at(tmp_path / "v.db")
    await wanting(tables, 5)
    book.hinders = [DiscordFailure("discord", passing=True)] * 99
    await look(tables)
    for _ in range(20):
        clock.move(RETRY.longest or 0)
        await settle(tables)
    tries = len(book.mornings)
    assert tries > 15
    clock.jumped = HOURS * 3_600_000
    for _ in range(3):
        clock.move(RETRY.longest or 0)
        await settle(tables)
    assert len(book.mornings) == tries + 1, "and then no more"
    assert book.morning_troubles == []
    await close_tables(tables)


async def test_a_deleted_channel_is_told_no_more_and_its_server_hears_of_it(tmp_path: Path) -> None:
    tables, clock, book = await at(tmp_path / "v.db")
    await wanting(tables, 5, 6)
    book.hinders = [DiscordFailure("gone", gone=True)]
    await look(tables)
    (lost,) = [channel for channel in (5, 6) if await kept(tables, channel) is None]
    assert book.morning_troubles == [(lost, "gone")]
    clock.jumped = days.DAY_MS
    await look(tables)
    assert told(book) == sorted([5, 6, 11 - lost])
    await close_tables(tables)


async def test_a_missing_permission_is_told_once_and_the_summary_comes_back(tmp_path: Path) -> None:
    tables, clock, book = await at(tmp_path / "v.db")
    await wanting(tables, 5)
    book.hinders = [DiscordFailure("rights"), DiscordFailure("rights"), None, DiscordFailure("rights")]
    for day in range(4):
        clock.jumped = day * days.DAY_MS
        await look(tables)
        assert await kept(tables, 5) is not None
        assert len(book.mornings) == day + 1
        assert len(book.morning_troubles) == (1 if day < 3 else 2), "once, until it was back"
    await close_tables(tables)


async def test_yesterday_here_is_told_and_nothing_of_today_or_elsewhere(tmp_path: Path) -> None:
    tables, _, book = await at(tmp_path / "v.db")
    await wanting(tables, 5)

    def write(connection: Connection) -> None:
        for user, done in enumerate(
            [DailyResult(2, 3, -1, 9), DailyResult(1, 8, 4, 12), DailyResult(1, 8, 4, 10)], 1
        ):
            played(connection, user, done)
        played(connection, 2, DailyResult(1, 1, 1, 40), day="2027-03-12", game="duel52")
        played(connection, 8, DailyResult(2, 0, -9, 30))
        played(connection, 9, DailyResult(1, 9, 9, 5), guild_id=ELSEWHERE)
        played(connection, 9, DailyResult(1, 9, 9, 5), game="molecular", guild_id=ELSEWHERE)
        played(connection, 3, DailyResult(1, 99, 99, 1), day=DAY)

    await tables.database.write_at_once(write)
    await look(tables)
    ((_, morning, summary),) = book.mornings
    assert morning.locale == "en"
    assert summary.day == DAY
    (board,) = summary.boards
    assert (board.game, board.among) == ("atom", 4)
    assert [(place.place, place.name) for place in board.places] == [
        (1, "person 3"),
        (2, "person 2"),
        (3, "person 1"),
    ]
    assert board.streaks == (1, 2, 1)
    assert "atom" in summary.ready, "the first start draws the deals of its own day"
    await close_tables(tables)


async def test_the_language_is_that_of_the_channel_by_then(tmp_path: Path) -> None:
    tables, _, book = await at(tmp_path / "v.db")
    await wanting(tables, 5)
    await tables.database.write_at_once(lambda c: servers.put_opening(c, 5, Opening(locale="zh-CN")))
    await look(tables)
    ((_, morning, _),) = book.mornings
    assert morning.locale == "zh-CN"
    await close_tables(tables)


def test_the_first_morning_is_the_next_one() -> None:
    begins, usual = days.begins_at(DAY), Morning(guild_id=HERE)
    early, late = begins + 5 * 3_600_000, begins + 6 * 3_600_000
    assert (first_after(usual, early), next_at(usual, early)) == ("2027-03-13", begins // 1000 + 6 * 3600)
    assert (first_after(usual, late), next_at(usual, late)) == (DAY, begins // 1000 + 30 * 3600)


async def test_a_channel_is_told_at_its_own_hour(tmp_path: Path) -> None:
    """Seven in Los Angeles is 14:00 UTC on this day, on which the clocks there go forward."""
    tables, clock, book = await at(tmp_path / "v.db")
    await wanting(tables, 5, hour=7, zone="America/Los_Angeles")
    await wanting(tables, 6)
    await look(tables)
    assert told(book) == [6]
    clock.jumped = 6 * 3_600_000
    await look(tables)
    assert told(book) == [6]
    clock.jumped = 7 * 3_600_000
    await look(tables)
    await look(tables)
    assert told(book) == [5, 6]
    await close_tables(tables)


async def test_where_it_is_the_next_day_already_one_morning_is_told_once(tmp_path: Path) -> None:
    """Eight in Shanghai is midnight UTC: some of yesterday's deals are still being played."""
    midnight = days.begins_at(DAY)
    tables, clock, book = await at(tmp_path / "v.db", midnight + 60_000)
    await wanting(tables, 5, hour=8, zone="Asia/Shanghai")
    await look(tables)
    ((_, _, summary),) = book.mornings
    assert (summary.day, summary.before) == (DAY, "2027-03-12")
    clock.jumped = 5 * 3_600_000
    await look(tables)
    assert len(book.mornings) == 1
    await close_tables(tables)


async def test_an_hour_late_in_the_evening_has_its_time_past_midnight(tmp_path: Path) -> None:
    """The bot was down from 22:00 to 1:00, and the channel hears of the day all the same, once."""
    tables, clock, book = await at(tmp_path / "v.db", days.begins_at(DAY) + 25 * 3_600_000)
    await wanting(tables, 5, hour=22)
    await look(tables)
    await look(tables)
    assert told(book) == [5]
    clock.jumped = 21 * 3_600_000
    await look(tables)
    assert told(book) == [5, 5]
    await close_tables(tables)


async def test_a_day_that_a_wrong_clock_has_noted_does_not_silence_a_channel(tmp_path: Path) -> None:
    tables, _, book = await at(tmp_path / "v.db")
    await wanting(tables, 5, told="2031-01-01")
    await look(tables)
    assert told(book) == [5]
    await close_tables(tables)


def test_a_new_hour_on_a_day_that_was_told_begins_the_day_after() -> None:
    later = Morning(guild_id=HERE, told=DAY, hour=20)
    assert next_at(later, SEVEN) == days.begins_at(DAY) // 1000 + 44 * 3600
