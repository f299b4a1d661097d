"""Tests that a tournament stores every change first, and trusts the database after a doubtful commit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from bot.core.errors import Refused
from bot.features.tournaments import rows as store
from bot.features.tournaments.corrections import digest
from bot.features.tournaments.rows import TournamentState
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import Tournament
from bot.store.database import StoreError
from bot.table import lobby
from tests.support.tables.tables import at_hand, settle
from tests.support.tables.tournaments import World, report

DAY = 86_400


async def started(world: World, players: int = 4) -> Tournament:
    tournament = await world.tournament(players)
    await world.tournaments.start(tournament)
    await settle(world.tables)
    return tournament


async def in_database(world: World, tournament: Tournament) -> TournamentState:
    found = await world.tables.database.read_at_once(lambda connection: store.read(connection, tournament.id))
    assert found is not None
    return found


async def note(tournaments: Tournaments, tournament: Tournament) -> None:
    assert tournament.bracket is not None
    known = digest(tournament.bracket.match("W1.1"))
    await tournaments.note(tournament, "W1.1", "x1", by=1, known=known)


CHANGES: dict[str, tuple[bool, Callable[[Tournaments, Tournament], Awaitable[None]]]] = {
    "join": (False, lambda tournaments, tournament: tournaments.join(tournament, 9, "nine")),
    "leave": (False, lambda tournaments, tournament: tournaments.leave(tournament, 4)),
    "start": (False, lambda tournaments, tournament: tournaments.start(tournament)),
    "withdraw": (True, lambda tournaments, tournament: tournaments.leave(tournament, 4)),
    "report": (True, lambda tournaments, tournament: report(tournaments, tournament, "W1.1", "1")),
    "note": (True, note),
    "hurry": (True, lambda tournaments, tournament: tournaments.hurry(tournament, "W1.1", 900, by=1)),
    "cancel": (True, lambda tournaments, tournament: tournaments.cancel(tournament)),
    "place": (False, lambda _tournaments, tournament: tournament.set_message(77)),
}


class Doubt:
    """A database that loses its connection at the next write, before or after the commit."""

    def __init__(self, world: World, *, after: bool, blind: bool = False) -> None:
        self.database = world.tables.database
        self.write = self.database.write_at_once
        self.after, self.blind = after, blind
        self.failed = False
        self.database.write_at_once = self.write_at_once  # type: ignore[method-assign]

    async def write_at_once(self, work: Callable[[Any], Any], **how: Any) -> Any:
        if self.failed and self.blind:
            self.blind = False
            raise StoreError("gone", doubtful=True)
        if self.failed:
            return await self.write(work, **how)
        self.failed = True
        if self.after:
            await self.write(work, **how)
        raise StoreError("gone", doubtful=True)


@pytest.mark.parametrize("name", CHANGES)
async def test_what_was_stored_in_doubt_counts(world: World, name: str) -> None:
    running, change = CHANGES[name]
    tournament = await started(world) if running else await world.tournament(4)
    before = tournament.state
    Doubt(world, after=True)
    await change(world.tournaments, tournament)
    assert tournament.state != before
    await settle(world.tables)
    assert tournament.state == await in_database(world, tournament)


@pytest.mark.parametrize("name", CHANGES)
async def test_what_was_not_stored_did_not_happen(world: World, name: str) -> None:
    running, change = CHANGES[name]
    tournament = await started(world) if running else await world.tournament(4)
    before = tournament.state
    Doubt(world, after=False)
    with pytest.raises(StoreError):
        await change(world.tournaments, tournament)
    await settle(world.tables)
    assert tournament.state == before == await in_database(world, tournament)
    await change(world.tournaments, tournament)  # and can be done again
    await settle(world.tables)
    assert tournament.state == await in_database(world, tournament) != before


@pytest.mark.parametrize("after", [False, True])
async def test_while_nobody_can_tell_the_next_change_asks_first(world: World, after: bool) -> None:
    tournament = await world.tournament(3)
    Doubt(world, after=after, blind=True)
    with pytest.raises(StoreError):
        await world.tournaments.join(tournament, 9, "nine")
    if after:
        with pytest.raises(Refused, match="already_entered"):
            await world.tournaments.join(tournament, 9, "nine")
    else:
        await world.tournaments.join(tournament, 9, "nine")
    assert [e.user_id for e in tournament.entrants] == [1, 2, 3, 9]
    assert tournament.state == await in_database(world, tournament)


async def test_somebody_else_was_faster(world: World) -> None:
    """Another process has changed the row: nothing of ours is written over it."""
    tournament = await world.tournament(3)
    other = tournament.state.copy()
    other.stored.revision += 1
    other.stored.name = "Other"
    await world.tables.database.write_at_once(
        lambda connection: store.save(connection, tournament.state, other)
    )
    with pytest.raises(StoreError, match="conflict"):
        await world.tournaments.join(tournament, 9, "nine")
    assert tournament.stored.name == "Other"
    await world.tournaments.join(tournament, 9, "nine")
    assert tournament.state == await in_database(world, tournament)


@pytest.mark.parametrize("after", [False, True])
async def test_an_announcement_in_doubt(world: World, after: bool) -> None:
    Doubt(world, after=after)
    if after:
        tournament = await world.tournament(3)
        assert tournament.id == 1
    else:
        with pytest.raises(StoreError):
            await world.tournament(3)
        assert world.tournaments.of_guild(70) == []


@pytest.mark.parametrize("after", [False, True])
async def test_an_announcement_of_which_nobody_could_tell_is_found(world: World, after: bool) -> None:
    """It is in the database, and people must not have to wait for the next start."""
    Doubt(world, after=after, blind=True)
    with pytest.raises(StoreError, match="unknown"):
        await world.tournament(3)
    await settle(world.tables)
    assert len(world.tournaments.of_guild(70)) == after
    for tournament in world.tournaments.of_guild(70):
        assert world.stage.changed == [(tournament.id, True)]  # so it is shown
        assert tournament.state == await in_database(world, tournament)
        await world.tournaments.join(tournament, 9, "nine")


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("name", CHANGES)
async def test_what_nobody_could_tell_is_found_out_and_goes_on(world: World, name: str, after: bool) -> None:
    running, change = CHANGES[name]
    tournament = await started(world) if running else await world.tournament(4)
    before = tournament.state
    Doubt(world, after=after, blind=True)
    with pytest.raises(StoreError, match="unknown"):
        await change(world.tournaments, tournament)
    await settle(world.tables)
    assert not tournament.in_doubt
    assert (tournament.state != before) == after
    assert tournament.state == await in_database(world, tournament)
    if after and name in ("start", "report"):  # the matches that are due now have their tables
        assert {match.step for match in tournament.state.matches.values()} == {"stands"}
    if after and name == "cancel":
        assert at_hand(world.tables) == {}


async def test_every_column_entrant_and_match_comes_back(world: World) -> None:
    tournament = await started(world)
    await tournament.set_message(5)
    await tournament.mark_shown(3)
    stored = await in_database(world, tournament)
    assert stored == tournament.state
    assert set(stored.matches) == {"W1.1", "W1.2"}
    assert {e.user_id for e in stored.entrants} == {1, 2, 3, 4}
    assert msgspec.structs.asdict(stored.stored)["shown"] == 3


async def test_a_row_that_cannot_be_read_keeps_nobody_else_away(world: World) -> None:
    bad, good = await world.tournament(3), await world.tournament(4, host=2)

    def spoil(connection: Any) -> None:
        connection.exec_driver_sql(
            f'UPDATE tournaments SET terms = \'{{"no_show": "soon"}}\' WHERE id = {bad.id}'
        )

    await world.tables.database.write_at_once(spoil)
    found = await world.restart()
    assert [tournament.id for tournament in found] == [good.id]


async def test_how_many_may_go_on(world: World) -> None:
    first = await world.tournament(3)
    await world.tournament(3)
    with pytest.raises(Refused, match="tournaments_of_person") as refused:
        await world.tournament(3)
    assert refused.value.facts == {"n": 2}
    for host in (2, 3, 4):
        await world.tournament(3, host=host)
    with pytest.raises(Refused, match="tournaments_in_server"):
        await world.tournament(3, host=9)
    await world.tournaments.cancel(first)
    await world.tournament(3, host=9)


async def test_one_that_nobody_starts_is_called_off_after_two_weeks(world: World) -> None:
    tournament = await world.tournament(3)
    await world.tournaments.open()
    await settle(world.tables)
    for _ in range(14 * 24):
        world.clock.move(3600)
    await settle(world.tables)
    assert tournament.stored.phase == "open"
    world.clock.move(2 * 3600)
    await settle(world.tables)
    found = await in_database(world, tournament)
    assert (found.stored.phase, found.stored.why) == ("cancelled", "unstarted")
    assert world.tournaments.of_guild(70) == []


async def test_one_in_which_nothing_happens_is_called_off_after_a_month(world: World) -> None:
    tournament = await started(world)
    table = world.table(tournament, "W1.1")
    for user in table.stored.terms.invited:
        await lobby.join(table, user, "x", user)
    await lobby.start(table, 1)
    world.table(tournament, "W1.2").deadlines = ()
    world.clock._at += 29 * DAY * 1000
    (seat,) = table.waiting()[:1]
    await table.act(seat, None, table.legal[seat][0])
    assert await world.restart() != []  # there was an act yesterday
    world.clock._at += 29 * DAY * 1000
    assert await world.restart() != []
    world.clock._at += 2 * DAY * 1000
    assert await world.restart() == []
    found = await in_database(world, tournament)
    assert (found.stored.phase, found.stored.why) == ("cancelled", "idle")
    assert at_hand(world.tables) == {}
