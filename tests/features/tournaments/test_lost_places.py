"""Deleted threads of matches and channels of tournaments."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.core.backoff import Backoff
from bot.features.tournaments import matches
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import Tournament
from bot.locales import words
from bot.table import lobby
from bot.table.ports import DiscordFailure
from bot.table.table import Table
from bot.ui.live import live_message
from tests.support.discord.keys import part
from tests.support.discord.people import called
from tests.support.discord.room_tournaments import announced, quiet, reported
from tests.support.discord.sent_messages import said, written
from tests.support.tables.tables import at_hand, close_tables, settle
from tests.support.tables.tournaments import World, report
from tests.support.waiting import turns, until

say = words("en")
KEY = "R1.1"
pytestmark = pytest.mark.simcord(check_errors=False)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await close_tables(world.tables)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "RETRY", Backoff(first=0.02, longest=900.0))


async def running(room: Any) -> tuple[Tournament, Table]:
    """A league of three, and the table of the match that two of them have."""
    tournament = await announced(room, entered=("ann", "ben", "cleo"), kind="round_robin")
    await room.ann.slash(room.channel, "tournament start")
    await until(lambda: KEY in tournament.ways)
    (table,) = at_hand(room.bot.tables).values()
    return tournament, table


async def moved(room: Any, tournament: Tournament, before: int | None) -> int:
    """The thread in which the match stands by now."""

    async def found() -> int | None:
        await quiet(room)
        match = tournament.state.matches[KEY]
        return match.thread_id if match.step == "stands" and match.thread_id != before else None

    return int(await until(found, but=lambda: tournament.state.matches))


async def test_a_match_whose_thread_is_deleted_waits_in_a_new_one(room: Any) -> None:
    tournament, table = await running(room)
    old, before = table.stored.channel_id, len(room.env.http_requests)
    first = table.closes_at()
    room.env.backend.delete_channel(old)
    thread = await moved(room, tournament, old)
    assert table.stored.channel_id == thread
    assert called(room, before) == set(table.stored.terms.invited)
    shown = await room.bot.get_partial_messageable(thread).fetch_message(table.stored.message_id)
    assert "I'm here" in str(shown.components)
    assert table.closes_at() > first, "the time to come begins anew"


async def test_a_game_whose_thread_is_deleted_goes_on_in_a_new_one(room: Any) -> None:
    tournament, table = await running(room)
    for user in table.stored.terms.invited:
        await lobby.join(table, user, f"person {user}", 1000 + user)
    await lobby.start(table, table.stored.host_id)
    await quiet(room)
    old = table.stored.channel_id
    room.env.backend.delete_channel(old)
    assert await moved(room, tournament, old) == table.stored.channel_id
    assert table.phase == "live"


async def test_a_match_that_nobody_could_see_is_lost_by_nobody(room: Any) -> None:
    """The bot was away when the thread was deleted, and the time to come is over."""
    tournament, table = await running(room)
    old = table.stored.channel_id

    async def nothing(*_: Any) -> None: ...

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(room.bot), "on_raw_thread_delete", nothing)
        room.env.backend.delete_channel(old)
        await quiet(room)
    await table.cancel("expired")
    thread = await moved(room, tournament, old)
    assert tournament.state.matches[KEY].game_id != table.id
    assert tournament.stored.terms.absent == {}
    assert str(thread) in said((await room.ben.slash(room.channel, "tournament bracket")).response)


async def test_a_match_is_not_counted_as_missed_before_discord_answers(world: World) -> None:
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    world.stage.fails["hindered"] = DiscordFailure("discord", passing=True)
    table = world.table(tournament, "W1.1")
    await table.cancel("expired")
    await turns()
    assert "W1.1" in tournament.state.matches
    world.stage.fails.clear()
    world.stage.unseen.add(table.id)
    await settle(world.tables)
    assert tournament.bracket is not None
    assert [match.key for match in tournament.bracket.ready()] == ["W1.1", "W1.2"]
    assert tournament.stored.terms.absent == {}


async def in_den(room: Any, *, start: bool) -> Any:
    """A tournament in a channel of its own; the channel."""
    den = room.guild.create_text_channel("den")
    await room.ann.slash(den, "tournament create", name="Autumn cup", game="probe")
    for person in (room.ann, room.ben, room.cleo):
        await person.slash(den, "tournament join")
    if start:
        await room.ann.slash(den, "tournament start")
    await quiet(room)
    return den


@pytest.mark.parametrize("start", [False, True])
async def test_the_organiser_hears_once_that_the_channel_was_deleted(room: Any, start: bool) -> None:
    den = await in_den(room, start=start)
    room.env.backend.delete_channel(den.id)
    await quiet(room)
    service = room.bot.app.service(Tournaments)
    service.allowed(room.guild.id)  # as after the next start
    await quiet(room)
    (letter,) = written(room)
    assert letter[0] == room.ann.id
    assert part(f"tournament.lost_{'running' if start else 'open'}") in letter[1]


async def test_a_match_that_was_to_be_played_there_can_be_reported(room: Any) -> None:
    den = await in_den(room, start=True)
    (tournament,) = room.bot.app.service(Tournaments).of_guild(room.guild.id)
    (table,) = at_hand(room.bot.tables).values()
    for channel_id in (den.id, table.stored.channel_id):  # Discord deletes the threads of a channel with it
        room.env.backend.delete_channel(channel_id)
    await quiet(room)
    assert table.phase == "lobby"
    await table.cancel("expired")
    await until(lambda: tournament.held)
    shown = said((await room.ben.slash(room.channel, "tournament bracket")).response)
    assert say("tournament.held_gone", key="W1.2") in shown
    winner = tournament.bracket.match("W1.2").players[0]
    await reported(room, room.ann, "W1.2", winner)
    await quiet(room)
    assert "W1.2" not in [match.key for match in tournament.bracket.ready()]


@pytest.mark.long
async def test_the_end_leads_to_a_new_message_if_the_old_one_was_deleted(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_message, "TOO_OLD_MS", 10**15)
    tournament = await announced(room, entered=("ann", "ben", "cleo"))
    await room.ann.slash(room.channel, "tournament start")
    await quiet(room)
    service = room.bot.app.service(Tournaments)
    (match,) = tournament.bracket.ready()
    await report(service, tournament, match.key, match.players[0])
    await quiet(room)
    deleted = tournament.stored.message_id
    room.env.backend.delete_message(room.channel.id, deleted)
    (match,) = tournament.bracket.ready()
    await report(service, tournament, match.key, match.players[0])
    await until(lambda: tournament.stored.message_id != deleted)
    await quiet(room)
    await service._go_on(tournament)
    await quiet(room)
    calls = [str(call.json) for call in room.env.http_requests]
    (told,) = [call for call in calls if say("tournament.how_it_went") in call]
    assert f"/{tournament.stored.message_id}" in told
