"""A host decides who comes to a table that is not open, and everyone else hears why not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.core.errors import Refused
from bot.store.terms import Knock, Terms
from bot.table import lobby
from bot.table.people import guests
from bot.table.registry import Tables
from bot.table.table import Table
from tests.support.tables.tables import close_tables, new_table, opened_tables

ANN, BEN, CLEO = 1, 2, 3


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    yield tables
    await close_tables(tables)


async def table_of_ann(tables: Tables, **terms: object) -> Table:
    return await new_table(tables, people=[ANN], terms=Terms(**terms))  # type: ignore[arg-type]


async def knock(table: Table, user_id: int) -> None:
    await guests.knock(table, Knock(user=user_id, name=f"person {user_id}", entropy=user_id))


async def test_who_is_let_in_sits_down(tables: Tables) -> None:
    table = await table_of_ann(tables, access="invited")
    assert guests.must_knock(table, BEN)
    await knock(table, BEN)
    await guests.let_in(table, ANN, BEN)
    assert table.people() == [ANN, BEN]
    assert table.stored.terms.knocks == ()
    with pytest.raises(Refused, match="knock_over"):
        await guests.let_in(table, ANN, BEN)


async def test_who_is_turned_away_may_ask_again(tables: Tables) -> None:
    table = await table_of_ann(tables, access="invited")
    await knock(table, BEN)
    with pytest.raises(Refused, match="knocked_already"):
        await knock(table, BEN)
    await guests.turn_away(table, ANN, BEN)
    await knock(table, BEN)
    assert [each.user for each in table.stored.terms.knocks] == [BEN]


async def test_only_so_many_wait_for_an_answer(tables: Tables) -> None:
    table = await table_of_ann(tables, access="invited")
    for user in range(10, 10 + guests.MOST_KNOCKS):
        await knock(table, user)
    with pytest.raises(Refused, match="knocks_full"):
        await knock(table, BEN)


async def test_an_invited_person_waits_no_longer(tables: Tables) -> None:
    table = await table_of_ann(tables, access="invited")
    await knock(table, BEN)
    with pytest.raises(Refused, match="not_seated"):
        await guests.invite(table, CLEO, [BEN])
    await guests.invite(table, ANN, [BEN])
    assert table.stored.terms.knocks == ()
    await lobby.join(table, BEN, "Ben", 7)
    assert table.people() == [ANN, BEN]


async def test_only_so_many_are_invited(tables: Tables) -> None:
    table = await table_of_ann(tables)
    await guests.invite(table, ANN, range(10, 10 + guests.MOST_GUESTS))
    with pytest.raises(Refused, match="guests_full"):
        await guests.invite(table, ANN, [BEN])


@pytest.mark.parametrize(("access", "why"), [("private", "private_table"), ("invited", "by_invitation")])
async def test_strangers_hear_why_they_cannot_sit_down(tables: Tables, access: str, why: str) -> None:
    table = await table_of_ann(tables, access=access)
    with pytest.raises(Refused, match=why):
        await lobby.join(table, BEN, "Ben", 7)
    assert table.people() == [ANN]


async def test_a_match_is_for_those_who_play_it(tables: Tables) -> None:
    table = await table_of_ann(tables, invited=(ANN, BEN))
    with pytest.raises(Refused, match="not_invited"):
        await lobby.join(table, CLEO, "Cleo", 7)


async def test_whoever_declines_a_challenge_is_waited_for_no_longer(tables: Tables) -> None:
    table = await table_of_ann(tables, guests=(BEN,), order=(ANN, BEN))
    assert lobby.missing_players(table) == [BEN]
    await guests.decline(table, BEN)
    assert lobby.missing_players(table) == []
    assert table.stored.terms.guests == ()
