"""Passing by itself: after the time that the person chose, whatever the hand holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.core.errors import Refused
from bot.store import games as store
from bot.store.database import StoreError
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.people.habits import set_autopass, set_pings
from tests.support.games.probe import Act
from tests.support.tables.tables import close_tables, journal_of, new_table, opened_tables, settle


@pytest.mark.parametrize("cards", [0, 3])
async def test_a_pass_comes_after_the_same_time_with_any_hand(tmp_path: Path, cards: int) -> None:
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1, 2])
    await set_autopass(table, 1, 20)
    await lobby.start(table, 1)
    for seat in (0, 1):
        await table.act(seat, None, Act("bid", 0))
    assert table.state is not None
    # the same position with a rich hand and with an empty one
    del table.state.hands[0][cards:]  # type: ignore[attr-defined]
    await table.act(0, None, Act("look", 0))
    clock.move(19.9)
    await settle(tables)
    assert table.acts == 3
    clock.move(0.2)
    await settle(tables)
    journal = await journal_of(tables, table)
    assert journal[-1].data[0] == "pass"
    assert journal[-1].at - journal[-2].at == pytest.approx(20_000, abs=200)
    await close_tables(tables)


async def test_who_acts_first_is_not_passed(tmp_path: Path) -> None:
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    for seat in (0, 1):
        await table.act(seat, None, Act("bid", 0))
    await table.act(0, None, Act("look", 0))
    await set_autopass(table, 1, 10)
    await set_autopass(table, 1, 40)
    clock.move(11)
    await settle(tables)
    assert table.acts == 3
    await table.act(0, table.decisions[0], table.legal[0][0])
    clock.move(60)
    await settle(tables)
    assert table.acts == 4
    await close_tables(tables)


async def test_a_late_second_try_does_not_move_for_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock ran out while the database was locked; then the person has moved after all."""
    tables, clock, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1, 2], terms=Terms(clock=600))
    await lobby.start(table, 1)
    for seat in (0, 1):
        await table.act(seat, None, Act("bid", 0))

    def locked(*_: object) -> None:
        raise StoreError("locked")

    with monkeypatch.context() as patch:
        patch.setattr(store, "keep", locked)
        clock.move(601)
        await settle(tables)
    assert table.acts == 2
    await table.act(0, table.decisions[0], Act("look", 0))
    assert 0 in table.waiting()
    clock.move(6)
    await settle(tables)
    journal = await journal_of(tables, table)
    assert [entry.kind for entry in journal] == ["act", "act", "act"]
    await close_tables(tables)


async def test_whose_turn_it_is_hears_of_it_once(tmp_path: Path) -> None:
    tables, clock, notebook = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1, 2], terms=Terms(clock=86_400))
    await lobby.start(table, 1)
    clock.move(100)
    await settle(tables)  # the heartbeat has looked ahead
    await table.act(0, None, Act("bid", 0))
    clock.move(25)
    await settle(tables)
    assert notebook.nudges == [(table.id, 1)]  # since the deal: seat 0 has acted, seat 1 has not
    await table.act(1, None, Act("bid", 0))
    assert table.waiting() == (0,)
    clock.move(121)
    await settle(tables)
    assert notebook.nudges == [(table.id, 1), (table.id, 0)]
    await close_tables(tables)
    tables, clock, notebook = await opened_tables(tmp_path / "v.db", clock)
    clock.move(500)
    await settle(tables)
    assert notebook.nudges == []  # a restart says it to nobody again
    await close_tables(tables)


async def test_who_goes_on_after_an_own_move_is_not_nudged(tmp_path: Path) -> None:
    tables, clock, notebook = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    await table.act(1, None, Act("bid", 0))
    await table.act(0, None, Act("bid", 1))
    assert table.waiting() == (0,)
    clock.move(600)
    await settle(tables)
    assert notebook.nudges == []
    await close_tables(tables)


async def test_who_plays_against_the_computer_alone_is_not_nudged(tmp_path: Path) -> None:
    tables, clock, notebook = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1], opponents=1)
    await lobby.start(table, 1)
    await settle(tables)
    clock.move(600)
    await settle(tables)
    assert notebook.nudges == []
    await close_tables(tables)


async def test_quick_games_nudge_nobody(tmp_path: Path) -> None:
    tables, clock, notebook = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1, 2], terms=Terms(clock=300))
    await lobby.start(table, 1)
    clock.move(140)
    await settle(tables)
    assert notebook.nudges == []
    await close_tables(tables)


async def test_who_wants_no_pings_hears_none(tmp_path: Path) -> None:
    tables, clock, notebook = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1, 2], terms=Terms(clock=86_400))
    await set_pings(table, 1, wanted=False)
    await lobby.start(table, 1)
    clock.move(86_000)
    await settle(tables)
    assert notebook.nudges == [(table.id, 1)]
    assert [seat for _, seat, _ in notebook.reminders] == [1]
    await set_pings(table, 1, wanted=True)
    assert table.stored.terms.quiet == ()
    with pytest.raises(Refused, match="not_seated"):
        await set_pings(table, 9, wanted=False)
    await close_tables(tables)


async def test_who_is_too_late_is_pinged_once_in_a_turn_of_two_actions(tmp_path: Path) -> None:
    tables, clock, notebook = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, game="duel52", people=[1, 2], terms=Terms(clock=60))
    await lobby.start(table, 1)
    other = 1 - table.waiting()[0]
    for _ in range(2):  # the clock runs out for both actions
        clock.move(61)
        await settle(tables)
    assert table.waiting() == (other,)
    # half and a quarter of the first action's time are left, then a quarter of the second one's
    assert notebook.said == [("alone", False), ("everybody", True), ("everybody", False)]
    await close_tables(tables)


@pytest.mark.parametrize(
    ("seconds", "second"), [(50, [("everybody", False)]), (10, [("alone", False), ("everybody", True)])]
)
async def test_the_second_action_pings_whom_the_first_one_has_not(
    tmp_path: Path, seconds: int, second: list[tuple[str, bool]]
) -> None:
    """Who acts in time, after a ping or before it, and then is slow."""
    tables, clock, notebook = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, game="duel52", people=[1, 2], terms=Terms(clock=60))
    await lobby.start(table, 1)
    slow = table.waiting()[0]
    clock.move(seconds)
    await settle(tables)
    first = len(notebook.said)
    await table.act(slow, None, table.legal[slow][0])
    assert table.waiting() == (slow,)
    clock.move(50)
    await settle(tables)
    assert notebook.said[first:] == second
    await close_tables(tables)
