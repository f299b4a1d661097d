"""Tournaments: entries, matches at tables, no-shows, withdrawal, a restart in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest

from bot.store.database import StoreTrouble
from bot.store.terms import CupTerms
from bot.tables.cups import Cup, Cups
from bot.tables.ports import Hindered, Refused
from bot.tables.table import Table
from engine.brackets import BracketError, Match
from engine.game import Value
from tests.support.hall import ManualClock, at_hand, close_hall, open_hall, open_tables, settle


class Stage:
    """Makes threads and remembers them, outlives the bot as Discord does, and fails as it is told."""

    def __init__(self) -> None:
        self.threads: dict[int, str] = {}
        self.calls: list[int] = []
        self.fails: dict[str, Exception] = {}
        """By what is asked: what it answers instead."""
        self.lost: dict[str, Exception] = {}
        """By what is asked: what it answers after it has done so all the same."""
        self.changed: list[tuple[int, bool]] = []
        self.unseen: set[int] = set()
        self.asked, self.door = asyncio.Event(), asyncio.Event()
        self.door.set()

    def cup_changed(self, cup: Cup, *, acted: bool = False) -> None:
        self.changed.append((cup.id, acted))

    @contextmanager
    def _asked(self, what: str) -> Iterator[None]:
        if error := self.fails.get(what):
            raise error
        yield
        if error := self.lost.pop(what, None):
            raise error

    async def find_threads(self, cup: Cup, match: Match) -> list[int]:
        return [number for number, key in self.threads.items() if key == match.key]

    async def open_thread(self, cup: Cup, match: Match) -> int:
        with self._asked("thread"):
            self.asked.set()
            await self.door.wait()
            number = 100 + len(self.threads)
            self.threads[number] = match.key
        return number

    async def call(self, cup: Cup, match: Match, thread_id: int, game_id: int) -> None:
        with self._asked("call"):
            self.calls.append(game_id)

    async def stand(self, table: Table) -> None:
        with self._asked("stand"):
            await table.placed(table.stored.channel_id, 9000 + table.id, guild_id=70)

    def hindered(self, table: Table) -> bool:
        return table.stored.message_id is None or table.id in self.unseen

    @property
    def opened(self) -> list[str]:
        """The matches for which threads were made, in that order."""
        return list(self.threads.values())


class World:
    """A bot with its tournaments, that can be stopped and started again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.clock = ManualClock()
        self.stage = Stage()

    async def open(self) -> None:
        self.hall, _, _ = await open_hall(self._path, self.clock)
        self.cups = Cups(self.hall.database, self.clock, self.hall, self.stage)
        self.hall.ended = self.cups.table_ended

    async def restart(self) -> list[Cup]:
        """Stop and start the bot; the tournaments that have come back."""
        await close_hall(self.hall)
        await self.open()
        await self.cups.open()
        await settle(self.hall)
        return self.cups.of_guild(70)

    async def cup(
        self,
        players: int,
        *,
        game: str = "probe",
        options: dict[str, Value] | None = None,
        kind: Literal["single", "double"] = "single",
    ) -> Cup:
        cup = await self.cups.create(
            name="Cup",
            game=game,
            options={"rounds": 1} if options is None else options,
            terms=CupTerms(kind=kind, seeding="rating"),
            guild_id=70,
            channel_id=7,
            host_id=1,
            locale="en",
        )
        for user in range(1, players + 1):
            await self.cups.join(cup, user, f"person {user}")
        return cup

    def table(self, cup: Cup, key: str) -> Table:
        return next(t for t in at_hand(self.hall).values() if t.stored.terms.match == key)

    async def play(self, cup: Cup, key: str, *, loser: int) -> None:
        """Both come, and one of them lays nothing."""
        table = self.table(cup, key)
        for user in table.stored.terms.invited:
            await table.join(user, f"person {user}", 1000 + user)
        await table.start(table.stored.host_id)
        while table.phase == "live" and table.waiting():
            seat = table.waiting()[0]
            legal = table.legal[seat]
            lays = [action for action in legal if action.verb == "lay"]
            lose = table.sitters[seat].user_id == loser
            await table.act(seat, None, legal[0] if not lays else legal[-1] if lose else lays[-1])
        await settle(self.hall)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await close_hall(world.hall)


async def test_four_people_play_it_out(world: World) -> None:
    cup = await world.cup(4)
    await world.cups.start(cup)
    await settle(world.hall)
    assert world.stage.opened == ["W1.1", "W1.2"]
    await world.play(cup, "W1.1", loser=4)
    await world.play(cup, "W1.2", loser=2)
    assert world.stage.opened[-1] == "W2.1"
    await world.play(cup, "W2.1", loser=3)
    assert cup.stored.phase == "over"
    assert cup.bracket is not None
    assert cup.bracket.champion == "1"
    with pytest.raises(Refused, match="no_cup"):
        world.cups.get(cup.id)


async def test_who_does_not_come_loses(world: World) -> None:
    cup = await world.cup(4)
    await world.cups.start(cup)
    await settle(world.hall)
    table = world.table(cup, "W1.1")
    lower = table.stored.terms.invited[1]
    await table.join(lower, "here", 5)
    world.clock.move(15 * 60 + 1)
    await settle(world.hall)
    assert cup.bracket is not None
    assert cup.bracket.match("W1.1").winner == str(lower)
    # to the other match nobody came: the higher seed goes on
    assert cup.bracket.match("W1.2").winner == "2"


async def test_a_match_is_for_those_who_were_called(world: World) -> None:
    cup = await world.cup(4)
    await world.cups.start(cup)
    await settle(world.hall)
    table = world.table(cup, "W1.2")
    with pytest.raises(Refused, match="not_invited"):
        await table.join(1, "somebody else", 9)
    first, second = table.stored.terms.invited
    await table.join(second, "second", 8)
    await table.join(first, "first", 9)
    assert [sitter.user_id for sitter in table.sitters] == [first, second]


async def test_leaving_a_match_loses_it_and_withdrawing_loses_the_rest(world: World) -> None:
    cup = await world.cup(5)
    await world.cups.start(cup)
    await settle(world.hall)
    table = world.table(cup, "W1.2")
    one, two = table.stored.terms.invited
    for user in (one, two):
        await table.join(user, "x", user)
    await table.start(1)
    await table.forfeit(one)
    await settle(world.hall)
    assert cup.bracket is not None
    assert cup.bracket.match("W1.2").winner == str(two)
    await world.cups.leave(cup, two)
    await settle(world.hall)
    assert not any(two in t.stored.terms.invited for t in (await open_tables(world.hall)).values())
    with pytest.raises(BracketError, match="already_withdrawn"):
        await world.cups.leave(cup, two)


async def test_the_organiser_reports_and_the_table_closes(world: World) -> None:
    cup = await world.cup(3, kind="double")
    with pytest.raises(Refused, match="organiser_only"):
        cup.must_organise(2, moderator=False)
    await world.cups.start(cup)
    with pytest.raises(Refused, match="cup_running"):
        await world.cups.join(cup, 9, "late")
    await settle(world.hall)
    await world.cups.report(cup, "W1.2", "3")
    await settle(world.hall)
    assert world.stage.opened == ["W1.2", "W2.1"]
    assert len(await open_tables(world.hall)) == 1
    with pytest.raises(BracketError, match="already_played"):
        await world.cups.report(cup, "W1.2", "2")


async def test_too_few_cannot_start(world: World) -> None:
    cup = await world.cup(2)
    with pytest.raises(BracketError, match="players"):
        await world.cups.start(cup)
    assert cup.stored.phase == "open"


async def test_a_restart_opens_what_was_about_to_be_played(world: World) -> None:
    cup = await world.cup(4)
    world.stage.fails["thread"] = Hindered("rights", rights=("view_channel",))
    await world.cups.start(cup)
    await settle(world.hall)
    assert not await open_tables(world.hall)
    assert sorted(cup.troubles) == ["W1.1", "W1.2"]
    world.stage.fails.clear()
    (found,) = await world.restart()
    assert world.stage.opened == ["W1.1", "W1.2"]
    assert sorted(e.user_id for e in found.entrants) == [1, 2, 3, 4]


async def test_a_restart_notes_what_was_decided_and_opens_no_table_twice(world: World) -> None:
    cup = await world.cup(4)
    await world.cups.start(cup)
    await settle(world.hall)
    world.hall.ended = lambda _table: None  # the bot stops between the end of a game and the report
    await world.play(cup, "W1.1", loser=4)
    (found,) = await world.restart()
    assert found.bracket is not None
    assert found.bracket.match("W1.1").winner == "1"
    assert world.stage.opened == ["W1.1", "W1.2"]  # the table of W1.2 came back by itself
    await world.play(found, "W1.2", loser=2)
    assert world.stage.opened == ["W1.1", "W1.2", "W2.1"]
    await world.cups.cancel(found)
    await settle(world.hall)
    assert not await open_tables(world.hall)


async def test_a_forfeit_before_a_restart_counts(world: World) -> None:
    cup = await world.cup(4)
    await world.cups.start(cup)
    await settle(world.hall)
    world.hall.ended = lambda _table: None
    table = world.table(cup, "W1.1")
    one, two = table.stored.terms.invited
    for user in (one, two):
        await table.join(user, "x", user)
    await table.start(1)
    await table.forfeit(one)
    (found,) = await world.restart()
    assert found.bracket is not None
    assert found.bracket.match("W1.1").winner == str(two)
    assert world.stage.opened == ["W1.1", "W1.2"]


async def test_a_no_show_before_a_restart_counts(world: World) -> None:
    cup = await world.cup(4)
    await world.cups.start(cup)
    await settle(world.hall)
    world.hall.ended = lambda _table: None
    table = world.table(cup, "W1.2")
    lower = table.stored.terms.invited[1]
    await table.join(lower, "here", 5)
    await table.cancel("expired")
    (found,) = await world.restart()
    assert found.bracket is not None
    assert found.bracket.match("W1.2").winner == str(lower)


async def test_a_result_is_noted_when_the_database_answers_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = await world.cup(4)
    await world.cups.start(cup)
    await settle(world.hall)
    tries = 0
    write = world.hall.database.write_at_once

    async def locked_at_first(work: Callable[[Any], Any]) -> Any:
        nonlocal tries
        tries += "Cups" in work.__qualname__
        if "Cups" in work.__qualname__ and tries < 3:
            raise StoreTrouble("locked")
        return await write(work)

    monkeypatch.setattr(world.hall.database, "write_at_once", locked_at_first)
    await world.play(cup, "W1.1", loser=4)
    assert tries >= 3
    assert cup.bracket is not None
    assert cup.bracket.match("W1.1").winner == "1"
    assert world.stage.opened == ["W1.1", "W1.2"]


async def test_a_report_goes_on_though_the_table_just_ends(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = await world.cup(3)
    await world.cups.start(cup)
    await settle(world.hall)

    async def ends_by_itself(_table: Table, _why: str) -> None:
        raise Refused("over")

    monkeypatch.setattr(Table, "cancel", ends_by_itself)
    await world.cups.report(cup, "W1.2", "3")
    await settle(world.hall)
    assert world.stage.opened == ["W1.2", "W2.1"]


async def test_a_game_for_one_makes_no_tournament(world: World) -> None:
    with pytest.raises(Refused, match="not_for_two"):
        await world.cup(0, game="duel52", options={"variant": "solo"})


async def test_what_is_decided_while_others_are_opened_gets_no_second_table(world: World) -> None:
    cup = await world.cup(5)
    await world.cups.start(cup)
    await settle(world.hall)
    assert world.stage.opened == ["W1.2", "W2.2"]
    world.stage.asked.clear()
    world.stage.door.clear()  # a thread takes its time to open
    await world.cups.report(cup, "W1.2", "4")
    await world.stage.asked.wait()
    await world.cups.report(cup, "W2.2", "2")
    world.stage.door.set()
    await settle(world.hall)
    assert world.stage.opened == ["W1.2", "W2.2", "W2.1"]


async def test_a_result_that_is_still_being_noted_needs_no_other_table(world: World) -> None:
    cup = await world.cup(4)
    await world.cups.start(cup)
    await settle(world.hall)
    table = world.table(cup, "W1.1")
    one, two = table.stored.terms.invited
    for user in (one, two):
        await table.join(user, "x", user)
    await table.start(1)
    async with cup.lock:  # the notebook is busy
        await table.forfeit(one)
        for _ in range(20):
            await asyncio.sleep(0)
        assert world.stage.opened == ["W1.1", "W1.2"]
    await settle(world.hall)
    assert cup.bracket is not None
    assert cup.bracket.match("W1.1").winner == str(two)
