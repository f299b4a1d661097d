"""Reviews of finished games, and practice: a position of theirs once more, of which nothing counts."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.core.errors import Refused
from bot.features.stats import rows as boards
from bot.features.teacher import review_rows as reviews
from bot.features.teacher.review_service import Reviews, reviewed
from bot.store import games as store
from bot.store import people, queries, totals
from bot.store.database import StoreError
from bot.store.people import EVERYWHERE
from bot.store.personal_data.forgetting import forget
from bot.table import lobby
from bot.table.registry import Tables
from bot.table.table_kinds import reviewed_seat
from bot.workers.errors import TooSlow
from engine import record
from engine.record import verify
from tests.support.games.probe import ProbeGame
from tests.support.games.probe_study import policy, taught
from tests.support.tables.reviews import ANN, BEN, BLUNDER, finished, practice
from tests.support.tables.tables import (
    close_tables,
    journal_of,
    new_table,
    open_tables,
    opened_tables,
    settle,
)


@pytest.fixture
async def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tables]:
    taught(monkeypatch)
    found, _, _ = await opened_tables(tmp_path / "v.db")
    yield found
    await close_tables(found)


@pytest.fixture
def made(tables: Tables) -> Reviews:
    return Reviews(tables.database, tables.thinker, tables.tasks.spawn)


async def test_a_review_is_made_once_and_kept(
    tables: Tables, made: Reviews, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await finished(tables, ANN, BEN)
    assert await made.find(table, 0) is None
    assert await made.find(table, 0) is None
    await settle(tables)
    monkeypatch.setattr("bot.features.teacher.review_service.reviewed", None)
    found = await made.find(table, 0)
    assert found is not None
    assert found.costly[0].act == BLUNDER
    assert await made.find(await tables.get(table.id), 0) == found


@pytest.mark.parametrize("trouble", [ZeroDivisionError(), TooSlow(), StoreError("locked")])
async def test_where_a_study_breaks_the_next_to_ask_has_it_tried_again(
    tables: Tables, made: Reviews, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    async def analyze(*_: object, **__: object) -> None:
        raise trouble

    table = await finished(tables, ANN, BEN)
    with monkeypatch.context() as broken:
        broken.setattr(tables.thinker, "analyze", analyze)
        assert await made.find(table, 0) is None
        await settle(tables)
    assert await made.find(table, 0) is None
    await settle(tables)
    assert await made.find(table, 0) is not None


async def test_no_review_is_kept_of_who_was_deleted_meanwhile(
    tables: Tables, made: Reviews, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, analyze = await finished(tables, ANN, BEN), tables.thinker.analyze

    async def slow(*args: Any, **how: Any) -> object:
        found = await analyze(*args, **how)
        await tables.database.write_at_once(lambda c: forget(c, ANN, 0))
        return found

    monkeypatch.setattr(tables.thinker, "analyze", slow)
    assert await made.find(table, 0) is None
    await settle(tables)
    assert await tables.database.read_at_once(lambda c: reviews.review(c, table.id, 0)) is None


async def test_what_the_clock_decided_is_nobodys_decision(tables: Tables) -> None:
    table = await finished(tables, ANN, BEN)
    acts = [(entry.seat, entry.data) for entry in await journal_of(tables, table)]
    assert reviewed(table.setup(), acts, 0, [BLUNDER]).costly == []


async def test_only_who_sat_there_once_and_against_others_is_reviewed(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await new_table(tables, people=[ANN, BEN])
    await lobby.start(table, ANN)
    assert reviewed_seat(table, ANN) is None
    table = await finished(tables, ANN, BEN)
    assert [reviewed_seat(table, user) for user in (ANN, BEN, 3)] == [0, 1, None]
    alone = await finished(tables, ANN)
    assert reviewed_seat(alone, ANN) is None
    monkeypatch.setattr(ProbeGame, "study", None)
    assert reviewed_seat(table, ANN) is None


async def standings(tables: Tables, user: int) -> tuple[Any, ...]:
    def read(connection: Any) -> tuple[Any, ...]:
        found = [totals.of_person(connection, user, guild) for guild in (70, EVERYWHERE)]
        return (*found, boards.ratings_of(connection, user, EVERYWHERE))

    return await tables.database.read_at_once(read)


async def test_practice_begins_where_the_game_was(tables: Tables) -> None:
    table = await finished(tables, ANN, BEN)
    again = await practice(tables, table)
    journal = [(entry.seat, entry.data) for entry in await journal_of(tables, table)]
    then = record.play(table.setup(), [(s, table.game.action(d)) for s, d in journal[:BLUNDER]])
    assert again.state is not None
    assert again.state.fingerprint() == then.fingerprint()
    assert again.waiting() == (0,)
    assert [(who.user_id, who.name, who.level) for who in again.sitters] == [
        (ANN, "person 1", None),
        (None, "Otto", "random"),
    ]
    assert again.stored.terms.practice == table.id
    assert (again.commitment, again.entropy) == (table.commitment, table.entropy)


async def test_practice_goes_on_to_its_end_and_counts_for_nothing(tables: Tables, tmp_path: Path) -> None:
    table = await finished(tables, ANN, BEN)
    before = await standings(tables, ANN)
    again = await practice(tables, table)
    while again.waiting():
        seat = again.waiting()[0]
        if again.sitters[seat].level is None:
            await again.act(seat, again.decisions[seat], policy(again.state, seat, random.Random(7)))  # type: ignore[arg-type]
        await settle(tables)
    assert again.phase == "over"
    assert await standings(tables, ANN) == before
    assert not await tables.database.read_at_once(lambda c: people.seats_with_results(c, again.id))
    verify(await tables.record(again))
    assert reviewed_seat(again, ANN) is None
    found = await tables.database.read_at_once(lambda c: queries.last_played(c, ANN, "probe"))
    assert found is not None
    assert found[0].id == table.id


async def test_opponents_begin_where_they_are_to_act_too_and_after_a_stop(
    tables: Tables, tmp_path: Path
) -> None:
    """All bid at once: the seat of the other person bids by itself."""
    table = await finished(tables, ANN, BEN)
    acts = [(entry.seat, entry.data[0]) for entry in await journal_of(tables, table)]
    bid = next(number for number, act in enumerate(acts) if number > 0 and act == (0, "bid"))
    again = await practice(tables, table, act=bid)
    assert [deadline.kind for deadline in again.deadlines if deadline.seat == 1] == ["opponent"]
    await settle(tables)
    assert again.waiting() == (0,)
    assert again.acts == bid + 1


@pytest.mark.parametrize(("user", "act"), [(BEN, BLUNDER), (ANN, 4), (ANN, 99), (3, BLUNDER)])
async def test_only_an_own_decision_is_tried_again(tables: Tables, user: int, act: int) -> None:
    table = await finished(tables, ANN, BEN)
    with pytest.raises(Refused, match="no_practice"):
        await practice(tables, table, user, act)
    assert not await open_tables(tables)


async def test_practice_is_counted_among_the_tables_that_one_may_keep_open(tables: Tables) -> None:
    table = await finished(tables, ANN, BEN)
    opened = [await practice(tables, table) for _ in range(2)]
    assert len({each.id for each in opened}) == 2
    found = await tables.database.read_at_once(lambda c: store.find(c, opened[1].stored))
    assert found is not None
    assert found.game.id in {each.id for each in opened}
