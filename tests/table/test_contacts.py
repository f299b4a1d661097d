"""People whom a host blocked or removed don't come to their lobby, and a no holds for a while."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from bot.core.errors import Refused
from bot.store import contacts as store
from bot.store.contacts import FORGOTTEN_MS, PAUSES_MS
from bot.store.terms import Knock, Terms
from bot.table import lobby
from bot.table.people import guests
from bot.table.people.reserved_seats import HELD, NEXT, arrive, release
from bot.table.registry import Tables
from bot.table.table import Table
from tests.support.tables.tables import close_tables, new_table, opened_tables, settle

ANN, BEN, CLEO, DORA = 1, 2, 3, 4


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    yield tables
    await close_tables(tables)


async def block(tables: Tables, user: int, other: int) -> None:
    assert await tables.database.write_at_once(lambda c: store.block(c, user, other, 1))


def a_knock(user: int) -> Knock:
    return Knock(user=user, name=f"person {user}", entropy=user)


async def join(table: Table, user: int) -> None:
    await lobby.join(table, user, f"person {user}", user)


async def held(tables: Tables, *people: int, **terms: object) -> Table:
    """The lobby of a night, with seats kept for these people."""
    table = await new_table(tables, people=[ANN, *people])
    kept = Terms(held=(ANN, *people), seats=len(people) + 1, **terms)  # type: ignore[arg-type]
    await lobby._keep(table, terms=kept)
    return table


async def later(tables: Tables) -> None:
    """Let what is due now be done."""
    tables.clock.move(1)  # type: ignore[attr-defined]
    await settle(tables)


COMING: dict[str, Callable[[Table], Awaitable[None]]] = {
    "join": lambda table: join(table, BEN),
    "knock": lambda table: guests.knock(table, a_knock(BEN)),
}


@pytest.mark.parametrize("way", COMING)
async def test_someone_whom_the_host_blocked_reads_the_same_as_someone_who_was_removed(
    tables: Tables, way: str
) -> None:
    table = await new_table(tables, people=[ANN])
    await block(tables, ANN, BEN)
    with pytest.raises(Refused) as blocked:
        await COMING[way](table)
    await tables.database.write_at_once(lambda c: store.unblock(c, ANN, BEN))
    await join(table, BEN)
    await guests.remove(table, ANN, BEN)
    with pytest.raises(Refused) as barred:
        await COMING[way](table)
    assert (blocked.value.key, blocked.value.facts) == (barred.value.key, barred.value.facts)
    assert blocked.value.key == "no_seat_now"
    assert table.people() == [ANN]
    assert table.stored.terms.knocks == ()


@pytest.mark.parametrize("way", COMING)
async def test_someone_who_blocked_the_host_is_reminded_of_it(tables: Tables, way: str) -> None:
    table = await new_table(tables, people=[ANN])
    await block(tables, BEN, ANN)
    with pytest.raises(Refused, match="you_blocked"):
        await COMING[way](table)


async def test_only_the_list_of_the_host_counts(tables: Tables) -> None:
    table = await new_table(tables, people=[ANN, CLEO])
    await block(tables, CLEO, BEN)
    await join(table, BEN)
    assert table.people() == [ANN, CLEO, BEN]


async def test_a_block_counts_for_a_kept_seat_and_for_a_knock_that_waits(tables: Tables) -> None:
    table = await held(tables, BEN)
    knocking = await new_table(tables, people=[ANN], terms=Terms(access="invited"))
    await guests.knock(knocking, a_knock(BEN))
    await guests.knock(knocking, a_knock(CLEO))
    await block(tables, ANN, BEN)
    await block(tables, CLEO, ANN)
    with pytest.raises(Refused, match="no_seat_now"):
        await arrive(table, BEN)
    await arrive(table, ANN)
    with pytest.raises(Refused, match="you_blocked"):
        await guests.let_in(knocking, ANN, BEN)
    with pytest.raises(Refused, match="knock_over"):
        await guests.let_in(knocking, ANN, CLEO)


async def test_the_waiting_list_passes_over_who_is_blocked_or_removed(tables: Tables) -> None:
    table = await held(tables, BEN, waiting=tuple(map(a_knock, (CLEO, DORA, 5))), barred=(DORA,))
    await arrive(table, ANN)
    await block(tables, ANN, CLEO)
    assert await release(table) == [5]
    assert table.people() == [ANN, 5]
    assert table.stored.terms.waiting == ()


@pytest.mark.parametrize("way", ["leave", "remove"])
async def test_a_seat_that_becomes_free_is_kept_for_the_next_at_once(tables: Tables, way: str) -> None:
    freed = tables.publisher.seats_free  # type: ignore[attr-defined]
    table = await held(tables, BEN, waiting=tuple(map(a_knock, (CLEO, DORA))))
    await arrive(table, ANN)
    await (lobby.leave(table, BEN) if way == "leave" else guests.remove(table, ANN, BEN))
    await later(tables)
    assert table.people() == [ANN, CLEO]
    assert table.stored.terms.held == (CLEO,)
    assert [knock.user for knock in table.stored.terms.waiting] == [DORA]
    assert [each.kind for each in table.deadlines if each.kind in (HELD, NEXT)] == [HELD]
    await lobby.leave(table, CLEO)
    await later(tables)
    assert table.people() == [ANN, DORA]
    assert freed == [(table.id, CLEO), (table.id, DORA)]


async def test_a_lobby_whose_last_guest_leaves_goes_to_the_next(tables: Tables) -> None:
    table = await new_table(tables, people=[ANN])
    await lobby._keep(table, terms=Terms(seats=2, waiting=(a_knock(CLEO),)))
    await lobby.leave(table, ANN)
    await later(tables)
    assert table.people() == [CLEO]
    assert table.stored.host_id == CLEO
    await lobby.leave(table, CLEO)
    assert (table.phase, table.stored.why) == ("cancelled", "everybody_left")


async def test_no_one_is_given_a_seat_who_does_not_wait(tables: Tables) -> None:
    table = await held(tables, BEN)
    await arrive(table, ANN)
    await lobby.leave(table, BEN)
    await later(tables)
    assert table.people() == [ANN]
    assert NEXT not in {each.kind for each in table.deadlines}


async def test_the_first_who_waits_becomes_the_host_where_no_one_came(tables: Tables) -> None:
    table = await held(tables, BEN, waiting=tuple(map(a_knock, (CLEO, DORA, 5))))
    await block(tables, DORA, CLEO)
    assert await release(table) == [CLEO, 5]
    assert table.stored.host_id == CLEO


async def test_the_next_host_is_not_asked_for_someone_they_blocked(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await new_table(tables, people=[ANN, CLEO])
    for user in (BEN, DORA):
        await guests.knock(table, a_knock(user))
    await block(tables, CLEO, BEN)
    asked: list[int] = []
    monkeypatch.setattr(tables.publisher, "knocked", lambda _table, knock: asked.append(knock.user))
    await lobby.leave(table, ANN)
    await settle(tables)
    assert asked == [DORA]


async def test_a_match_of_a_tournament_seats_both_all_the_same(tables: Tables) -> None:
    table = await new_table(tables, people=[ANN], terms=Terms(invited=(ANN, BEN), tournament=5))
    await block(tables, ANN, BEN)
    await tables.database.write_at_once(lambda c: store.claim_request(c, ANN, BEN, 1))
    await join(table, BEN)
    await lobby.deal_if_complete(table)
    assert (table.phase, table.people()) == ("live", [ANN, BEN])
    await tables.database.write_at_once(lambda c: store.unblock(c, ANN, BEN))
    again = await tables.database.read_at_once(lambda c: store.pausing(c, ANN, [BEN], 1))
    assert again == {BEN}, "no one chose to play with the other"


async def test_a_removed_person_loses_everything_that_led_them_there(tables: Tables) -> None:
    terms = Terms(access="invited", guests=(BEN, CLEO), order=(ANN, BEN), held=(BEN,))
    table = await new_table(tables, people=[ANN], terms=terms)
    await join(table, BEN)
    assert [sitter.user_id for sitter in guests.removable(table)] == [BEN]
    await guests.remove(table, ANN, BEN)
    left = table.stored.terms
    assert (left.barred, left.guests, left.order, left.held) == ((BEN,), (CLEO,), (), ())
    assert guests.removable(table) == []
    with pytest.raises(Refused, match="barred_here"):
        await guests.invite(table, ANN, [BEN])
    await table.read_again()
    with pytest.raises(Refused, match="no_seat_now"):
        await join(table, BEN)
    assert await tables.contacts.ask(BEN, [ANN]), "it was a no"


async def test_people_are_removed_from_a_lobby_and_never_from_a_match(tables: Tables) -> None:
    table = await new_table(tables, people=[ANN, BEN, CLEO], opponents=1)
    for nobody in (ANN, DORA):
        with pytest.raises(Refused, match="gone_already"):
            await guests.remove(table, ANN, nobody)
    await lobby.start(table, ANN)
    assert guests.removable(table) == []
    with pytest.raises(Refused, match="already_started"):
        await guests.remove(table, ANN, BEN)
    match = await new_table(tables, people=[ANN], terms=Terms(invited=(ANN, BEN), tournament=5))
    await join(match, BEN)
    with pytest.raises(Refused, match="not_invited"):
        await guests.remove(match, ANN, BEN)
    assert guests.removable(match) == []


async def test_a_request_to_someone_who_blocked_the_person_reads_like_one_too_early(tables: Tables) -> None:
    await block(tables, BEN, ANN)
    at = tables.clock.now()
    assert await tables.contacts.ask(ANN, [BEN, CLEO]) == {BEN: at + PAUSES_MS[0]}
    assert await tables.contacts.ask(ANN, [BEN, CLEO]) == dict.fromkeys((BEN, CLEO), at + PAUSES_MS[0])
    assert await tables.contacts.reachable(ANN, [DORA, BEN, CLEO, 5]) == [DORA, 5]
    with pytest.raises(Refused) as blocked:
        await tables.contacts.must_ask(ANN, [BEN])
    with pytest.raises(Refused) as early:
        await tables.contacts.must_ask(ANN, [CLEO])
    assert (blocked.value.key, early.value.key) == ("ask_later", "ask_later")
    assert blocked.value.facts == {**early.value.facts, "user": BEN}
    with pytest.raises(Refused, match="you_blocked"):
        await tables.contacts.ask(BEN, [ANN, DORA])
    assert await tables.contacts.ask(BEN, [DORA]) == {}, "nothing was counted"


async def test_the_host_of_a_table_counts_besides_the_person_who_invites(tables: Tables) -> None:
    await block(tables, CLEO, BEN)
    await block(tables, DORA, CLEO)
    assert await tables.contacts.ask(ANN, [BEN, DORA, 5], host_id=CLEO) == dict.fromkeys(
        (BEN, DORA), tables.clock.now() + PAUSES_MS[0]
    )


async def test_a_request_to_several_counts_for_all_or_for_none(tables: Tables) -> None:
    await tables.contacts.must_ask(ANN, [BEN])
    with pytest.raises(Refused, match="ask_later"):
        await tables.contacts.must_ask(ANN, [BEN, CLEO])
    assert await tables.contacts.ask(ANN, [CLEO]) == {}
    await tables.contacts.take_back(ANN, [CLEO])
    await tables.contacts.take_back(ANN, [])
    assert await tables.contacts.ask(ANN, [CLEO]) == {}
    assert await tables.contacts.ask(ANN, []) == {}
    assert await tables.contacts.apart(ANN, []) == set()


YES: dict[str, Callable[[Table], Awaitable[None]]] = {
    "joins": lambda table: join(table, BEN),
    "lets in": lambda table: guests.let_in(table, ANN, CLEO),
    "starts": lambda table: lobby.start(table, ANN),
}


async def test_a_yes_forgets_the_requests_before_it(tables: Tables) -> None:
    table = await new_table(tables, people=[ANN])
    assert await tables.contacts.ask(ANN, [BEN, DORA]) == {}
    await YES["joins"](table)
    assert set(await tables.contacts.ask(ANN, [BEN, DORA])) == {DORA}
    assert await tables.contacts.ask(CLEO, [ANN]) == {}
    await guests.knock(table, a_knock(CLEO))
    await YES["lets in"](table)
    assert await tables.contacts.ask(CLEO, [ANN]) == {}
    await YES["starts"](table)
    assert await tables.contacts.ask(CLEO, [ANN]) == {}
    assert await tables.contacts.ask(ANN, [BEN]) == {}


NO: dict[str, Callable[[Table], Awaitable[None]]] = {
    "turned away": lambda table: guests.turn_away(table, ANN, BEN),
    "declined": lambda table: guests.decline(table, ANN),
}


@pytest.mark.parametrize("way", NO)
async def test_a_no_holds_from_the_moment_it_is_said(tables: Tables, way: str) -> None:
    host = ANN if way == "turned away" else BEN
    table = await new_table(tables, people=[host], terms=Terms(access="invited", guests=(ANN,)))
    if way == "turned away":
        await guests.knock(table, a_knock(BEN))
    assert await tables.contacts.ask(BEN, [ANN]) == {}
    clock = tables.clock
    before = clock.now()
    clock.jumped = 10 * PAUSES_MS[0]  # type: ignore[attr-defined]
    await NO[way](table)
    assert await tables.contacts.ask(BEN, [ANN]) == {ANN: before + 11 * PAUSES_MS[0]}


async def test_a_restart_forgets_no_pause_and_upkeep_only_old_ones(tmp_path: Path) -> None:
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    assert await tables.contacts.ask(ANN, [BEN]) == {}
    await close_tables(tables)
    tables, _, _ = await opened_tables(tmp_path / "v.db", clock)
    assert set(await tables.contacts.ask(ANN, [BEN])) == {BEN}
    clock.jumped = PAUSES_MS[0] + FORGOTTEN_MS
    await tables.runtime.upkeep.round()
    left = await tables.database.read_at_once(lambda c: store.pausing(c, ANN, [BEN], 0))
    assert left == set()
    await close_tables(tables)


async def test_a_change_that_is_refused_stores_nothing(tables: Tables) -> None:
    """The check is part of the transaction, so that no other process comes between."""
    table = await new_table(tables, people=[ANN])
    before = table.stored.revision
    await block(tables, ANN, BEN)
    with pytest.raises(Refused):
        await join(table, BEN)
    await table.read_again()
    assert (table.stored.revision, table.people()) == (before, [ANN])
