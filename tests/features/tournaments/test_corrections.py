"""Corrections: an organiser can change a slip until a match that follows from it has begun."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.core.errors import Refused
from bot.features.tournaments.corrections import digest
from bot.features.tournaments.match_results import result_of
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import Tournament, taking_part
from bot.locales import words
from bot.store.personal_data.forgetting import forget
from bot.table import lobby
from bot.table.ports import DiscordFailure
from bot.table.table import Table
from engine.brackets import Bracket, BracketError, Kind
from tests.support.discord.forging import forge
from tests.support.discord.room_tournaments import announced, confirmed, quiet, reported
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import close_tables, open_tables, settle
from tests.support.tables.tournaments import World

say = words("en")
KINDS: tuple[Kind, ...] = ("single", "double", "swiss", "round_robin")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await close_tables(world.tables)


def bracket_of(tournament: Tournament) -> Bracket:
    assert tournament.bracket is not None
    return tournament.bracket


async def started(world: World, players: int = 4, kind: Kind = "single") -> Tournament:
    tournament = await world.tournament(players, kind=kind)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    return tournament


async def note(world: World, tournament: Tournament, key: str, result: str) -> None:
    known = digest(bracket_of(tournament).match(key))
    await world.tournaments.note(tournament, key, result, by=1, known=known)
    await settle(world.tables)


async def first_round(world: World, tournament: Tournament) -> None:
    for match in bracket_of(tournament).ready():
        await note(world, tournament, match.key, f"w{match.players[0]}")


async def players_at_tables(world: World) -> dict[str, set[str]]:
    tables = (await open_tables(world.tables)).values()
    return {t.stored.terms.match: {str(user) for user in t.stored.terms.invited} for t in tables}


async def possible(world: World, tournament: Tournament) -> list[str]:
    return [match.key for match in await world.tournaments.corrections.possible(tournament)]


async def sit_down(table: Table) -> None:
    for user in table.stored.terms.invited:
        await lobby.join(table, user, f"person {user}", 7)
    await lobby.start(table, table.stored.host_id)


# -- at the service ----------------------------------------------------------------------------


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
async def test_the_right_tables_open_after_a_correction(world: World, kind: Kind, *, restarted: bool) -> None:
    tournament = await started(world, kind=kind)
    first = bracket_of(tournament).ready()[0]
    await first_round(world, tournament)
    if restarted:
        (tournament,) = await world.restart()
    await note(world, tournament, first.key, f"w{first.players[1]}")
    if restarted:
        (tournament,) = await world.restart()
    assert bracket_of(tournament).match(first.key).winner == first.players[1]
    wanted = {match.key: set(match.players) for match in bracket_of(tournament).ready()}
    assert await players_at_tables(world) == wanted


async def test_a_correction_survives_a_stop_before_its_tables_are_changed(world: World) -> None:
    """Discord does not answer at first: the wrong table is closed and the right one opens after the start."""
    tournament = await started(world)
    first = bracket_of(tournament).ready()[0]
    await first_round(world, tournament)
    world.stage.fails["notice"] = world.stage.fails["thread"] = DiscordFailure("discord", passing=True)
    await note(world, tournament, first.key, f"w{first.players[1]}")
    world.stage.fails.clear()
    (tournament,) = await world.restart()
    wanted = {match.key: set(match.players) for match in bracket_of(tournament).ready()}
    assert await players_at_tables(world) == wanted
    told = [notice for notice in world.stage.notices if notice.what == "result"]
    assert (told[-1].match, told[-1].result) == (first.key, f"w{first.players[1]}")
    assert tournament.stored.terms.notices == ()


@pytest.mark.parametrize("kind", ["single", "double", "swiss"])
async def test_it_is_too_late_once_someone_has_moved_in_a_match_that_follows(
    world: World, kind: Kind
) -> None:
    tournament = await started(world, kind=kind)
    first = bracket_of(tournament).ready()[0]
    await first_round(world, tournament)
    later = bracket_of(tournament).ready()[0]
    table = world.table(tournament, later.key)
    await sit_down(table)
    assert first.key in await possible(world, tournament), "the cards are dealt, and no one has moved"
    await table.act(table.waiting()[0], None, table.legal[table.waiting()[0]][0])
    for result in (f"w{first.players[1]}", "o", "d"):
        with pytest.raises(BracketError, match="too_late"):
            await note(world, tournament, first.key, result)
    assert first.key not in await possible(world, tournament)
    assert bracket_of(tournament).match(first.key).winner == first.players[0]


async def test_a_round_robin_is_corrected_while_later_rounds_are_played(world: World) -> None:
    tournament = await started(world, kind="round_robin")
    first = bracket_of(tournament).ready()[0]
    await first_round(world, tournament)
    later = bracket_of(tournament).ready()[0]
    await sit_down(world.table(tournament, later.key))
    await note(world, tournament, later.key, "d")
    await note(world, tournament, first.key, f"w{first.players[1]}")
    assert bracket_of(tournament).match(first.key).winner == first.players[1]
    with pytest.raises(BracketError, match="too_late"):
        await note(world, tournament, first.key, "o")


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
async def test_the_last_result_is_corrected_after_the_end(
    world: World, kind: Kind, *, restarted: bool
) -> None:
    tournament = await started(world, 3, kind)
    while ready := bracket_of(tournament).ready():
        match = ready[0]
        await note(world, tournament, match.key, f"w{match.players[0]}")
    champion = bracket_of(tournament).champion
    assert tournament.stored.phase == "over"
    if restarted:
        await world.restart()
        tournament = await world.tournaments.look(tournament.id)
    await note(world, tournament, match.key, f"w{match.players[1]}")
    assert bracket_of(tournament).match(match.key).winner == match.players[1]
    if kind in ("single", "double"):
        assert bracket_of(tournament).champion != champion
    if tournament.stored.phase == "running":  # a second final
        return
    world.clock.move(25 * 3600)
    with pytest.raises(Refused, match="tournament_over"):
        await note(world, tournament, match.key, f"w{match.players[0]}")


async def test_a_last_result_taken_back_lets_the_tournament_continue(world: World) -> None:
    tournament = await started(world, 3)
    while ready := bracket_of(tournament).ready():
        await note(world, tournament, ready[0].key, f"w{ready[0].players[0]}")
    await note(world, tournament, "W2.1", "o")
    assert (tournament.stored.phase, tournament.stored.ended_at) == ("running", None)
    assert not tournament.stored.terms.untold
    assert world.tournaments.of_guild(70) == [tournament]
    await world.play(tournament, "W2.1", loser=1)
    assert tournament.stored.phase == "over"


async def test_a_press_that_comes_twice_notes_once(world: World) -> None:
    tournament = await started(world)
    match = bracket_of(tournament).ready()[0]
    known = digest(match)
    for _ in range(2):
        await world.tournaments.note(tournament, match.key, f"w{match.players[0]}", by=1, known=known)
        await settle(world.tables)
    assert len([notice for notice in world.stage.notices if notice.what == "result"]) == 1
    assert len(bracket_of(tournament).log) == 1


async def test_a_second_draw_needs_a_second_question(world: World) -> None:
    """In an elimination a drawn match is played again, and a second draw decides it."""
    tournament = await started(world)
    known = digest(bracket_of(tournament).match("W1.1"))
    await world.tournaments.note(tournament, "W1.1", "d", by=1, known=known)
    with pytest.raises(Refused, match="match_changed"):
        await world.tournaments.note(tournament, "W1.1", "d", by=1, known=known)
    assert bracket_of(tournament).match("W1.1").ready
    await note(world, tournament, "W1.1", "o")
    assert bracket_of(tournament).match("W1.1").draws == 0


async def test_a_result_that_came_meanwhile_is_not_overwritten(world: World) -> None:
    tournament = await started(world)
    known = digest(bracket_of(tournament).match("W1.1"))
    await world.play(tournament, "W1.1", loser=4)
    with pytest.raises(Refused, match="match_changed"):
        await world.tournaments.note(tournament, "W1.1", "w4", by=1, known=known)
    await note(world, tournament, "W1.1", "w4")  # but it can be, when it is seen
    assert bracket_of(tournament).match("W1.1").winner == "4"
    (notice,) = (notice for notice in world.stage.notices if notice.what == "result")
    assert (notice.before, notice.result, notice.by) == ("w1", "w4", 1)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_no_show_is_announced_and_can_be_played_after_all(world: World, kind: Kind) -> None:
    tournament = await started(world, kind=kind)
    match = bracket_of(tournament).ready()[0]
    there, late = match.players
    await lobby.join(world.table(tournament, match.key), int(there), "here", 7)
    await world.table(tournament, match.key).cancel("expired")
    await settle(world.tables)
    (notice,) = world.stage.notices
    assert (notice.what, notice.match, notice.result) == ("no_show", match.key, f"x{there}")
    assert int(late) in tournament.stored.terms.absent
    await note(world, tournament, match.key, "o")
    assert int(late) not in tournament.stored.terms.absent, "no one asks whether they are still in"
    assert bracket_of(tournament).match(match.key).ready
    assert set(match.players) == (await players_at_tables(world))[match.key]
    await world.play(tournament, match.key, loser=int(there))
    assert bracket_of(tournament).match(match.key).winner == late


async def test_a_late_word_of_the_old_table_does_not_decide_the_new_match(world: World) -> None:
    tournament = await started(world, 8)
    for match in bracket_of(tournament).ready():
        await note(world, tournament, match.key, f"w{match.players[0]}")
    old = world.table(tournament, "W2.1")
    first = bracket_of(tournament).match("W1.1")
    await note(world, tournament, "W1.1", f"w{first.players[1]}")
    old.stored.why = "expired"
    for _ in range(2):
        world.tournaments._table_ended(old)
        await settle(world.tables)
    assert bracket_of(tournament).match("W2.1").ready
    assert (await players_at_tables(world))["W2.1"] == set(bracket_of(tournament).match("W2.1").players)


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
async def test_a_withdrawal_is_taken_back(world: World, kind: Kind, *, restarted: bool) -> None:
    tournament = await started(world, kind=kind)
    match = bracket_of(tournament).ready()[0]
    player = int(match.players[1])
    await world.tournaments.leave(tournament, player, by=player)
    await settle(world.tables)
    assert bracket_of(tournament).match(match.key).walkover
    if restarted:
        (tournament,) = await world.restart()
    await world.tournaments.readmit(tournament, player, by=player)
    await settle(world.tables)
    assert [notice.what for notice in world.stage.notices] == ["withdrawn", "returned"]
    assert player in taking_part(tournament.state)
    assert (await players_at_tables(world))[match.key] == set(match.players)
    with pytest.raises(BracketError, match="not_withdrawn"):
        await world.tournaments.readmit(tournament, player, by=player)


async def test_a_withdrawal_is_final_once_a_later_match_has_begun(world: World) -> None:
    tournament = await started(world)
    await world.tournaments.leave(tournament, 4, by=1)
    await note(world, tournament, "W1.2", "w2")
    assert tournament.stored.terms.removed == (4,)
    table = world.table(tournament, "W2.1")
    await sit_down(table)
    await table.act(table.waiting()[0], None, table.legal[table.waiting()[0]][0])
    with pytest.raises(BracketError, match="too_late"):
        await world.tournaments.readmit(tournament, 4, by=1)


async def test_a_withdrawal_that_ended_the_tournament_is_taken_back(world: World) -> None:
    tournament = await started(world, 3)
    await note(world, tournament, "W1.2", "w2")
    await world.tournaments.leave(tournament, 2, by=2)
    await settle(world.tables)
    assert (tournament.stored.phase, bracket_of(tournament).champion) == ("over", "1")
    await world.restart()
    tournament = await world.tournaments.look(tournament.id)
    await world.tournaments.readmit(tournament, 2, by=2)
    await settle(world.tables)
    assert tournament.stored.phase == "running"
    assert (await players_at_tables(world))["W2.1"] == {"1", "2"}


async def test_two_who_decide_at_once_do_not_overwrite_each_other(world: World) -> None:
    tournament = await started(world)
    known = digest(bracket_of(tournament).match("W1.1"))
    answers = await asyncio.gather(
        *(
            world.tournaments.note(tournament, "W1.1", result, by=by, known=known)
            for result, by in (("w1", 1), ("w4", 2))
        ),
        return_exceptions=True,
    )
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert [answer.args[0] for answer in refused] == ["match_changed"]
    assert len(bracket_of(tournament).log) == 1


async def test_notices_name_no_one_who_is_deleted(world: World) -> None:
    """A notice may wait for Discord while a person is deleted."""
    tournament = await started(world)
    world.stage.fails["notice"] = DiscordFailure("discord", passing=True)
    await note(world, tournament, "W1.1", "w4")
    await world.tournaments.leave(tournament, 3, by=1)
    await settle(world.tables)
    assert len(tournament.stored.terms.notices) == 2
    await world.tables.database.write_at_once(lambda c: forget(c, 4, 0))
    await world.tables.database.write_at_once(lambda c: forget(c, 3, 0))
    await world.restart()
    tournament = await world.tournaments.look(tournament.id)
    assert tournament.stored.terms.notices == ()
    assert tournament.stored.terms.removed == ()


# -- in Discord --------------------------------------------------------------------------------


async def running(room: Any, **options: Any) -> Tournament:
    tournament = await announced(room, entered=("ann", "ben", "cleo"), **options)
    await room.ann.slash(room.channel, "tournament start")
    await quiet(room)
    return tournament


def heard(room: Any, text: str) -> bool:
    return any(text in said(message) for message in room.channel.history())


async def test_a_report_counts_only_when_it_is_confirmed(room: Any) -> None:
    tournament = await running(room, kind="swiss")
    (match,) = bracket_of(tournament).ready()
    winner, loser = match.players
    asked = await room.ann.slash(room.channel, "tournament report", match=match.key, winner=winner)
    assert asked.ephemeral
    assert bracket_of(tournament).match(match.key).ready
    left = await confirmed(room, room.ann, asked.response, "cup-note-no")
    assert say("tournament.nothing_noted") in said(left)
    assert bracket_of(tournament).match(match.key).ready
    await reported(room, room.ann, match.key, winner, walkover=True)
    assert bracket_of(tournament).match(match.key).walkover
    names = {"winner": tournament.name_of(winner), "loser": tournament.name_of(loser)}
    assert heard(room, say("tournament.result_x", **names))
    assert heard(room, f"<@{room.ann.id}>")


@pytest.mark.simcord(check_errors=False)
async def test_a_wrong_winner_is_changed_and_everyone_hears_of_it(room: Any) -> None:
    tournament = await running(room)
    (match,) = bracket_of(tournament).ready()
    one, two = match.players
    await reported(room, room.ann, match.key, one)
    offered = await room.ann.autocomplete(room.channel, "tournament report", "match", "")
    assert match.key in [choice["value"] for choice in offered]
    winners = await room.ann.autocomplete(room.channel, "tournament report", "winner", "", match=match.key)
    assert {one, two, "unplayed"} <= {choice["value"] for choice in winners}
    again = await room.ann.slash(room.channel, "tournament report", match=match.key, winner=one)
    assert say("refused.result_known", match=match.key) in said(again.response)
    await reported(room, room.ann, match.key, two)
    assert bracket_of(tournament).match(match.key).winner == two
    before, after = (say("tournament.result_w", winner=tournament.name_of(player)) for player in (one, two))
    own = "_own" if str(room.ann.id) in match.players else ""
    facts = {"who": f"<@{room.ann.id}>", "key": match.key, "before": before, "result": after}
    assert heard(room, say(f"tournament.told{own}_changed", **facts))
    (final,) = bracket_of(tournament).ready()
    assert two in final.players


@pytest.mark.simcord(check_errors=False)
async def test_only_who_organises_notes_and_takes_back(room: Any) -> None:
    tournament = await running(room)
    (match,) = bracket_of(tournament).ready()
    message, number = room.channel.last_message, tournament.id
    refused = say("refused.organiser_only", host=room.ann.id)
    note_it = f"v:cup-note:{number}:{match.key}:w{match.players[0]}:{digest(match)}"
    assert refused in said((await forge(room.ben, message, note_it)).response)
    assert bracket_of(tournament).match(match.key).ready
    await room.bot.app.service(Tournaments).leave(tournament, room.cleo.id, by=room.ann.id)
    await quiet(room)
    for person in (room.ben, room.cleo):  # she was taken out, so she does not come back by herself
        for verb in ("cup-return", "cup-return-yes"):
            message = room.channel.last_message
            answer = await forge(person, message, f"v:{verb}:{number}:{room.cleo.id}")
            assert refused in said(answer.response), (person.name, verb)
        assert refused in said((await forge(person, message, f"v:cup-back:{number}:{match.key}")).response)
    assert room.cleo.id not in taking_part(tournament.state)
    for nonsense in (f"v:cup-note:{number}:{match.key}:zzz:{digest(match)}", f"v:cup-note:{number}:X9:d:0"):
        assert (await forge(room.ann, message, nonsense)).acknowledged
    assert heard(room, say("tournament.told_removed", who=f"<@{room.ann.id}>", player="cleo"))


@pytest.mark.simcord(check_errors=False)
async def test_who_withdrew_comes_back_by_the_button_or_the_command(room: Any) -> None:
    tournament = await running(room, kind="round_robin")
    for way in ("button", "command", "organiser"):
        asked = (await room.ben.slash(room.channel, "tournament leave")).response
        await confirmed(room, room.ben, asked, "cup-leave-yes")
        assert room.ben.id not in taking_part(tournament.state)
        notice = next(
            m for m in room.channel.history() if say("tournament.withdrawn", player="ben") in said(m)
        )
        if way == "button":
            asked = (await forge(room.ben, notice, f"v:cup-return:{tournament.id}:{room.ben.id}")).response
            await confirmed(room, room.ben, asked, "cup-return-yes")
            assert heard(room, say("tournament.told_back", player="ben"))
        elif way == "command":
            asked = (await room.ben.slash(room.channel, "tournament readmit")).response
            await confirmed(room, room.ben, asked, "cup-return-yes")
        else:
            offered = await room.ann.autocomplete(room.channel, "tournament readmit", "player", "")
            assert [choice["value"] for choice in offered] == [str(room.ben.id)]
            asked = (await room.ann.slash(room.channel, "tournament readmit", player="ben")).response
            await confirmed(room, room.ann, asked, "cup-return-yes")
            assert heard(room, say("tournament.told_readmitted", who=f"<@{room.ann.id}>", player="ben"))
        assert room.ben.id in taking_part(tournament.state)
    unknown = await room.ben.slash(room.channel, "tournament readmit")
    assert say("refused.not_withdrawn", name="ben") in said(unknown.response)


@pytest.mark.simcord(check_errors=False)
async def test_the_last_result_is_changed_by_command_after_the_end(room: Any) -> None:
    tournament = await running(room)
    while ready := bracket_of(tournament).ready():
        match = ready[0]
        await reported(room, room.ann, match.key, match.players[0])
    champion = bracket_of(tournament).champion
    assert tournament.stored.phase == "over"
    await reported(room, room.ann, match.key, match.players[1])
    tournament = await room.bot.app.service(Tournaments).look(tournament.id)
    assert result_of(bracket_of(tournament).match(match.key)) == f"w{match.players[1]}"
    assert bracket_of(tournament).champion != champion


@pytest.mark.simcord(check_errors=False)
async def test_the_button_below_a_notice_opens_the_match_again(room: Any) -> None:
    tournament = await running(room)
    (match,) = bracket_of(tournament).ready()
    await reported(room, room.ann, match.key, match.players[1], walkover=True)
    verb = f"v:cup-back:{tournament.id}:{match.key}"
    notice = next(m for m in room.channel.history() if verb in str([c.to_dict() for c in m.components]))
    asked = (await forge(room.ann, notice, verb)).response
    assert say("tournament.result_o") in said(asked)
    assert not bracket_of(tournament).match(match.key).ready
    await confirmed(room, room.ann, asked, "cup-note")
    assert bracket_of(tournament).match(match.key).ready
    again = (await forge(room.ann, notice, verb)).response
    assert say("refused.result_known", match=match.key) in said(again)


@pytest.mark.simcord(check_errors=False)
async def test_the_organiser_takes_a_removal_back_by_its_button(room: Any) -> None:
    tournament = await running(room, kind="double")
    asked = (await room.ann.slash(room.channel, "tournament remove", player="cleo")).response
    await confirmed(room, room.ann, asked, "cup-remove")
    verb = f"v:cup-return:{tournament.id}:{room.cleo.id}"
    notice = next(m for m in room.channel.history() if verb in str([c.to_dict() for c in m.components]))
    asked = (await forge(room.ann, notice, verb)).response
    await confirmed(room, room.ann, asked, "cup-return-yes")
    assert room.cleo.id in taking_part(tournament.state)
    assert tournament.stored.terms.removed == ()
