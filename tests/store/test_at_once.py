"""What several change at once is all kept, and what there is once is had once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, text
from sqlalchemy.util import await_only

from bot.core.errors import Refused
from bot.features.daily import morning_rows as mornings
from bot.features.daily.morning_rows import Morning
from bot.features.lessons import rows as lessons
from bot.features.nights.rows import Guest, Night, of_host
from bot.features.nights.service import MOST_OF_PERSON, Nights
from bot.features.puzzles.rows import puzzle_standing
from bot.features.puzzles.service import keep_answer, puzzled, puzzles_of
from bot.features.seek import rows as seekers
from bot.store import contacts
from bot.store.database import Database
from bot.store.personal_data import forgetting
from bot.store.prefs import Prefs, prefs_of
from bot.store.servers import Server, server_of
from bot.ui.preferences import Preferences
from tests.support.tables.tables import ManualClock

ANN, SERVER, CHANNEL = 5, 70, 700
SWITCHES = ("large", "text_only", "still", "confirm", "named")
TRIES = 5
"""How often, since two that are begun at once need not meet."""


async def at_once(database: Database, *works: Callable[[Connection], Any]) -> list[Any]:
    return await asyncio.gather(*(database.write_at_once(work) for work in works))


async def test_five_switches_of_one_person_are_all_on(database: Database) -> None:
    preferences = Preferences(database)
    await asyncio.gather(
        *(preferences.change(ANN, "Ann", lambda p, on=on: replace(p, **{on: True}), 1) for on in SWITCHES)
    )
    kept = await database.read_at_once(lambda c: prefs_of(c, ANN))
    assert kept == Prefs(**dict.fromkeys(SWITCHES, True))
    assert await preferences.of(ANN) == kept


async def test_what_three_moderators_set_holds_together(database: Database) -> None:
    changes = {"channels": (1,), "open_by": "moderators", "games": ("atom",)}
    every = Preferences(database).servers
    await asyncio.gather(
        *(every.change(SERVER, lambda s, one=one: replace(s, **dict([one]))) for one in changes.items())
    )
    assert await database.read_at_once(lambda c: server_of(c, SERVER)) == Server(**changes)


async def test_one_of_four_may_call_a_server(database: Database) -> None:
    for hour in range(TRIES):
        now = 1 + hour * seekers.BETWEEN_MS
        found = await at_once(database, *[lambda c: seekers.claim(c, SERVER, now)] * 4)  # noqa: B023 - done at once
        assert sorted(found) == [0, *[now + seekers.BETWEEN_MS] * 3]


async def test_one_of_four_requests_to_a_person_goes_through(database: Database) -> None:
    for other in range(TRIES):
        found = await at_once(database, *[lambda c: contacts.claim_request(c, ANN, other, 1)] * 4)  # noqa: B023 - done at once
        assert sorted(found) == [0, *[1 + contacts.PAUSES_MS[0]] * 3]


async def test_no_one_blocks_more_people_than_there_may_be(database: Database) -> None:
    def fill(connection: Connection) -> None:
        for other in range(1, contacts.MOST_BLOCKED):
            contacts.block(connection, ANN, other, 1)

    await database.write_at_once(fill)
    works = [lambda c, other=other: contacts.block(c, ANN, 500 + other, 1) for other in range(4)]
    assert sorted(await at_once(database, *works)) == [False, False, False, True]


async def test_a_morning_that_is_switched_off_while_it_is_told_stays_off(database: Database) -> None:
    for _ in range(2 * TRIES):
        await database.write_at_once(lambda c: mornings.put_morning(c, CHANNEL, Morning(guild_id=SERVER)))
        await at_once(
            database,
            lambda c: mornings.claim(c, CHANNEL, "2027-03-14"),
            lambda c: mornings.put_morning(c, CHANNEL, None),
        )
        assert await database.read_at_once(lambda c: mornings.morning_of(c, CHANNEL)) is None


async def test_nobody_plans_more_nights_than_they_may(database: Database) -> None:
    clock = ManualClock()
    nights: Any = Nights(database, clock, None, None)  # type: ignore[arg-type] - planning asks neither

    def night(hours: int) -> Night:
        at = clock.now() + 3_600_000 * hours
        return Night(
            **{"game": "atom", "seats": 4, "starts_at": at, "guild_id": SERVER, "channel_id": CHANNEL},
            **{"host_id": ANN, "locale": "en", "created_at": 1},
        )

    host = Guest(ANN, "Ann", "yes", 1, 1)
    plans = (nights.plan(night(hours), host) for hours in range(1, MOST_OF_PERSON + 5))
    refused = [
        end for end in await asyncio.gather(*plans, return_exceptions=True) if isinstance(end, Refused)
    ]
    assert [each.key for each in refused] == ["nights_of_person"] * 4
    assert len(await database.read_at_once(lambda c: of_host(c, ANN))) == MOST_OF_PERSON


async def test_puzzles_answered_at_once_all_count(database: Database) -> None:
    game = puzzled()[0]
    some = list(puzzles_of(game).values())[:4]
    await at_once(database, *(lambda c, each=each: keep_answer(c, ANN, each, right=True) for each in some))
    standing = await database.read_at_once(lambda c: puzzle_standing(c, ANN, game))
    assert standing is not None
    assert (standing.right, len(standing.answered)) == (4, 4)


async def test_a_lesson_is_offered_once(database: Database) -> None:
    for game in ("atom", "duel52", "canasta", "molecular"):
        offers = await at_once(database, *[lambda c: lessons.first_time(c, ANN, game, 1)] * 4)  # noqa: B023 - done at once
        assert sorted(offers) == [False, False, False, True]


async def test_a_lesson_that_was_ended_stays_so(database: Database) -> None:
    for number in range(TRIES):
        key = f"atom.{number}"
        await at_once(
            database,
            lambda c: lessons.keep_progress(c, ANN, key, 9, done=True),  # noqa: B023 - done at once
            *[lambda c: lessons.keep_progress(c, ANN, key, 1, done=False)] * 3,  # noqa: B023 - done at once
        )
        assert (await database.read_at_once(lambda c: lessons.progress(c, ANN, key))).done  # noqa: B023 - done at once


async def test_a_setting_does_not_come_back_after_its_person_was_deleted(database: Database) -> None:
    preferences = Preferences(database)
    await preferences.put(ANN, "Ann", Prefs(zone="Europe/Berlin"), 1)
    deleting: list[asyncio.Task[Any]] = []

    async def deleted_or_waits() -> None:
        deleting.append(asyncio.create_task(database.write_at_once(lambda c: forgetting.forget(c, ANN, 0))))
        waits = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        for _ in range(500):
            if deleting[0].done() or await database.read_at_once(lambda c: c.execute(waits).scalar()):
                return

    def change(prefs: Prefs) -> Prefs:
        await_only(deleted_or_waits())
        return replace(prefs, still=True)

    if database.sqlite:
        pytest.skip("nobody else writes meanwhile")
    await preferences.change(ANN, "Ann", change, 1)
    await deleting[0]
    assert await database.read_at_once(lambda c: prefs_of(c, ANN)) == Prefs()
