"""Leagues at tables: a draw, a withdrawal, a restart in the middle, nobody there, and who wins."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.core.errors import Refused
from bot.features.tournaments.tournament import Tournament
from engine import brackets
from engine.brackets import League
from tests.support.tables.tables import close_tables, open_tables, settle
from tests.support.tables.tournaments import World, report


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await close_tables(world.tables)


def league_of(tournament: Tournament) -> League:
    assert tournament.bracket is not None
    assert tournament.bracket.league is not None
    return tournament.bracket.league


async def test_a_swiss_tournament_from_the_first_table_to_its_winner(world: World) -> None:
    tournament = await world.tournament(5, kind="swiss")
    await world.tournaments.start(tournament)
    await settle(world.tables)
    assert world.stage.opened == ["R1.1", "R1.2"]
    assert league_of(tournament).bye == "5"
    await world.play(tournament, "R1.1", loser=3)
    assert world.stage.opened == ["R1.1", "R1.2"], "the next round waits for all matches of this one"
    (found,) = await world.restart()
    assert world.stage.opened == ["R1.1", "R1.2"]
    await report(world.tournaments, found, "R1.2", None)
    await settle(world.tables)
    assert league_of(found).matches["R1.2"].drawn
    assert world.stage.opened == ["R1.1", "R1.2", "R2.1", "R2.2"], "a drawn match is not played again"
    now = next(match for match in league_of(found).of_round(2) if "1" not in match.players)
    gone = now.players[0]
    await world.tournaments.leave(found, int(gone))
    await settle(world.tables)
    assert league_of(found).matches[now.key].winner == now.other(gone)
    for match in list(found.bracket.ready() if found.bracket else ()):
        await world.play(found, match.key, loser=int(max(match.players)))
    assert league_of(found).round == 3
    (found,) = await world.restart()
    for match in list(found.bracket.ready() if found.bracket else ()):
        assert gone not in match.players
        await world.play(found, match.key, loser=int(max(match.players)))
    assert found.stored.phase == "over"
    assert found.bracket is not None
    assert found.bracket.champion == "1"
    assert league_of(found).standings[-1].player == gone
    assert not await open_tables(world.tables)


async def test_a_game_drawn_at_its_table_is_half_a_point_for_each(world: World) -> None:
    tournament = await world.tournament(4, kind="round_robin")
    await world.tournaments.start(tournament)
    await settle(world.tables)
    key = world.stage.opened[0]
    await world.play(tournament, key, loser=None)
    match = league_of(tournament).matches[key]
    points = {score.player: score.points for score in league_of(tournament).standings}
    assert match.drawn
    assert [points[player] for player in match.players] == [0.5, 0.5]


async def test_after_a_start_a_league_is_played_through_beside_the_event_loop(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await world.tournament(4, kind="round_robin")
    await world.tournaments.start(tournament)
    await settle(world.tables)
    await world.play(tournament, world.stage.opened[0], loser=4)
    brackets._place.cache_clear()
    here = list[bool]()

    class Noted(League):
        def __init__(self, *args: Any) -> None:
            here.append(threading.current_thread() is threading.main_thread())
            super().__init__(*args)

    monkeypatch.setattr(brackets, "League", Noted)
    (found,) = await world.restart()
    assert here == [False]
    await world.play(found, world.stage.opened[1], loser=3)
    assert here == [False], "and goes on from there"


async def test_nobody_gets_a_point_where_nobody_comes(world: World) -> None:
    tournament = await world.tournament(3, kind="round_robin")
    await world.tournaments.start(tournament)
    await settle(world.tables)
    assert world.stage.opened == ["R1.1"]
    world.clock.move(15 * 60 + 1)
    await settle(world.tables)
    assert league_of(tournament).matches["R1.1"].walkover
    assert sum(score.points for score in league_of(tournament).standings) == 0
    assert world.stage.opened == ["R1.1"]
    for user in world.stage.absent:
        await world.tournaments.stay(tournament, user)
    await settle(world.tables)
    assert world.stage.opened == ["R1.1", "R2.1"]


async def test_the_second_last_withdrawal_ends_a_league(world: World) -> None:
    tournament = await world.tournament(4, kind="double_round_robin")
    await world.tournaments.start(tournament)
    await settle(world.tables)
    for user in (1, 2, 4):
        assert tournament.stored.phase == "running"
        await world.tournaments.leave(tournament, user)
        await settle(world.tables)
    assert tournament.stored.phase == "over"
    assert tournament.bracket is not None
    assert tournament.bracket.champion == "3"
    assert not await open_tables(world.tables)


async def test_ten_are_enough_for_a_double_round_robin(world: World) -> None:
    tournament = await world.tournament(10, kind="double_round_robin")
    with pytest.raises(Refused, match="tournament_full"):
        await world.tournaments.join(tournament, 11, "one more")


async def test_rounds_that_were_asked_for_are_no_more_than_there_are_others(world: World) -> None:
    tournament = await world.tournament(4, kind="swiss", rounds=9)
    await world.tournaments.start(tournament)
    assert league_of(tournament).rounds == 3
