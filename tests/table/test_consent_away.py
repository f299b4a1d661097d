"""What is asked of the people at a table while the computer holds somebody's seat."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.core.errors import Refused
from bot.features.table.consent import request
from bot.store.terms import ConsentRequest, Terms
from bot.table import lobby
from bot.table.people import consent
from bot.table.people.consent import find_undo, name_of
from bot.table.table import Table
from tests.support.tables.absence import CLOCK, World
from tests.support.tables.tables import close_tables, first_act, new_table

ANN, BEN, CLEO = 1, 2, 3


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await close_tables(world.tables)


async def dealt(world: World, *people: int, game: str = "probe", **options: int) -> Table:
    if game == "probe":
        options.setdefault("rounds", 3)
    table = await new_table(world.tables, game=game, people=people, terms=Terms(clock=CLOCK), **options)
    await lobby.start(table, people[0])
    world.tables.runtime.halt()  # the opponent does nothing by itself
    return table


async def goes_away(table: Table, user_id: int) -> None:
    """This person misses turn after turn; the others decide at once."""
    (seat,) = table.seats_of(user_id)
    while not table.away(seat):
        at = seat if seat in table.waiting() else table.waiting()[0]
        if at == seat or table.away(at):
            await table.act(at, None, table.legal[at][-1], kind="timeout", present=False)
        else:
            await first_act(table, table.sitters[at].user_id or 0)


def pause_of(table: Table, user_id: int) -> ConsentRequest:
    return ConsentRequest(what="pause", by=user_id, seq=table.seq)


async def says(world: World, table: Table, user_id: int, *, yes: bool = True) -> bool:
    wish = table.stored.terms.asked
    assert wish is not None
    return await consent.answer(table, user_id, name_of(table, wish), yes=yes, database=world.tables.database)


async def test_only_those_who_hold_their_seats_are_asked(world: World) -> None:
    table = await dealt(world, ANN, BEN, CLEO)
    await goes_away(table, CLEO)
    assert not await consent.ask(table, ANN, pause_of(table, ANN), world.tables.database)
    assert consent.to_agree(table) == [BEN]
    assert await says(world, table, BEN)
    assert table.paused


async def test_who_was_away_is_told_once_on_their_return(world: World) -> None:
    table = await dealt(world, ANN, BEN, CLEO)
    await goes_away(table, CLEO)
    await consent.ask(table, ANN, pause_of(table, ANN), world.tables.database)
    await says(world, table, BEN)
    await world.restart()
    table = await world.tables.get(table.id)
    assert await table.come_back(BEN) == ()
    assert await table.come_back(CLEO) == ("pause",)
    assert await table.come_back(CLEO) == ()
    assert table.paused, "it goes on when somebody says so"


async def test_where_everyone_else_is_away_nobody_is_asked(world: World) -> None:
    table = await dealt(world, ANN, BEN, CLEO)
    await goes_away(table, BEN)
    await goes_away(table, CLEO)
    assert consent.is_alone_here(table, ANN)
    assert await consent.ask(table, ANN, pause_of(table, ANN), world.tables.database)
    assert table.paused
    await consent.resume(table, ANN)
    await consent.pause(table, ANN)
    assert await table.come_back(BEN) == ("pause",), "one line, however often"


async def test_who_goes_away_before_answering_keeps_nobody_waiting(world: World) -> None:
    table = await dealt(world, ANN, BEN, CLEO)
    await consent.ask(table, ANN, pause_of(table, ANN), world.tables.database)
    await says(world, table, BEN)
    assert consent.to_agree(table) == [CLEO]
    await goes_away(table, CLEO)
    assert consent.to_agree(table) == []
    told, buttons = request(table, "en", BEN)
    assert "one press" in told
    assert len(buttons) == 2
    assert await says(world, table, BEN)
    assert table.paused


async def test_who_comes_back_before_it_is_settled_is_asked_again(world: World) -> None:
    table = await dealt(world, ANN, BEN, CLEO)
    await goes_away(table, CLEO)
    await consent.ask(table, ANN, pause_of(table, ANN), world.tables.database)
    await table.come_back(CLEO)
    assert consent.to_agree(table) == [BEN, CLEO]
    assert not await says(world, table, BEN)
    assert await says(world, table, CLEO)


async def test_a_move_is_taken_back_without_who_is_away(world: World) -> None:
    table = await dealt(world, ANN, BEN, CLEO)
    await goes_away(table, CLEO)
    await first_act(table, ANN)
    await first_act(table, BEN)
    acts, found = table.acts, await find_undo(table, ANN, world.tables.database)
    wish = ConsentRequest(what="undo", by=ANN, seq=found.seq, seat=found.seat, first=found.first)
    assert not found.free
    assert not await consent.ask(table, ANN, wish, world.tables.database)
    assert await says(world, table, BEN)
    assert table.acts < acts
    assert await table.come_back(CLEO) == ("undo",)


async def test_where_everyone_else_is_away_a_move_is_taken_back_at_once(world: World) -> None:
    """They can see more through it, so the game earns no achievement."""
    table = await dealt(world, ANN, BEN)
    await goes_away(table, BEN)
    (seat,) = table.seats_of(BEN)
    await first_act(table, ANN)
    if seat in table.waiting():
        await table.act(seat, None, table.legal[seat][-1], kind="timeout", present=False)
    found = await find_undo(table, ANN, world.tables.database)
    assert found.free
    await consent.undo(table, found, world.tables.database)
    assert table.stored.terms.peeked == found.peeked
    assert await table.come_back(BEN) == ("undo",)


async def test_the_hand_of_who_is_away_is_not_shown_without_them(world: World) -> None:
    table = await dealt(world, ANN, BEN, game="canasta")
    await goes_away(table, BEN)
    wish = ConsentRequest(what="hands", by=ANN, seq=table.seq)
    assert not await consent.ask(table, ANN, wish, world.tables.database)
    assert consent.to_agree(table) == [BEN]
    assert not table.stored.terms.hands
    with pytest.raises(Refused, match="asked_already"):
        await consent.ask(table, BEN, pause_of(table, BEN), world.tables.database)
