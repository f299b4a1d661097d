"""The commands of tournaments, typed: what they take, what they offer, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.privacy.deletion import delete_person
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import LoadedTournaments, Tournament
from bot.locales import words
from bot.store.personal_data import forgetting
from bot.store.personal_data.forgetting import FORMER
from bot.store.prefs import Prefs
from bot.table.registry import Tables
from tests.support.discord.forging import forge
from tests.support.discord.people import called
from tests.support.discord.room_tournaments import announced, entered, quiet, reported
from tests.support.discord.sent_messages import said
from tests.support.share import share
from tests.support.tables.tournaments import report
from tests.support.waiting import until

say = words("en")
pytestmark = pytest.mark.simcord(check_errors=False)  # refused commands are what some of this is about


async def running(room: Any) -> Tournament:
    tournament = await announced(room, entered=("ann", "ben", "cleo"))
    await room.ann.slash(room.channel, "tournament start")
    await quiet(room)
    assert tournament.stored.phase == "running"
    return tournament


async def test_people_come_and_go_while_it_is_announced(room: Any) -> None:
    tournament = await announced(room, entered=("ann", "ben"))
    assert entered(tournament) == ["ann", "ben"]
    answer = await room.ben.slash(room.channel, "tournament leave")
    assert say("tournament.left", name="Autumn cup") in said(answer.response)
    assert entered(tournament) == ["ann"]


async def test_who_leaves_while_it_runs_is_asked_first(room: Any) -> None:
    tournament = await running(room)
    before = tournament.stored.revision
    answer = await room.ben.slash(room.channel, "tournament leave")
    assert answer.ephemeral
    assert (tournament.stored.revision, len(tournament.entrants)) == (before, 3)


async def test_a_match_table_without_players_says_so_in_the_list(room: Any) -> None:
    await running(room)
    listed = said((await room.ann.slash(room.channel, "games")).response)
    lines = [line for line in listed.splitlines() if say("games.lobby") in line]
    assert lines
    assert all(say("games.nobody") in line and " ·  · " not in line for line in lines)


async def test_the_bracket_is_shown_to_who_asks(room: Any) -> None:
    await running(room)
    answer = await room.cleo.slash(room.channel, "tournament bracket")
    assert answer.ephemeral
    assert "Autumn cup" in said(answer.response)
    assert answer.response.attachments


@pytest.mark.parametrize("typed", ["rounds=2", "rounds=2, deck=big", "rounds"])
async def test_options_are_typed_with_their_values(room: Any, typed: str) -> None:
    answer = await room.ann.slash(room.channel, "tournament create", name="Cup", game="probe", option=typed)
    tournaments = room.bot.app.service(Tournaments).of_guild(room.guild.id)
    if typed == "rounds=2":
        assert [tournament.stored.options["rounds"] for tournament in tournaments] == [2]
        return
    assert tournaments == []
    assert typed.rsplit(maxsplit=1)[-1] in said(answer.response)
    assert "rounds=1/2/3" in said(answer.response)


async def test_a_report_offers_the_matches_that_are_due_and_their_players(room: Any) -> None:
    tournament = await running(room)
    (match,) = tournament.bracket.ready() if tournament.bracket else ()
    offered = await room.ann.autocomplete(room.channel, "tournament report", "match", "")
    assert [choice["value"] for choice in offered] == [match.key]
    names = {str(e.user_id): e.name for e in tournament.entrants}
    assert all(names[player] in offered[0]["name"] for player in match.players)
    offered = await room.ann.autocomplete(room.channel, "tournament report", "winner", "", match=match.key)
    assert [choice["value"] for choice in offered][1:] == list(match.players)
    assert offered[0]["name"] == say("tournament.drawn")
    nobody = await room.ann.autocomplete(room.channel, "tournament report", "winner", "", match="W9.9")
    assert [choice["value"] for choice in nobody] == [offered[0]["value"]]
    first = names[match.players[0]]
    found = await room.ann.autocomplete(room.channel, "tournament report", "winner", first[:3])
    assert [choice["name"] for choice in found] == [first]


async def test_a_report_decides_a_match_by_name_or_number(room: Any) -> None:
    tournament = await running(room)
    (match,) = tournament.bracket.ready() if tournament.bracket else ()
    name = next(e.name for e in tournament.entrants if str(e.user_id) == match.players[1])
    refused = await room.ben.slash(room.channel, "tournament report", match=match.key, winner=name)
    assert refused.ephemeral
    assert tournament.bracket is not None
    assert tournament.bracket.match(match.key).winner == ""
    answer = await reported(room, room.ann, match.key, name)
    await quiet(room)
    assert say("tournament.reported", key=match.key) in said(answer)
    assert tournament.bracket.match(match.key).winner == match.players[1]


async def test_of_two_of_one_name_the_one_who_plays_is_meant(room: Any) -> None:
    tournament = await announced(room, entered=("ann", "ben"), seeding="rating")
    await room.bot.app.service(Tournaments).join(tournament, room.cleo.id, "ann")
    await room.ann.slash(room.channel, "tournament start")
    await quiet(room)
    answer = await reported(room, room.ann, "W1.2", "ann")
    assert say("tournament.reported", key="W1.2") in said(answer)
    assert tournament.bracket is not None
    assert tournament.bracket.match("W1.2").winner == str(room.cleo.id)


async def test_who_is_deleted_is_named_no_more(room: Any) -> None:
    """Neither where they are deleted, nor by another process, which hears of it and reads it again."""
    tournament = await running(room)
    app = room.bot.app

    async def shown() -> str:
        await quiet(room)
        message = await room.bot.get_channel(room.channel.id).fetch_message(tournament.stored.message_id)
        return str(message.components) + str([each.description for each in message.attachments])

    assert "cleo" in await shown()
    await delete_person(app.service(Tables), app.services, room.cleo.id, lambda _table: "Robo")
    assert "cleo" not in await shown()
    assert "cleo" not in entered(tournament)
    assert "ben" in await shown()
    await app.database.write_at_once(lambda c: forgetting.forget(c, room.ben.id, 0))
    await app.service(Tournaments).forgotten(room.ben.id)
    assert "ben" not in await shown()
    assert entered(tournament).count(FORMER) == 2


async def test_calling_off_is_asked_first(room: Any) -> None:
    tournament = await announced(room)
    answer = await room.ann.slash(room.channel, "tournament cancel")
    assert answer.ephemeral
    assert tournament.stored.phase != "cancelled"
    assert room.bot.app.service(Tournaments).of_guild(room.guild.id) == [tournament]


@pytest.mark.parametrize("pings", share(["mention", "none"], 2))
async def test_the_channel_hears_who_has_won(room: Any, pings: str) -> None:
    """The winner alone is called, unless they want no pings."""
    tournament = await running(room)
    for person in (room.ann, room.ben, room.cleo):
        await room.bot.app.preferences.put(person.id, person.name, Prefs(pings=pings), 0)
    before = 0
    while tournament.stored.phase == "running":
        assert tournament.bracket is not None
        match, before = tournament.bracket.ready()[0], len(room.env.http_requests)
        await report(room.bot.app.service(Tournaments), tournament, match.key, match.players[0])
        await quiet(room)
    assert tournament.bracket is not None
    winner = int(tournament.bracket.champion)
    await until(lambda: "wins **Autumn cup**" in said(room.channel.last_message))
    told = said(room.channel.last_message)
    assert f"<@{winner}> wins **Autumn cup**" in told
    (row,) = room.channel.last_message.components
    assert row.children[0].url.endswith(f"/{room.channel.id}/{tournament.stored.message_id}")
    assert called(room, before) == ({winner} if pings == "mention" else set())


@pytest.mark.long
@pytest.mark.parametrize("restarted", [False, True])
async def test_pages_are_turned_when_all_is_over(room: Any, *, restarted: bool) -> None:
    """Its message stays in the channel, with the buttons of its pages."""
    tournament = await running(room)
    tournaments = room.bot.app.service(Tournaments)
    while tournament.stored.phase == "running":
        assert tournament.bracket is not None
        match = tournament.bracket.ready()[0]
        await report(tournaments, tournament, match.key, match.players[0])
        await quiet(room)
    if restarted:
        tournaments._tournaments = LoadedTournaments()
    message = next(each for each in room.channel.history() if each.id == tournament.stored.message_id)
    turned = await forge(room.cleo, message, f"v:cup-page:{tournament.id}:0")
    assert "Autumn cup" in said(turned.response)
    assert turned.response.attachments
    assert say("refused.no_tournament", tournament=999) in said(
        (await forge(room.cleo, message, "v:cup-page:999:0")).response
    )


@pytest.mark.long
async def test_the_bracket_is_looked_through_when_it_is_played_out(room: Any) -> None:
    tournament = await running(room)
    while tournament.bracket is not None and (ready := tournament.bracket.ready()):
        match = ready[0]
        await reported(room, room.ann, match.key, match.players[0])
        await quiet(room)
    assert tournament.stored.phase == "over"
    number = tournament.id
    for forgotten in (False, True):
        if forgotten:  # as after a start
            room.bot.app.service(Tournaments)._tournaments = LoadedTournaments()
        shown = await room.cleo.slash(room.channel, "tournament bracket", number=number)
        assert "wins the tournament" in said(shown.response)
        turned = await forge(room.cleo, shown.response, f"v:cup-page:{number}:0")
        assert "wins the tournament" in said(turned.response)
    unknown = await room.cleo.slash(room.channel, "tournament bracket", number=number + 1)
    assert say("refused.no_tournament", tournament=number + 1) in said(unknown.response)


async def test_an_announcement_counts_in_words_that_fit(room: Any) -> None:
    await room.ann.slash(room.channel, "tournament create", name="Cup", game="probe", minutes=1)
    await room.ben.slash(room.channel, "tournament join")
    await quiet(room)
    announcement = said(room.channel.last_message)
    assert "1 minute to come" in announcement
    assert "1. ben\nNeeds 2 more players to start." in announcement.replace("\\n", "\n")
