"""Passing by itself: after the time that the person chose, whatever the hand holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store import games as store
from tests.support.hall import close_hall, new_table, open_hall, settle
from tests.support.probe import Act


@pytest.mark.parametrize("cards", [0, 3])
async def test_a_pass_comes_after_the_same_time_with_any_hand(tmp_path: Path, cards: int) -> None:
    hall, clock, _ = await open_hall(tmp_path / "v.db")
    table = await new_table(hall, people=[1, 2])
    await table.set_autopass(1, 20)
    await table.start(1)
    for seat in (0, 1):
        await table.act(seat, None, Act("bid", 0))
    assert table.state is not None
    # the same position with a rich hand and with an empty one
    del table.state.hands[0][cards:]  # type: ignore[attr-defined]
    await table.act(0, None, Act("look", 0))
    clock.move(19.9)
    await settle(hall)
    assert table.acts == 3
    clock.move(0.2)
    await settle(hall)
    async with hall.database.read() as connection:
        journal = await store.journal(connection, table.id)
    assert journal[-1].data[0] == "pass"
    assert journal[-1].at - journal[-2].at == pytest.approx(20_000, abs=200)
    await close_hall(hall)


async def test_who_acts_first_is_not_passed(tmp_path: Path) -> None:
    hall, clock, _ = await open_hall(tmp_path / "v.db")
    table = await new_table(hall, people=[1, 2])
    await table.start(1)
    for seat in (0, 1):
        await table.act(seat, None, Act("bid", 0))
    await table.act(0, None, Act("look", 0))
    await table.set_autopass(1, 10)
    await table.set_autopass(1, 40)
    clock.move(11)
    await settle(hall)
    assert table.acts == 3
    await table.act(0, table.decisions[0], table.legal[0][0])
    clock.move(60)
    await settle(hall)
    assert table.acts == 4
    await close_hall(hall)
