"""Games of matches that count: a decision about the match or the tournament does not make them vanish."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.tournaments.tournament import Tournament
from bot.locales import words
from bot.store.people import seats_with_results
from bot.table import lobby
from bot.table.people.leaving import forfeit
from bot.table.table import Table
from engine.brackets import Match
from tests.support.discord.room_tournaments import announced, quiet, reported
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import first_act

say = words("en")
pytestmark = pytest.mark.simcord(check_errors=False)


async def opened(room: Any) -> tuple[Tournament, Match, Table]:
    """The first match, and its table, which waits for both."""
    tournament = await announced(room, entered=("ann", "ben", "cleo"))
    await room.ann.slash(room.channel, "tournament start")
    await quiet(room)
    assert tournament.bracket is not None
    (match,) = tournament.bracket.ready()
    game_id = tournament.state.matches[match.key].game_id
    assert game_id is not None
    return tournament, match, await room.bot.tables.get(game_id)


async def begun(room: Any) -> tuple[Tournament, Match, Table]:
    """The same, and both have moved."""
    tournament, match, table = await opened(room)
    for user_id in table.stored.terms.invited:
        await lobby.join(table, user_id, tournament.name_of(str(user_id)), 1000)
    await lobby.start(table, table.stored.host_id)
    await quiet(room)
    for _ in range(2):
        for user_id in table.stored.terms.invited:
            if set(table.waiting()) & set(table.seats_of(user_id)):
                await first_act(table, user_id)
    await quiet(room)
    return tournament, match, table


async def results(room: Any, table: Table) -> set[Any]:
    found = await room.bot.tables.database.read_at_once(lambda c: seats_with_results(c, table.id))
    return set(found.values())


def posted(room: Any, text: str) -> bool:
    """Whether the bot has said that in public."""
    return any(text in str(call.json) for call in room.env.http_requests if call.path.endswith("/messages"))


async def play_out(table: Table) -> None:
    while table.phase == "live" and table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])


async def test_leaving_a_match_loses_the_rated_game_too(room: Any) -> None:
    _, _, table = await begun(room)
    await forfeit(table, table.stored.terms.invited[0])
    await quiet(room)
    assert (table.phase, table.stored.why, table.stored.terms.decided) == ("cancelled", "forfeit", True)
    assert await results(room, table) == set(table.stored.terms.invited)


async def test_a_game_goes_on_though_its_match_is_reported(room: Any) -> None:
    tournament, match, table = await begun(room)
    await reported(room, room.ann, match.key, match.players[0])
    await quiet(room)
    assert tournament.bracket is not None
    assert match.key not in {each.key for each in tournament.bracket.ready()}
    assert (table.phase, table.stored.terms.tournament) == ("live", 0)
    assert posted(room, say("tournament.goes_on"))
    await play_out(table)
    await quiet(room)
    assert table.phase == "over"
    assert await results(room, table) == set(table.stored.terms.invited)


async def test_a_game_goes_on_though_the_tournament_is_called_off(room: Any) -> None:
    tournament, _, table = await begun(room)
    asked = (await room.ann.slash(room.channel, "tournament cancel")).response
    await room.ann.click(asked, label=say("tournament.off_yes"))
    await quiet(room)
    assert tournament.stored.phase == "cancelled"
    assert posted(room, say("tournament.is_off_by", who=f"<@{room.ann.id}>", name=tournament.stored.name))
    assert (table.phase, table.stored.terms.tournament) == ("live", 0)


async def test_a_game_in_which_not_everyone_has_moved_closes_with_its_match(room: Any) -> None:
    _, match, table = await opened(room)
    await reported(room, room.ann, match.key, match.players[0])
    await quiet(room)
    assert (table.phase, table.stored.why) == ("cancelled", "decided")


async def test_nobody_closes_the_table_of_a_match(room: Any) -> None:
    _, _, table = await opened(room)
    refused = (await room.ann.slash(room.channel, "table cancel", table=table.id)).response
    assert say("refused.close_match") in said(refused)
    assert table.phase == "lobby"
