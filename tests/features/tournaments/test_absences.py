"""Entrants who did not come to a match are asked before anyone waits for them again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.features.tournaments.absences import matches_held
from bot.features.tournaments.tournament import Tournament, taking_part
from bot.locales import words
from bot.store.personal_data.forgetting import forget
from bot.store.terms import tournament_terms
from bot.table import lobby
from bot.table.ports import DiscordFailure
from engine.brackets import Kind
from tests.support.discord.room_tournaments import announced, quiet
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


async def missed(world: World, kind: Kind = "swiss", players: int = 4) -> tuple[Tournament, int]:
    """A tournament in whose first match one of two came, and the one who did not."""
    tournament = await world.tournament(players, kind=kind)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    assert tournament.bracket is not None
    first = tournament.bracket.ready()[0]
    there, late = (int(player) for player in first.players)
    table = world.table(tournament, first.key)
    await lobby.join(table, there, f"person {there}", 7)
    await table.cancel("expired")
    await settle(world.tables)
    return tournament, late


async def round_played(world: World, tournament: Tournament) -> None:
    assert tournament.bracket is not None
    for match in tournament.bracket.ready():
        await world.play(tournament, match.key, loser=int(match.players[1]))


async def others_play(world: World, tournament: Tournament) -> None:
    """The two of the match that is left have begun to play."""
    assert tournament.bracket is not None
    (match,) = tournament.bracket.ready()
    table = world.table(tournament, match.key)
    for player in match.players:
        await lobby.join(table, int(player), f"person {player}", 7)
    await lobby.start(table, table.stored.host_id)
    await settle(world.tables)


def minutes_pass(world: World, tournament: Tournament) -> None:
    world.clock.move(tournament.stored.terms.no_show * 60 + 1)


async def test_no_one_waits_at_a_table_for_somebody_who_has_not_answered_yet(world: World) -> None:
    tournament, late = await missed(world)
    assert world.stage.absent == [late]
    await round_played(world, tournament)
    assert [who for who, _ in matches_held(tournament).values()] == [late]
    opened = {
        user for key in world.stage.opened if key.startswith("R2") for user in invited(world, tournament, key)
    }
    assert opened
    assert late not in opened


def invited(world: World, tournament: Tournament, key: str) -> tuple[int, ...]:
    return world.table(tournament, key).stored.terms.invited


async def test_somebody_who_answers_plays_on(world: World) -> None:
    tournament, late = await missed(world)
    await round_played(world, tournament)
    await world.tournaments.stay(tournament, late)
    await settle(world.tables)
    assert not matches_held(tournament)
    assert len(world.stage.opened) == 4
    assert late in taking_part(tournament.state)


async def test_somebody_who_does_not_answer_is_paired_no_more(world: World) -> None:
    tournament, late = await missed(world)
    await others_play(world, tournament)
    minutes_pass(world, tournament)
    await settle(world.tables)
    assert late not in taking_part(tournament.state)
    assert world.stage.unanswered == [f"person {late}"]
    assert not tournament.stored.terms.absent


async def test_the_time_to_answer_stands_still_while_the_bot_is_away(world: World) -> None:
    tournament, late = await missed(world)
    await others_play(world, tournament)
    await close_tables(world.tables)
    minutes_pass(world, tournament)
    await world.open()
    await world.tournaments.open()
    await settle(world.tables)
    (found,) = world.tournaments.of_guild(70)
    assert late in taking_part(found.state)
    minutes_pass(world, found)
    await settle(world.tables)
    assert late not in taking_part(found.state)
    assert world.stage.absent == [late]


async def test_nothing_is_decided_while_discord_does_not_take_the_question(world: World) -> None:
    world.stage.fails["absent"] = DiscordFailure("discord", passing=True)
    tournament, late = await missed(world)
    await round_played(world, tournament)
    world.clock.move(300)
    await settle(world.tables)
    assert late in taking_part(tournament.state)
    assert len(world.stage.opened) == 4  # the game goes on meanwhile
    del world.stage.fails["absent"]
    world.clock.move(61)
    await settle(world.tables)
    assert world.stage.absent == [late]


async def test_where_the_channel_takes_no_question_it_is_not_tried_each_minute(world: World) -> None:
    world.stage.fails["absent"] = DiscordFailure("rights", rights=("send_messages",))
    tournament, late = await missed(world)
    await round_played(world, tournament)
    del world.stage.fails["absent"]
    world.clock.move(61)
    await settle(world.tables)
    assert not world.stage.absent
    world.clock.move(3600)
    await settle(world.tables)
    assert world.stage.absent == [late]


async def test_somebody_who_is_out_is_not_asked(world: World) -> None:
    tournament, late = await missed(world, "single")
    assert tournament.stored.terms.absent == {late: 0}
    assert not world.stage.absent


async def test_somebody_who_drops_to_the_losers_bracket_is_asked(world: World) -> None:
    _, late = await missed(world, "double")
    assert world.stage.absent == [late]


async def test_a_deleted_person_is_not_named_among_the_absent(world: World) -> None:
    tournament, late = await missed(world)
    await world.tables.database.write_at_once(lambda connection: forget(connection, late, world.clock.now()))
    await tournament.read_again()
    assert late not in tournament_terms({"absent": tournament.stored.terms.absent}).absent


@pytest.mark.simcord(check_errors=False)
async def test_only_the_person_who_was_asked_answers(room: Any) -> None:
    tournament = await announced(room, entered=("ann", "ben", "cleo"), kind="round_robin")
    await room.ann.slash(room.channel, "tournament start")
    await quiet(room)
    (match,) = tournament.bracket.ready()
    there, late = (
        next(who for who in (room.ann, room.ben, room.cleo) if str(who.id) == p) for p in match.players
    )
    table = await room.bot.tables.get(tournament.state.matches[match.key].game_id)
    await lobby.join(table, there.id, there.name, 1000)
    await table.cancel("expired")
    await quiet(room)
    (asked,) = [message for message in room.channel.history() if "Are you still in?" in said(message)]
    refused = await there.click(asked, label=say("tournament.still_in"))
    assert say("refused.not_your_question", who=late.id) in said(refused.response)
    await late.click(asked, label=say("tournament.still_in"))
    await quiet(room)
    assert not tournament.stored.terms.absent


@pytest.mark.parametrize("kind", ["swiss", "round_robin", "single", "double"])
async def test_a_match_that_someone_missed_is_a_walkover_also_after_a_restart(
    world: World, kind: Kind
) -> None:
    tournament, late = await missed(world, kind)
    (tournament,) = await world.restart()
    assert tournament.bracket is not None
    (match,) = (match for match in tournament.bracket.matches() if match.decided)
    assert match.walkover
    assert match.winner == match.other(str(late))


@pytest.mark.parametrize("kind", ["swiss", "round_robin", "single", "double"])
@pytest.mark.parametrize("dealt", [False, True])
async def test_a_match_is_a_walkover_if_its_cards_were_not_dealt_when_someone_withdrew(
    world: World, kind: Kind, *, dealt: bool
) -> None:
    tournament = await world.tournament(4, kind=kind)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    assert tournament.bracket is not None
    match = tournament.bracket.ready()[0]
    if dealt:
        table = world.table(tournament, match.key)
        for player in match.players:
            await lobby.join(table, int(player), f"person {player}", 7)
        await lobby.start(table, table.stored.host_id)
    await world.tournaments.leave(tournament, int(match.players[1]))
    await settle(world.tables)
    decided = tournament.bracket.match(match.key)
    assert (decided.winner, decided.walkover) == (match.players[0], not dealt)
