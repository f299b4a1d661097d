"""A rated game cannot be thrown away: whoever leaves or closes it has a result, whatever happens later."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from bot.core.errors import Refused
from bot.store import ratings, totals
from bot.store.days import DAY_MS
from bot.store.models import ResultRow, TotalRow, table_of
from bot.store.people import EVERYWHERE
from bot.store.terms import ConsentRequest, Terms
from bot.store.totals import Total
from bot.table import lobby
from bot.table.people import absent, consent, leaving
from bot.table.people.consent import name_of
from bot.table.registry import Tables
from bot.table.table import Table
from bot.table.turns import MISSED
from tests.support.tables.tables import ManualClock, close_tables, first_act, new_table, opened_tables, settle

ANN, BEN, CLEO, DAN, MOD = 1, 2, 3, 4, 9
ROBO = ("random", "Robo")


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    yield tables
    # whatever was stored early, a recalculation from the results must agree with it
    assert await tables.database.write_at_once(ratings.differences) == 0
    before = await tables.database.read_at_once(total_rows)
    await tables.database.write_at_once(totals.recount)
    assert await tables.database.read_at_once(total_rows) == before
    await close_tables(tables)


def total_rows(connection: Any) -> list[Any]:
    found = table_of(TotalRow)
    return list(connection.execute(select(found).order_by(found.c.user_id, found.c.guild_id, found.c.game)))


async def dealt(
    tables: Tables, *people: int, begun: bool = True, game: str = "probe", **options: Any
) -> Table:
    """A running game; `begun`: everyone has moved."""
    if game == "probe":
        options.setdefault("rounds", 3)
    table = await new_table(tables, people=people, game=game, **options)
    await lobby.start(table, people[0])
    if begun:
        moved = set[int]()
        while moved != set(range(len(table.sitters))):
            await settle(tables)
            seat = table.waiting()[0]
            await table.act(seat, table.decisions[seat], table.legal[seat][0])
            moved |= {seat, *(n for n, who in enumerate(table.sitters) if who.user_id is None)}
    return table


async def results(tables: Tables, table: Table) -> dict[int, tuple[int, bool]]:
    """The rank of each person of a game, and whether they have won."""
    rows = table_of(ResultRow)
    query = select(rows.c.user_id, rows.c.rank, rows.c.won).where(rows.c.game_id == table.id)
    found = await tables.database.read_at_once(lambda c: list(c.execute(query)))
    return {row.user_id: (row.rank, bool(row.won)) for row in found}


async def rated(tables: Tables, table: Table) -> set[int]:
    """The people whose rating moved by a game."""
    rows = table_of(ResultRow)
    query = select(rows.c.user_id).where(rows.c.game_id == table.id, rows.c.mu.is_not(None))
    return {user for (user,) in await tables.database.read_at_once(lambda c: list(c.execute(query)))}


async def total(tables: Tables, user_id: int) -> Total:
    found = await tables.database.read_at_once(lambda c: totals.of_person(c, user_id, EVERYWHERE))
    return found.get("probe", Total())


async def close(tables: Tables, table: Table, user_id: int) -> None:
    await leaving.close(table, user_id, tables.database)


async def test_of_two_who_leaves_has_lost_and_who_stays_has_won_at_once(tables: Tables) -> None:
    table = await dealt(tables, ANN, BEN)
    await leaving.leave_game(table, ANN, *ROBO)
    assert table.phase == "live", "Ben may play on for fun"
    assert await results(tables, table) == {ANN: (2, False), BEN: (1, True)}
    assert await rated(tables, table) == {ANN, BEN}


@pytest.mark.parametrize("later", ["closes", "leaves", "sleeps", "plays on"])
async def test_what_was_decided_stays_whatever_happens_later(tables: Tables, later: str) -> None:
    table = await dealt(tables, ANN, BEN, rounds=3)
    await leaving.leave_game(table, ANN, *ROBO)
    kept, mine = await results(tables, table), await total(tables, BEN)
    if later == "closes":
        await close(tables, table, BEN)
    elif later == "leaves":
        await leaving.leave_game(table, BEN, *ROBO)
    elif later == "sleeps":
        await table.sleep("idle")
        await leaving.forget(table, "forgotten")
    else:
        while table.phase == "live":
            await settle(tables)
            if table.waiting():
                await first_act(table, BEN)
        await settle(tables)
    assert table.phase in ("over", "cancelled")
    assert await results(tables, table) == kept
    assert await total(tables, BEN) == mine


async def test_where_several_stay_who_left_has_lost_at_once_and_is_rated_at_the_end(tables: Tables) -> None:
    table = await dealt(tables, ANN, BEN, CLEO, rounds=3)
    await leaving.leave_game(table, ANN, *ROBO)
    assert await results(tables, table) == {ANN: (3, False)}
    assert (await total(tables, ANN)).games == 1
    assert await rated(tables, table) == set(), "nobody knows yet by whom they were beaten"
    while table.phase == "live":
        await settle(tables)
        for seat in table.waiting()[:1]:
            await table.act(seat, table.decisions[seat], table.legal[seat][0])
    await settle(tables)
    found = await results(tables, table)
    assert set(found) - {None} == {ANN, BEN, CLEO}
    assert found[ANN] == (3, False)
    assert (await total(tables, ANN)).games == 1, "counted once"
    assert await rated(tables, table) == {ANN, BEN, CLEO}


@pytest.mark.parametrize("end", ["closed by agreement", "forgotten", "second leaves"])
async def test_who_left_has_lost_though_the_game_has_no_end(tables: Tables, end: str) -> None:
    table = await dealt(tables, ANN, BEN, CLEO)
    await leaving.leave_game(table, ANN, *ROBO)
    if end == "closed by agreement":
        wish = ConsentRequest(what="pause", by=BEN, seq=table.seq, closing=True)
        await consent.ask(table, BEN, wish, tables.database)
        assert await consent.answer(table, CLEO, name_of(table, wish), yes=True, database=tables.database)
    elif end == "forgotten":
        await table.sleep("idle")
        await leaving.forget(table, "forgotten")
    else:
        await leaving.leave_game(table, BEN, *ROBO)
    found = await results(tables, table)
    assert found[ANN] == (3, False)
    assert found[CLEO] == (1, True)
    assert found[BEN] == ((3, False) if end == "second leaves" else (1, True))
    assert await rated(tables, table) == {ANN, BEN, CLEO}


async def test_in_between_the_leaver_plays_and_wins_elsewhere(tables: Tables) -> None:
    """The early loss is then the last game of theirs: streaks are counted anew."""
    table = await dealt(tables, ANN, BEN, CLEO)
    await leaving.leave_game(table, ANN, *ROBO)
    other = await dealt(tables, ANN, CLEO)
    await leaving.leave_game(other, CLEO, *ROBO)
    assert (await total(tables, ANN)).streak == 1
    await leaving.leave_game(table, BEN, *ROBO)
    assert (await total(tables, ANN)).streak == 0


async def test_a_game_in_which_everyone_has_moved_is_closed_by_agreement_alone(tables: Tables) -> None:
    table = await dealt(tables, ANN, BEN)
    assert await leaving.closing(table, ANN, tables.database) == "ask"
    with pytest.raises(Refused, match="close_asks"):
        await close(tables, table, ANN)
    wish = ConsentRequest(what="pause", by=ANN, seq=table.seq, closing=True)
    assert not await consent.ask(table, ANN, wish, tables.database)
    assert not table.paused
    assert await consent.answer(table, BEN, name_of(table, wish), yes=True, database=tables.database)
    assert (table.phase, table.stored.terms.closed_by) == ("cancelled", ANN)
    assert await results(tables, table) == {}


async def test_who_would_rather_play_on_keeps_the_table_open(tables: Tables) -> None:
    table = await dealt(tables, ANN, BEN)
    wish = ConsentRequest(what="pause", by=ANN, seq=table.seq, closing=True)
    await consent.ask(table, ANN, wish, tables.database)
    assert not await consent.answer(table, BEN, name_of(table, wish), yes=False, database=tables.database)
    assert (table.phase, table.paused) == ("live", False)


async def test_a_game_in_which_somebody_has_not_moved_is_closed_freely(tables: Tables) -> None:
    table = await dealt(tables, ANN, BEN, begun=False)
    await first_act(table, ANN)
    assert await leaving.closing(table, ANN, tables.database) == "free"
    await close(tables, table, ANN)
    assert await results(tables, table) == {}


async def away(table: Table, *people: int) -> None:
    """These people have missed turn after turn."""
    seats = [seat for user in people for seat in table.seats_of(user)]
    await absent._hold(table, seats)
    assert all(table.stored.terms.missed[seat] == MISSED for seat in seats)


async def test_who_closes_while_everyone_else_is_away_has_won(tables: Tables) -> None:
    table = await dealt(tables, ANN, BEN, CLEO)
    await away(table, BEN, CLEO)
    with pytest.raises(Refused, match="close_waits"):  # they have a day to come back
        await leaving.closing(table, ANN, tables.database)
    assert isinstance(tables.clock, ManualClock)
    tables.clock.jumped += DAY_MS
    assert await leaving.closing(table, ANN, tables.database) == "wins"
    await close(tables, table, ANN)
    assert await results(tables, table) == {ANN: (1, True), BEN: (3, False), CLEO: (3, False)}


async def test_who_is_away_may_not_close_what_the_others_play(tables: Tables) -> None:
    table = await dealt(tables, ANN, BEN)
    await away(table, ANN)
    assert await leaving.closing(table, ANN, tables.database) == "ask"


async def test_a_moderator_who_does_not_sit_there_closes_and_nothing_counts(tables: Tables) -> None:
    table = await dealt(tables, ANN, BEN)
    await away(table, BEN)
    assert await leaving.closing(table, MOD, tables.database, moderates=True) == "outside"
    await leaving.close(table, MOD, tables.database, moderates=True)
    assert table.stored.terms.closed_by == MOD
    assert await results(tables, table) == {}, "nobody wins by a friend who moderates"


async def test_a_second_account_that_does_not_moderate_cannot_throw_a_game_away(tables: Tables) -> None:
    """A server may let everyone close tables. A game that counts ends only by its players."""
    table = await dealt(tables, ANN, BEN)
    with pytest.raises(Refused, match="close_counts"):
        await close(tables, table, MOD)
    assert table.phase == "live"


@pytest.mark.parametrize(
    "table_of_kind",
    [
        lambda tables: dealt(tables, ANN, opponents=1),
        lambda tables: dealt(tables, ANN, BEN, terms=Terms(practice=1)),
    ],
    ids=["alone", "practice"],
)
async def test_what_does_not_count_is_closed_and_left_freely(
    tables: Tables, table_of_kind: Callable[[Tables], Any]
) -> None:
    table = await table_of_kind(tables)
    assert await leaving.closing(table, ANN, tables.database) == "free"
    await close(tables, table, ANN)
    assert await results(tables, table) == {}


async def test_partners_play_on_until_one_side_is_left(tables: Tables) -> None:
    """Four play Atom with whom they face: Ann with Cleo, Ben with Dan."""
    table = await dealt(tables, ANN, BEN, CLEO, DAN, game="atom", begun=False)
    await leaving.leave_game(table, ANN, *ROBO)
    assert not table.stored.terms.decided
    await leaving.leave_game(table, BEN, *ROBO)
    assert not table.stored.terms.decided
    await leaving.leave_game(table, CLEO, *ROBO)
    assert table.stored.terms.decided
    assert await results(tables, table) == {
        ANN: (4, False),
        BEN: (4, False),
        CLEO: (4, False),
        DAN: (1, True),
    }
