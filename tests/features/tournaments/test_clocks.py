"""The clock of matches: the organiser chooses it, and can shorten it for a match that stands still."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.core.errors import Refused
from bot.features.table.publishing.publisher import TablePublisher
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import Tournament
from bot.locales import words
from bot.store.prefs import Prefs, put_prefs
from bot.store.terms import Notice, tournament_terms
from bot.table import lobby
from bot.table.people.absent import let_opponent_play
from bot.table.ports import DiscordFailure
from bot.table.table import Table
from bot.table.turns import stops_for_holidays
from tests.support.discord.people import called
from tests.support.discord.room_tournaments import announced, quiet
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import close_tables, settle
from tests.support.tables.tournaments import World, report

say = words("en")
DAY, HOUR = 86_400, 3600


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await close_tables(world.tables)


async def started(world: World, **terms: Any) -> Tournament:
    tournament = await world.tournament(4)
    tournament.state.stored.terms = replace(tournament.stored.terms, **{"clock": DAY, **terms})
    await world.tournaments.start(tournament)
    await settle(world.tables)
    return tournament


async def dealt(world: World, tournament: Tournament, key: str = "W1.1") -> Table:
    table = world.table(tournament, key)
    for user in table.stored.terms.invited:
        await lobby.join(table, user, f"person {user}", 7)
    await lobby.start(table, table.stored.host_id)
    await settle(world.tables)
    return table


def seconds_left(table: Table) -> float:
    (end,) = {each.due_at for each in table.deadlines if each.kind in ("turn", "lobby")}
    return (end - table.now()) / 1000


def hurried(world: World) -> list[Notice]:
    return [notice for notice in world.stage.notices if notice.what == "hurried"]


async def hurry(world: World, tournament: Tournament, key: str = "W1.1", seconds: int = HOUR) -> None:
    await world.tournaments.hurry(tournament, key, seconds, by=1)
    await settle(world.tables)


async def test_a_match_that_stands_still_gets_a_shorter_clock_once(world: World) -> None:
    tournament = await started(world)
    table = await dealt(world, tournament)
    assert seconds_left(table) == DAY
    world.clock.move(HOUR)
    await hurry(world, tournament)
    assert table.stored.terms.clock == HOUR
    assert seconds_left(table) == HOUR
    (notice,) = hurried(world)
    assert (notice.match, notice.by) == ("W1.1", 1)
    with pytest.raises(Refused, match="hurried_before"):
        await hurry(world, tournament, seconds=900)
    for seat in table.waiting():
        await table.act(seat, None, table.legal[seat][0])
    assert seconds_left(table) == HOUR, "it holds for every decision from now on"
    assert hurried(world) == [notice]


async def test_a_clock_that_ends_sooner_is_not_made_longer(world: World) -> None:
    tournament = await started(world)
    table = await dealt(world, tournament)
    world.clock.move(DAY - 60)
    await settle(world.tables)
    await hurry(world, tournament)
    assert seconds_left(table) == 60


async def test_a_match_whose_players_do_not_come_is_hurried_too(world: World) -> None:
    tournament = await started(world, no_show=7 * 1440)
    table = world.table(tournament, "W1.1")
    assert seconds_left(table) == 7 * DAY
    await hurry(world, tournament)
    assert seconds_left(table) == HOUR
    await dealt(world, tournament)
    assert seconds_left(table) == HOUR


async def test_a_match_without_a_clock_gets_one(world: World) -> None:
    tournament = await started(world, clock=0)
    table = await dealt(world, tournament)
    await hurry(world, tournament)
    assert seconds_left(table) == HOUR


async def test_what_is_not_longer_is_not_hurried(world: World) -> None:
    tournament = await started(world, clock=HOUR)
    await dealt(world, tournament)
    for seconds in (HOUR, DAY):
        with pytest.raises(Refused, match="clock_is_short"):
            await hurry(world, tournament, seconds=seconds)
    await report(world.tournaments, tournament, "W1.2", "2")
    await settle(world.tables)
    with pytest.raises(Refused, match="match_without_table"):
        await hurry(world, tournament, "W1.2", 900)


async def test_a_match_is_hurried_also_if_the_bot_stops_before(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await started(world)
    await dealt(world, tournament)
    world.stage.fails["notice"] = DiscordFailure("discord", passing=True)
    with monkeypatch.context() as patch:
        patch.setattr(world.tournaments, "_proceed", lambda *_args, **_options: None)
        await hurry(world, tournament)
    assert world.table(tournament, "W1.1").stored.terms.clock == DAY
    world.stage.fails.clear()
    (tournament,) = await world.restart()
    table = await world.tables.get(tournament.state.matches["W1.1"].game_id or 0)
    assert table.stored.terms.clock == HOUR
    assert [notice.what for notice in world.stage.notices] == ["hurried"]
    (tournament,) = await world.restart()
    assert len(world.stage.notices) == 1


async def test_a_game_that_its_players_paused_continues_with_the_shorter_clock(world: World) -> None:
    tournament = await started(world)
    table = await dealt(world, tournament)
    await table.sleep("paused")
    await hurry(world, tournament)
    assert (table.paused, table.deadlines, table.stored.terms.clock) == (True, (), HOUR)


async def test_a_match_that_fell_asleep_is_woken(world: World) -> None:
    tournament = await started(world)
    table = await dealt(world, tournament)
    await table.sleep("left")
    await hurry(world, tournament)
    assert not table.asleep
    assert seconds_left(table) == HOUR


async def test_a_match_that_is_played_again_has_the_usual_clock(world: World) -> None:
    tournament = await started(world)
    await hurry(world, tournament)
    await report(world.tournaments, tournament, "W1.1", None)
    await settle(world.tables)
    assert tournament.stored.terms.hurried == {}
    table = await world.tables.get(tournament.state.matches["W1.1"].game_id or 0)
    assert table.stored.terms.clock == DAY


@pytest.mark.parametrize("allowed", [False, True])
async def test_holidays_stop_the_clock_only_if_the_organiser_allows_them(
    world: World, *, allowed: bool
) -> None:
    tournament = await started(world, no_holidays=not allowed)
    table = await dealt(world, tournament)
    seat = table.waiting()[0]
    user = table.sitters[seat].user_id
    other = next(each for each in table.people() if each != user)
    until = world.clock.now() + 14 * DAY * 1000
    prefs = Prefs(holiday=until)
    await world.tables.database.write_at_once(lambda c: put_prefs(c, user or 0, "away", prefs, 0))
    assert stops_for_holidays(table.stored.terms) is allowed
    world.clock.move(DAY // 2 + 1)
    await settle(world.tables)
    if allowed:
        with pytest.raises(Refused, match="on_holiday"):
            await let_opponent_play(table, other, world.tables.database, world.clock)
    else:
        assert await let_opponent_play(table, other, world.tables.database, world.clock) == [seat]


@pytest.mark.parametrize("seconds", [900, DAY])
async def test_asking_for_the_computer_follows_the_shorter_clock(world: World, seconds: int) -> None:
    tournament = await started(world, clock=7 * DAY)
    table = await dealt(world, tournament)
    seat = table.waiting()[0]
    other = next(each for each in table.people() if each != table.sitters[seat].user_id)
    await hurry(world, tournament, seconds=seconds)
    world.clock.move(seconds // 2 + 1)
    await settle(world.tables)
    if seconds < DAY // 2:  # the computer moves when the clock ends
        with pytest.raises(Refused, match="has_clock"):
            await let_opponent_play(table, other, world.tables.database, world.clock)
    else:
        assert await let_opponent_play(table, other, world.tables.database, world.clock) == [seat]


def test_a_tournament_of_before_keeps_its_holidays() -> None:
    old = tournament_terms({"kind": "swiss", "clock": DAY})
    assert (old.no_holidays, old.hurried) == (False, {})


# -- in Discord --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clock", "holidays"), [("60", False), ("604800", False), ("604800", True), (None, False)]
)
async def test_the_announcement_names_the_clock(room: Any, clock: str | None, *, holidays: bool) -> None:
    options = {"clock": clock} if clock else {}
    tournament = await announced(
        room, entered=("ann", "ben", "cleo"), minutes=10_080, holidays=holidays, **options
    )
    seconds = int(clock or DAY)
    assert (tournament.stored.terms.clock, tournament.stored.terms.no_holidays) == (seconds, not holidays)
    announcement = said(room.channel.last_message)
    assert say(f"tournament.clock_{seconds}") in announcement
    assert say("tournament.time_days", n=7) in announcement
    if seconds > DAY // 2:
        key = "clock_line_holidays" if holidays else "clock_line_on"
        assert say(f"tournament.{key}", clock=say(f"tournament.clock_{seconds}")) in announcement
    await room.ann.slash(room.channel, "tournament start")
    await quiet(room)
    (match,) = tournament.bracket.ready() if tournament.bracket else ()
    table = await room.bot.tables.get(tournament.state.matches[match.key].game_id)
    assert (table.stored.terms.clock, table.stored.terms.no_holidays) == (seconds, not holidays)


@pytest.mark.simcord(check_errors=False)
async def test_the_players_are_notified_of_a_shorter_clock_once(room: Any) -> None:
    tournament = await announced(room, entered=("ann", "ben", "cleo"))
    await room.ann.slash(room.channel, "tournament start")
    await quiet(room)
    (match,) = tournament.bracket.ready() if tournament.bracket else ()
    offered = await room.ann.autocomplete(room.channel, "tournament hurry", "match", "")
    assert [choice["value"] for choice in offered] == [match.key]
    refused = await room.ben.slash(room.channel, "tournament hurry", match=match.key)
    assert say("refused.organiser_only", host=room.ann.id) in said(refused.response)
    before = len(room.env.http_requests)
    for _ in range(2):
        answer = await room.ann.slash(room.channel, "tournament hurry", match=match.key, clock="900")
        await quiet(room)
    assert say("refused.hurried_before", match=match.key) in said(answer.response)
    assert called(room, before) == {int(player) for player in match.players}
    table = await room.bot.tables.get(tournament.state.matches[match.key].game_id)
    assert table.stored.terms.clock == 900
    unknown = await room.ann.slash(room.channel, "tournament hurry", match="W9.9")
    assert say("bracket.no_such_match", match="W9.9") in said(unknown.response)
    assert room.bot.app.service(Tournaments).of_guild(room.guild.id) == [tournament]


async def test_players_who_accept_no_direct_messages_are_mentioned(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await announced(room, entered=("ann", "ben", "cleo"))
    for person in (room.ann, room.ben, room.cleo):
        await room.bot.app.preferences.put(person.id, person.name, Prefs(pings="direct"), 0)
    await room.ann.slash(room.channel, "tournament start")
    await quiet(room)
    (match,) = tournament.bracket.ready()

    async def unreachable(*_: object, **__: object) -> bool:
        return False

    monkeypatch.setattr(room.bot.app.service(TablePublisher).messenger, "write_to", unreachable)
    before = len(room.env.http_requests)
    await room.ann.slash(room.channel, "tournament hurry", match=match.key, clock="900")
    await quiet(room)
    assert called(room, before) == {int(player) for player in match.players}
