"""Tests of tournaments: entries, matches at tables, no-shows, withdrawal, a restart in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import insert

from bot.core.errors import Refused
from bot.core.scheduler import RETRY
from bot.store.database import StoreError
from bot.store.models import BoardRatingRow, table_of
from bot.store.rating_model import ALL_TIME, RatingBoard
from bot.table import lobby
from bot.table.people import leaving
from bot.table.ports import DiscordFailure
from bot.table.table import Table
from engine.brackets import BracketError
from tests.support.tables.tables import open_tables, settle
from tests.support.tables.tournaments import World, report


async def test_four_people_play_it_out(world: World) -> None:
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    assert world.stage.opened == ["W1.1", "W1.2"]
    await world.play(tournament, "W1.1", loser=4)
    await world.play(tournament, "W1.2", loser=2)
    assert world.stage.opened[-1] == "W2.1"
    await world.play(tournament, "W2.1", loser=3)
    assert tournament.stored.phase == "over"
    assert tournament.bracket is not None
    assert tournament.bracket.champion == "1"
    with pytest.raises(Refused, match="no_tournament"):
        world.tournaments.get(tournament.id)


async def test_who_is_surely_good_is_seeded_first(world: World) -> None:
    """A few lucky games weigh less than many good ones; who has not played yet comes last."""
    on = RatingBoard("probe", "", ALL_TIME, 70)._asdict()
    rated = [(2, 34.0, 6.0), (3, 30.0, 2.0), (4, 28.0, 1.0)]
    rows = [
        {**on, "user_id": who, "mu": mu, "sigma": sigma, "sure": mu - 3 * sigma}
        | {"games": 3, "wins": 1, "streak": 0}
        for who, mu, sigma in rated
    ]
    await world.tables.database.write_at_once(lambda c: c.execute(insert(table_of(BoardRatingRow)), rows))
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    assert tournament.bracket is not None
    assert tournament.bracket.players == ("4", "3", "2", "1")
    assert {match.players for match in tournament.bracket.ready()} == {("4", "1"), ("3", "2")}


async def won(world: World) -> None:
    """Three play their tournament to its end."""
    tournament = await world.tournament(3)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    await world.play(tournament, "W1.2", loser=3)
    await world.play(tournament, "W2.1", loser=2)
    assert tournament.stored.phase == "over"
    assert world.stage.told == [], "its message is to show it first"
    await tournament.mark_shown(tournament.stored.revision)
    world.clock.move(3)
    await settle(world.tables)


async def test_who_has_won_is_told_once(world: World) -> None:
    await won(world)
    assert world.stage.told == [1]
    await world.restart()
    world.clock.move(3600)
    await settle(world.tables)
    assert world.stage.told == [1]


async def test_who_has_won_is_told_after_a_stop_too(world: World) -> None:
    """While Discord does not answer it is tried again, also by the bot that comes after."""
    world.stage.fails["end"] = DiscordFailure("discord", passing=True)
    await won(world)
    world.clock.move(61)
    await settle(world.tables)
    assert world.stage.told == []
    world.stage.fails.clear()
    await world.restart()
    assert world.stage.told == [1]
    await world.restart()
    assert world.stage.told == [1]


async def test_where_the_winner_cannot_be_told_nobody_tries_for_ever(world: World) -> None:
    world.stage.fails["end"] = DiscordFailure("gone")
    await won(world)
    world.stage.fails.clear()
    await world.restart()
    assert world.stage.told == []


async def test_a_bracket_that_cannot_be_shown_does_not_keep_the_tournament_for_ever(world: World) -> None:
    tournament = await world.tournament(3)
    await world.tournaments.start(tournament)
    while tournament.stored.phase == "running":
        assert tournament.bracket is not None
        match = tournament.bracket.ready()[0]
        await report(world.tournaments, tournament, match.key, match.players[0])
        await settle(world.tables)
    world.stage.fails["end"] = DiscordFailure("gone")
    world.clock.move(86_400)
    await settle(world.tables)
    assert world.tournaments.in_memory([tournament.id]) == []


async def test_who_does_not_come_loses(world: World) -> None:
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    table = world.table(tournament, "W1.1")
    lower = table.stored.terms.invited[1]
    await lobby.join(table, lower, "here", 5)
    world.clock.move(15 * 60 + 1)
    await settle(world.tables)
    assert tournament.bracket is not None
    assert tournament.bracket.match("W1.1").winner == str(lower)
    # to the other match nobody came: the higher seed goes on
    assert tournament.bracket.match("W1.2").winner == "2"


async def test_a_match_is_for_those_who_were_called(world: World) -> None:
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    table = world.table(tournament, "W1.2")
    with pytest.raises(Refused, match="not_invited"):
        await lobby.join(table, 1, "somebody else", 9)
    first, second = table.stored.terms.invited
    await lobby.join(table, second, "second", 8)
    await lobby.join(table, first, "first", 9)
    assert [sitter.user_id for sitter in table.sitters] == [first, second]


async def test_who_stays_away_from_a_match_loses_it_however_the_computer_did(world: World) -> None:
    """As in the results: the computer that held their hand has not won for them."""
    tournament = await world.tournament(8, options={"rounds": 3})
    await world.tournaments.start(tournament)
    await settle(world.tables)
    ahead = 0
    for key in ("W1.1", "W1.2", "W1.3", "W1.4"):
        table = world.table(tournament, key)
        away, here = table.stored.terms.invited
        for user in (away, here):
            await lobby.join(table, user, "x", user)
        await lobby.start(table, 1)
        while table.waiting():
            if 1 in table.waiting():  # bids the most and lays nothing, so the other hand does better
                await table.act(1, table.decisions[1], table.legal[1][-1])
            elif not table.away(0):
                await table.act(0, None, table.legal[0][0], kind="timeout", present=False)
            await settle(world.tables)
        outcome = table.outcome()
        assert outcome is not None
        ahead += outcome.winners() == (0,)
        assert tournament.bracket is not None
        assert tournament.bracket.match(key).winner == str(here)
    assert ahead, "the computer, which plays at random here, was ahead in no match"


async def test_leaving_a_match_loses_it_and_withdrawing_loses_the_rest(world: World) -> None:
    tournament = await world.tournament(5)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    table = world.table(tournament, "W1.2")
    one, two = table.stored.terms.invited
    for user in (one, two):
        await lobby.join(table, user, "x", user)
    await lobby.start(table, 1)
    await leaving.forfeit(table, one)
    await settle(world.tables)
    assert tournament.bracket is not None
    assert tournament.bracket.match("W1.2").winner == str(two)
    await world.tournaments.leave(tournament, two)
    await settle(world.tables)
    assert not any(two in t.stored.terms.invited for t in (await open_tables(world.tables)).values())
    with pytest.raises(BracketError, match="already_withdrawn"):
        await world.tournaments.leave(tournament, two)


async def test_nobody_leaves_what_was_called_off_just_before(world: World) -> None:
    """The bracket that went on without them made matches of a tournament that nobody plays any more."""
    tournament = await world.tournament(4, kind="swiss")
    await world.tournaments.start(tournament)
    await settle(world.tables)
    calling = asyncio.create_task(world.tournaments.cancel(tournament))
    await asyncio.sleep(0)  # it has begun
    with pytest.raises(Refused, match="tournament_over"):
        await world.tournaments.leave(tournament, 2)
    await calling
    await settle(world.tables)
    assert not tournament.state.matches


async def test_the_organiser_reports_and_the_table_closes(world: World) -> None:
    tournament = await world.tournament(3, kind="double")
    await world.tournaments.start(tournament)
    with pytest.raises(Refused, match="tournament_running"):
        await world.tournaments.join(tournament, 9, "late")
    await settle(world.tables)
    await report(world.tournaments, tournament, "W1.2", "3")
    await settle(world.tables)
    assert world.stage.opened == ["W1.2", "W2.1"]
    assert len(await open_tables(world.tables)) == 1
    with pytest.raises(BracketError, match="already_played"):
        await report(world.tournaments, tournament, "W1.2", "2")


async def test_too_few_cannot_start(world: World) -> None:
    tournament = await world.tournament(2)
    with pytest.raises(BracketError, match="players"):
        await world.tournaments.start(tournament)
    assert tournament.stored.phase == "open"


async def test_a_restart_opens_what_was_about_to_be_played(world: World) -> None:
    tournament = await world.tournament(4)
    world.stage.fails["thread"] = DiscordFailure("rights", rights=("view_channel",))
    await world.tournaments.start(tournament)
    await settle(world.tables)
    assert not await open_tables(world.tables)
    assert sorted(tournament.troubles) == ["W1.1", "W1.2"]
    world.stage.fails.clear()
    (found,) = await world.restart()
    assert world.stage.opened == ["W1.1", "W1.2"]
    assert sorted(e.user_id for e in found.entrants) == [1, 2, 3, 4]


async def test_a_restart_notes_what_was_decided_and_opens_no_table_twice(world: World) -> None:
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    world.tables.runtime.ended.clear()  # the bot stops between the end of a game and the report
    await world.play(tournament, "W1.1", loser=4)
    (found,) = await world.restart()
    assert found.bracket is not None
    assert found.bracket.match("W1.1").winner == "1"
    assert world.stage.opened == ["W1.1", "W1.2"]  # the table of W1.2 came back by itself
    await world.play(found, "W1.2", loser=2)
    assert world.stage.opened == ["W1.1", "W1.2", "W2.1"]
    await world.tournaments.cancel(found)
    await settle(world.tables)
    assert not await open_tables(world.tables)


async def test_a_forfeit_before_a_restart_counts(world: World) -> None:
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    world.tables.runtime.ended.clear()
    table = world.table(tournament, "W1.1")
    one, two = table.stored.terms.invited
    for user in (one, two):
        await lobby.join(table, user, "x", user)
    await lobby.start(table, 1)
    await leaving.forfeit(table, one)
    (found,) = await world.restart()
    assert found.bracket is not None
    assert found.bracket.match("W1.1").winner == str(two)
    assert world.stage.opened == ["W1.1", "W1.2"]


async def test_a_no_show_before_a_restart_counts(world: World) -> None:
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    world.tables.runtime.ended.clear()
    table = world.table(tournament, "W1.2")
    lower = table.stored.terms.invited[1]
    await lobby.join(table, lower, "here", 5)
    await table.cancel("expired")
    (found,) = await world.restart()
    assert found.bracket is not None
    assert found.bracket.match("W1.2").winner == str(lower)


async def test_a_result_is_noted_when_the_database_answers_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    tries = 0
    write = world.tables.database.write_at_once

    async def locked_at_first(work: Callable[[Any], Any], **how: Any) -> Any:
        nonlocal tries
        tries += "Tournament." in work.__qualname__
        if "Tournament." in work.__qualname__ and tries < 3:
            raise StoreError("locked")
        return await write(work, **how)

    monkeypatch.setattr(world.tables.database, "write_at_once", locked_at_first)
    await world.play(tournament, "W1.1", loser=4)
    for failures in (1, 2):
        assert tries == failures
        world.clock.move(RETRY.pause(failures))
        await settle(world.tables)
    assert tries >= 3
    assert tournament.bracket is not None
    assert tournament.bracket.match("W1.1").winner == "1"
    assert world.stage.opened == ["W1.1", "W1.2"]


async def test_a_report_goes_on_though_the_table_just_ends(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await world.tournament(3)
    await world.tournaments.start(tournament)
    await settle(world.tables)

    async def ends_by_itself(_table: Table, _why: str) -> None:
        raise Refused("over")

    monkeypatch.setattr(Table, "cancel", ends_by_itself)
    await report(world.tournaments, tournament, "W1.2", "3")
    await settle(world.tables)
    assert world.stage.opened == ["W1.2", "W2.1"]


async def test_a_game_for_one_makes_no_tournament(world: World) -> None:
    with pytest.raises(Refused, match="not_for_two"):
        await world.tournament(0, game="duel52", options={"variant": "solo"})


async def test_what_is_decided_while_others_are_opened_gets_no_second_table(world: World) -> None:
    tournament = await world.tournament(5)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    assert world.stage.opened == ["W1.2", "W2.2"]
    world.stage.asked.clear()
    world.stage.door.clear()  # a thread takes its time to open
    await report(world.tournaments, tournament, "W1.2", "4")
    await world.stage.asked.wait()
    await report(world.tournaments, tournament, "W2.2", "2")
    world.stage.door.set()
    await settle(world.tables)
    assert world.stage.opened == ["W1.2", "W2.2", "W2.1"]


async def test_a_result_that_is_still_being_noted_needs_no_other_table(world: World) -> None:
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    table = world.table(tournament, "W1.1")
    one, two = table.stored.terms.invited
    for user in (one, two):
        await lobby.join(table, user, "x", user)
    await lobby.start(table, 1)
    async with tournament._lock:  # the notebook is busy
        await leaving.forfeit(table, one)
        for _ in range(20):
            await asyncio.sleep(0)
        assert world.stage.opened == ["W1.1", "W1.2"]
    await settle(world.tables)
    assert tournament.bracket is not None
    assert tournament.bracket.match("W1.1").winner == str(two)
