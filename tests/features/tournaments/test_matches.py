"""Opening the tables of matches: whatever fails or stops on the way, each match has one thread and one table,
and nothing is decided against anybody by it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.core.errors import Refused
from bot.features.tournaments.tournament import Tournament
from bot.store.database import StoreError
from bot.table import lobby
from bot.table.ports import DiscordFailure
from bot.table.table import Table
from tests.support.share import share
from tests.support.tables.tables import at_hand, close_tables, settle
from tests.support.tables.tournaments import World, report


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await close_tables(world.tables)


def whole(world: World, tournament: Tournament) -> None:
    """Both first matches have one thread and one table with a message, and their clocks run."""
    assert sorted(world.stage.opened) == ["W1.1", "W1.2"]
    tables = list(at_hand(world.tables).values())
    assert sorted(table.stored.terms.match for table in tables) == ["W1.1", "W1.2"]
    for table in tables:
        match = tournament.state.matches[table.stored.terms.match]
        assert match.step == "stands"
        assert (match.game_id, match.thread_id) == (table.id, table.stored.channel_id)
        assert world.stage.threads[table.stored.channel_id] == table.stored.terms.match
        assert table.stored.message_id is not None
        assert [deadline.kind for deadline in table.deadlines] == ["lobby"]
        assert table.id in world.stage.calls


def wrapped(
    whole: Callable[..., Awaitable[Any]], error: Callable[[], BaseException], *, after: bool, nth: int = 1
) -> Callable[..., Awaitable[Any]]:
    """Fails once, at the nth call, before or after it has done its work."""
    calls = 0

    async def call(*args: Any, **words: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == nth and not after:
            raise error()
        done = await whole(*args, **words)
        if calls == nth:
            raise error()
        return done

    return call


POINTS = [(what, 1) for what in ("thread", "table", "call", "stand", "clock")] + [
    ("change", nth) for nth in range(1, 12)
]


@pytest.fixture
def break_at(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    return partial(_break_at, monkeypatch)


def _break_at(
    monkeypatch: pytest.MonkeyPatch,
    world: World,
    what: str,
    nth: int,
    *,
    after: bool,
    error: Callable[[], BaseException],
) -> None:
    """Let one thing on the way fail."""
    if what in ("thread", "call", "stand"):
        if after:
            world.stage.lost[what] = error()
        else:
            world.stage.fails[what] = error()
    elif what == "table":
        world.tables.opener.open_match = wrapped(world.tables.opener.open_match, error, after=after)  # type: ignore[method-assign]
    elif what == "clock":
        monkeypatch.setattr(lobby, "await_players", wrapped(lobby.await_players, error, after=after))
    else:
        opening = world.tournaments._match_tables
        opening._change = wrapped(opening._change, error, after=after, nth=nth)


@pytest.mark.long
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize(("what", "nth"), share(POINTS, 3))
async def test_a_stop_at_any_point(
    world: World, break_at: Callable[..., None], what: str, nth: int, after: bool
) -> None:
    """The process is gone from one moment to the next, with or without what was just done."""
    tournament = await world.tournament(4)
    break_at(world, what, nth, after=after, error=asyncio.CancelledError)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    world.stage.fails.clear()
    world.stage.lost.clear()
    (found,) = await world.restart()
    whole(world, found)
    await world.play(found, "W1.1", loser=4)
    await world.play(found, "W1.2", loser=2)
    await world.play(found, "W2.1", loser=3)
    assert found.stored.phase == "over"


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize(
    "point", share(((point,) for point in POINTS), 3), ids=lambda point: f"{point[0]}-{point[1]}"
)
@pytest.mark.parametrize("kind", ["discord", "store"])
async def test_a_failure_at_any_point(
    world: World, break_at: Callable[..., None], point: tuple[str, int], after: bool, kind: str
) -> None:
    """Discord or the database does not answer, with or without having done it."""
    tournament = await world.tournament(4)

    def error() -> BaseException:
        if kind == "store":
            return StoreError("gone", doubtful=True)
        return DiscordFailure("discord", passing=True)

    break_at(world, *point, after=after, error=error)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    if world.stage.fails:  # it goes on failing for longer than anybody has to come
        world.clock.move(20 * 60)
        await settle(world.tables)
        world.stage.fails.clear()
    for _ in range(20):
        if all(match.step == "stands" for match in tournament.state.matches.values()):
            break
        world.clock.move(40)
        await settle(world.tables)
    assert tournament.bracket is not None
    assert not any(match.winner for match in tournament.bracket.matches())
    whole(world, tournament)


async def test_pauses_grow_and_are_kept_over_a_restart(world: World) -> None:
    world.stage.fails["thread"] = DiscordFailure("discord", passing=True)
    tournament = await world.tournament(3)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    pauses = []
    for _ in range(4):
        match = tournament.state.matches["W1.2"]
        pauses.append((match.next_at - world.clock.now()) / 1000)
        world.clock.move(pauses[-1] + 1)
        await settle(world.tables)
    assert pauses == [5, 10, 20, 40]
    await world.restart()
    assert world.tournaments.get(tournament.id).state.matches["W1.2"].tries >= 5


async def test_what_holds_a_match_is_told_and_goes_away(world: World) -> None:
    world.stage.fails["thread"] = DiscordFailure("rights", rights=("create_public_threads",), code=50013)
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    assert tournament.troubles["W1.1"].facts["rights"] == ("create_public_threads",)
    told = tournament.stored.revision
    world.clock.move(90)
    await settle(world.tables)
    assert tournament.stored.revision == told  # the same words need not be shown again
    world.stage.fails.clear()
    world.clock.move(1000)
    await settle(world.tables)
    whole(world, tournament)
    assert tournament.troubles == {}
    assert tournament.stored.revision > told


async def test_a_thread_that_somebody_deleted_is_made_again_for_the_same_table(world: World) -> None:
    tournament = await world.tournament(3)
    world.stage.fails["stand"] = DiscordFailure("gone", passing=True, gone=True)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    world.stage.fails.clear()
    world.clock.move(60)
    await settle(world.tables)
    (table,) = at_hand(world.tables).values()
    assert world.stage.opened == ["W1.2", "W1.2"]
    assert table.stored.channel_id == max(world.stage.threads)
    assert tournament.state.matches["W1.2"].step == "stands"


async def test_nobody_loses_by_a_table_that_nobody_can_see(world: World) -> None:
    tournament = await world.tournament(3)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    (table,) = at_hand(world.tables).values()
    await lobby.join(table, table.stored.terms.invited[1], "here", 7)
    world.stage.unseen.add(table.id)
    world.clock.move(15 * 60 + 1)
    await settle(world.tables)
    assert tournament.bracket is not None
    assert tournament.bracket.match("W1.2").winner == ""
    (again,) = at_hand(world.tables).values()
    assert again.id != table.id
    assert again.stored.channel_id == table.stored.channel_id
    assert again.deadlines


async def test_a_table_that_a_moderator_closes_is_opened_again(world: World) -> None:
    tournament = await world.tournament(3)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    (table,) = at_hand(world.tables).values()
    await table.cancel("closed")
    await settle(world.tables)
    (again,) = at_hand(world.tables).values()
    assert again.stored.terms.match == "W1.2"
    assert world.stage.opened == ["W1.2"]


async def test_a_drawn_match_is_played_again_in_its_thread_with_seats_exchanged(world: World) -> None:
    tournament = await world.tournament(3)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    (table,) = at_hand(world.tables).values()
    await report(world.tournaments, tournament, "W1.2", None)
    await settle(world.tables)
    (again,) = at_hand(world.tables).values()
    assert table.phase == "cancelled"
    assert again.stored.terms.invited == table.stored.terms.invited[::-1]
    assert world.stage.opened == ["W1.2"]


async def test_a_stop_between_a_report_and_the_closing_of_its_table(world: World) -> None:
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    world.tournaments._match_tables._change = wrapped(  # type: ignore[assignment]
        world.tournaments._match_tables._change, asyncio.CancelledError, after=False
    )
    table = world.table(tournament, "W1.1")
    world.tables.tasks.spawn = lambda work, _name: work.close()  # type: ignore[method-assign]
    await report(
        world.tournaments,
        tournament,
        "W1.1",
        table.stored.terms.invited and str(table.stored.terms.invited[0]),
    )
    (found,) = await world.restart()
    assert [t.stored.terms.match for t in at_hand(world.tables).values()] == ["W1.2"]
    assert sorted(found.state.matches) == ["W1.2"]


async def test_a_match_without_a_row_gets_one_and_a_decided_one_loses_it(world: World) -> None:
    """As in a database from before there were rows of matches."""
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    await report(
        world.tournaments,
        tournament,
        "W1.1",
        tournament.bracket and tournament.bracket.match("W1.1").players[0],
    )
    await settle(world.tables)

    def spoil(connection: Any) -> None:
        connection.exec_driver_sql("UPDATE matches SET key = 'W1.1' WHERE key = 'W1.2'")

    await world.tables.database.write_at_once(spoil)
    (found,) = await world.restart()
    assert {key: match.step for key, match in found.state.matches.items()} == {"W1.2": "stands"}
    assert [table.stored.terms.match for table in at_hand(world.tables).values()] == ["W1.2"]


async def test_a_stop_between_calling_off_and_the_closing_of_the_tables(world: World) -> None:
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    world.tables.tasks.spawn = lambda work, _name: work.close()  # type: ignore[method-assign]
    await world.tournaments.cancel(tournament)
    assert await world.restart() == []
    assert at_hand(world.tables) == {}
    assert world.tournaments._tournaments.all() == []


async def both_there(world: World) -> tuple[Tournament, Table]:
    """A stop came between the second player's sitting down and the deal."""
    tournament = await world.tournament(4)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    table = world.table(tournament, "W1.1")
    for user in table.stored.terms.invited:
        await lobby.join(table, user, f"person {user}", 1000 + user)
    return tournament, table


async def test_who_both_came_play_though_the_deal_was_cut_off(world: World) -> None:
    tournament, table = await both_there(world)
    world.clock.move(tournament.stored.terms.no_show * 60 + 1)
    await settle(world.tables)
    assert table.phase == "live"


async def test_nobody_wins_where_both_came_to_a_table_that_cannot_be_dealt(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, table = await both_there(world)

    async def refused(*_: Any) -> None:
        raise Refused("for_one")

    monkeypatch.setattr(lobby, "start", refused)
    world.clock.move(tournament.stored.terms.no_show * 60 + 1)
    await settle(world.tables)
    assert (table.phase, table.stored.why) == ("cancelled", "expired")
    assert tournament.bracket is not None
    assert not [entry for entry in tournament.bracket.log if entry.match == "W1.1"]
    match = tournament.state.matches["W1.1"]
    assert (match.step, match.game_id != table.id) == ("stands", True)
