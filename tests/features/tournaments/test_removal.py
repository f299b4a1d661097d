"""Entrants who do not come back: the organiser takes them out, or they have left the server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.features.tournaments.tournament import taking_part
from bot.locales import words
from bot.table import lobby
from tests.support.discord.room_tournaments import announced, entered, quiet, reported
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import close_tables, settle
from tests.support.tables.tournaments import World

say = words("en")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await close_tables(world.tables)


async def test_who_has_left_the_server_is_in_no_match_that_is_opened_from_then_on(world: World) -> None:
    tournament = await world.tournament(4, kind="swiss", rounds=3)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    world.stage.gone.add(4)
    for match in list(tournament.bracket.ready() if tournament.bracket else ()):
        await world.play(tournament, match.key, loser=int(match.players[1]))
    assert 4 not in taking_part(tournament.state)
    assert world.stage.removed == [("person 4", None)]
    called = {
        user for key in world.stage.opened[2:] for user in world.table(tournament, key).stored.terms.invited
    }
    assert 4 not in called


async def test_an_entrant_who_left_before_the_start_keeps_nobody_waiting(world: World) -> None:
    tournament = await world.tournament(4)
    world.stage.gone |= {2, 3}
    await world.tournaments.start(tournament)
    await settle(world.tables)
    assert taking_part(tournament.state) == [1, 4]
    assert tournament.bracket is not None
    assert [set(match.players) for match in tournament.bracket.ready()] == [{"1", "4"}]


async def test_if_discord_does_not_tell_everyone_takes_part(world: World) -> None:
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    assert taking_part(tournament.state) == [1, 2, 3, 4]


async def remove(room: Any, by: Any, player: str) -> Any:
    return (await by.slash(room.channel, "tournament remove", player=player)).response


async def test_the_organiser_takes_somebody_out_before_the_start(room: Any) -> None:
    tournament = await announced(room, entered=("ann", "ben", "cleo"))
    ask = await remove(room, room.ann, "cleo")
    assert say("tournament.remove_ask", player="cleo") in said(ask)
    await room.ann.click(ask, label=say("tournament.remove_yes"))
    await quiet(room)
    assert entered(tournament) == ["ann", "ben"]
    told = say("tournament.told_removed", who=f"<@{room.ann.id}>", player="cleo")
    assert any(told in said(message) for message in room.channel.history())


async def test_the_organiser_takes_somebody_out_of_a_running_tournament(room: Any) -> None:
    tournament = await announced(room, entered=("ann", "ben", "cleo"))
    await room.ann.slash(room.channel, "tournament start")
    await quiet(room)
    ask = await remove(room, room.ann, str(room.cleo.id))
    assert say("tournament.remove_ask_running", player="cleo") in said(ask)
    await room.ann.click(ask, label=say("tournament.remove_no"))
    assert room.cleo.id in taking_part(tournament.state)
    ask = await remove(room, room.ann, str(room.cleo.id))
    await room.ann.click(ask, label=say("tournament.remove_yes"))
    await quiet(room)
    assert room.cleo.id not in taking_part(tournament.state)


@pytest.mark.simcord(check_errors=False)
async def test_only_who_organises_takes_somebody_out_and_only_who_takes_part(room: Any) -> None:
    tournament = await announced(room, entered=("ann", "ben"))
    refused = await remove(room, room.ben, "ann")
    assert say("refused.organiser_only", host=room.ann.id) in said(refused)
    unknown = await remove(room, room.ann, "cleo")
    assert say("refused.no_such_entrant", name="cleo") in said(unknown)
    assert entered(tournament) == ["ann", "ben"]


async def begun(room: Any) -> tuple[Any, Any]:
    """A tournament that ann organises, and the table of a match of hers, at which the cards are dealt."""
    tournament = await announced(room, entered=("ann", "ben", "cleo"))
    await room.ann.slash(room.channel, "tournament start")
    await quiet(room)
    (match,) = tournament.bracket.ready()
    if str(room.ann.id) not in match.players:  # she has the bye
        await reported(room, room.ann, match.key, match.players[0])
        await quiet(room)
        (match,) = tournament.bracket.ready()
    table = await room.bot.tables.get(tournament.state.matches[match.key].game_id)
    for user_id in table.stored.terms.invited:
        name = tournament.name_of(str(user_id))
        await lobby.join(table, user_id, name, 1000)
    await lobby.start(table, table.stored.host_id)
    await quiet(room)
    return tournament, table


@pytest.mark.simcord(check_errors=False)
async def test_an_organiser_who_is_losing_does_not_have_their_match_dealt_again(room: Any) -> None:
    _, table = await begun(room)
    ask = (await room.ann.slash(room.channel, "table cancel", table=table.id)).response
    assert say("leave.ask_match", table=table.id) in said(ask)
    assert table.phase == "live"
    await room.ann.click(ask, label=say("leave.yes"))
    await quiet(room)
    assert table.stored.terms.forfeit == room.ann.id


async def test_an_organiser_who_notes_their_own_match_is_named_in_public(room: Any) -> None:
    tournament, _ = await begun(room)
    (match,) = tournament.bracket.ready()
    await reported(room, room.ann, match.key, str(room.ann.id))
    await quiet(room)
    told = say("tournament.own_won", who=f"<@{room.ann.id}>", key=match.key, winner="ann")
    assert any(told in said(message) for message in room.channel.history())
