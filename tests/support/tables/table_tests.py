"""Tests of a table from lobby to leaderboard, on the database of the file that runs them."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.core.errors import Refused, Stale
from bot.features.stats import rows as boards
from bot.store import games as store
from bot.store import people, queries, totals
from bot.store.database import StoreError
from bot.store.people import EVERYWHERE
from bot.store.rating_model import ALL_TIME, RatingBoard
from bot.store.totals import Total
from bot.table import lobby
from bot.table.people import leaving
from bot.table.registry import Tables
from bot.table.results import keep_results
from bot.table.table import Table
from bot.table.table_context import TableContext
from engine.game import IllegalAction, IllegalSetup, Outcome, Standing
from engine.record import verify
from tests.support.games.probe import Act
from tests.support.tables.tables import (
    first_act,
    go_on,
    journal_of,
    new_table,
    open_tables,
    settle,
)

PROBE = RatingBoard("probe", "", ALL_TIME, EVERYWHERE)


async def test_people_sit_down_and_the_cards_are_dealt(tables: Tables) -> None:
    table = await new_table(tables, people=[1, 2], opponents=1)
    await lobby.start(table, 1)
    assert table.phase == "live"
    await settle(tables)
    assert table.waiting() == (0, 1)  # the opponent has made its bid


@pytest.mark.parametrize(
    ("key", "act"),
    [
        ("already_seated", lambda t: lobby.join(t, 1, "Ann", 5)),
        ("not_seated", lambda t: lobby.leave(t, 9)),
        ("no_opponent", lobby.remove_opponent),
        ("no_such_level", lambda t: lobby.add_opponent(t, "genius", "Marie")),
        ("not_started", lambda t: t.act(0, 0, Act("bid", 1))),
    ],
)
async def test_the_lobby_refuses_with_a_reason(tables: Tables, key: str, act: object) -> None:
    table = await new_table(tables)
    with pytest.raises(Refused) as refused:
        await act(table)  # type: ignore[operator]
    assert refused.value.key == key
    assert [s.user_id for s in table.sitters] == [1]


async def test_a_lobby_is_full_when_the_game_says_so(tables: Tables) -> None:
    table = await new_table(tables, people=[1, 2, 3, 4])
    with pytest.raises(Refused, match="full"):
        await lobby.join(table, 5, "Eve", 50)
    with pytest.raises(IllegalSetup):
        await lobby.set_options(table, {"rounds": 99})
    assert table.stored.options["rounds"] == 2


async def test_the_next_person_becomes_host_and_the_last_one_closes(tables: Tables) -> None:
    table = await new_table(tables, people=[1, 2], opponents=1)
    await lobby.leave(table, 1)
    assert table.stored.host_id == 2
    await lobby.leave(table, 2)
    assert (table.phase, table.stored.why) == ("cancelled", "everybody_left")


async def test_a_decision_counts_once(tables: Tables) -> None:
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    decision = table.decisions[0]
    presses = [table.act(0, decision, Act("bid", n)) for n in (1, 2)]
    answers = await asyncio.gather(*presses, return_exceptions=True)
    assert sorted(type(a).__name__ for a in answers) == ["Stale", "int"]
    assert table.acts == 1


async def test_another_seats_act_leaves_a_half_made_choice_alone(tables: Tables) -> None:
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    decision = table.decisions[1]
    await first_act(table, 1)
    assert table.decisions[1] == decision
    await table.act(1, decision, Act("bid", 0))


async def test_an_illegal_act_changes_nothing(tables: Tables) -> None:
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    before = table.state.fingerprint()
    with pytest.raises(IllegalAction):
        await table.act(0, table.decisions[0], Act("bid", 77))
    assert table.state.fingerprint() == before
    assert table.seq == 0


async def test_a_hundred_presses_at_once_store_each_act_once(tables: Tables) -> None:
    table = await new_table(tables, people=[1, 2, 3, 4], rounds=3)
    await lobby.start(table, 1)
    while table.phase == "live" and table.waiting():
        presses = [
            table.act(seat, table.decisions[seat], table.legal[seat][-1])
            for seat in table.waiting()
            for _ in range(8)
        ]
        answers = await asyncio.gather(*presses, return_exceptions=True)
        assert all(isinstance(a, (int, Stale, Refused, IllegalAction)) for a in answers)
        assert any(isinstance(a, int) for a in answers)
    journal = await journal_of(tables, table)
    assert [entry.seq for entry in journal] == list(range(1, len(journal) + 1))
    assert len(journal) == table.acts


async def test_a_cancelled_press_is_stored_wholly_or_not_at_all(tables: Tables) -> None:
    table = await new_table(tables, people=[1, 2, 3], rounds=3)
    await lobby.start(table, 1)
    for n in range(40):
        if not table.waiting():
            break
        seat = table.waiting()[0]
        task = asyncio.create_task(table.act(seat, table.decisions[seat], table.legal[seat][0]))
        for _ in range(n % 7):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.gather(*table._running, return_exceptions=True)
    state = table.state.fingerprint()
    await table._read_again()
    assert table.state.fingerprint() == state


async def test_a_change_that_is_cancelled_before_it_begins_leaves_nothing_behind(
    tables: Tables, recwarn: pytest.WarningsRecorder
) -> None:
    """So a bot that is told to stop ends its changes, some in the step in which they were made."""
    table = await new_table(tables, people=[1, 2])
    press = asyncio.create_task(lobby.start(table, 1))
    await asyncio.sleep(0)
    (change,) = table._running
    change.cancel()
    await asyncio.wait([press])
    assert press.cancelled()
    del press, change
    gc.collect()
    assert [str(each.message) for each in recwarn] == []
    assert table.phase == "lobby"
    await lobby.start(table, 1)


async def test_what_cannot_be_stored_did_not_happen(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)

    def full(*_: object) -> None:
        raise StoreError("full")

    with monkeypatch.context() as patch:
        patch.setattr(store, "keep", full)
        with pytest.raises(StoreError, match="full"):
            await first_act(table, 1)
    assert table.acts == 0
    await first_act(table, 1)
    assert table.acts == 1


async def test_a_doubtful_commit_is_looked_up(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection breaks just after the commit: the act is stored, so it has happened."""
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    keep = store.keep

    def committed_then_lost(connection: object, *words: object) -> None:
        keep(connection, *words)  # type: ignore[arg-type]
        connection.commit()  # type: ignore[attr-defined]
        raise StoreError("gone", doubtful=True)

    with monkeypatch.context() as patch:
        patch.setattr(store, "keep", committed_then_lost)
        await first_act(table, 1)
    assert (table.acts, table.seq) == (1, 1)
    assert table.waiting() == (1,)


async def test_who_leaves_a_game_is_replaced_by_an_opponent(tables: Tables) -> None:
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    key = table.setup().key
    old = table.decisions[0]
    await leaving.leave_game(table, 1, "random", "Marie")
    assert table.sitters[0].level == "random"
    assert table.stored.host_id == 2
    assert table.setup().key == key
    with pytest.raises(Stale):
        await table.act(0, old, Act("bid", 1))
    await settle(tables)
    assert table.waiting() == (1,)
    await leaving.leave_game(table, 2, "random", "Linus")
    assert (table.phase, table.stored.why) == ("cancelled", "everybody_left")


async def play_out(tables: Tables, table: object) -> None:
    while table.phase == "live" and table.waiting():  # type: ignore[attr-defined]
        for seat in table.waiting():  # type: ignore[attr-defined]
            if table.sitters[seat].user_id is not None:
                await table.act(seat, table.decisions[seat], table.legal[seat][0])  # type: ignore[attr-defined]
                break
        await settle(tables)
    await settle(tables)


async def kept(tables: Tables, user: int) -> list[dict[str, Total]]:
    """A person's totals in the server of the tests, and everywhere."""
    return await tables.database.read_at_once(
        lambda c: [totals.of_person(c, user, guild) for guild in (70, EVERYWHERE)]
    )


async def test_a_finished_game_has_results_ratings_and_a_record(tables: Tables) -> None:
    table = await new_table(tables, people=[1, 2], opponents=1)
    with pytest.raises(Refused, match="record_early"):
        await tables.record(table)
    await lobby.start(table, 1)
    await play_out(tables, table)
    assert table.phase == "over"
    assert table.id not in await open_tables(tables)
    again = await tables.get(table.id)
    verify(await tables.record(again))
    here = [(await kept(tables, user))[0] for user in (1, 2)]
    assert [total["probe"].games for total in here] == [1, 1]
    rated = await tables.database.read_at_once(lambda c: boards.ratings_on(c, [1, 2], PROBE))
    assert set(rated) == {1, 2}


@pytest.mark.parametrize(
    "late",
    [
        lambda table: leaving.leave_game(table, 1, "random", "Robo"),
        lambda table: leaving.forfeit(table, 1),
        lambda table: table.cancel("closed"),
    ],
)
async def test_nobody_leaves_or_closes_a_game_that_has_ended(
    tables: Tables, late: Callable[[Table], Awaitable[None]]
) -> None:
    """The database was locked when the results were to be stored: they are owed, and nothing undoes them."""
    table = await new_table(tables, people=[1, 2], rounds=1)
    await lobby.start(table, 1)
    tables.tasks.halt()
    while table.waiting():
        await first_act(table, table.sitters[table.waiting()[0]].user_id or 0)
    with pytest.raises(Refused, match="over"):
        await late(table)
    go_on(tables)
    await settle(tables)
    assert table.phase == "over"
    assert table.stored.terms.left == {}
    assert await tables.database.read_at_once(lambda c: people.seats_with_results(c, table.id))


async def test_a_table_that_was_closed_stays_as_it_was(tables: Tables) -> None:
    """Buttons of its last message may still be pressed."""
    table = await new_table(tables, people=[1, 2])
    with pytest.raises(Refused, match="not_started"):
        await leaving.leave_game(table, 2, "random", "Robo")
    await lobby.start(table, 1)
    await table.cancel("closed")
    with pytest.raises(Refused, match="closed"):
        await leaving.leave_game(table, 2, "random", "Robo")
    with pytest.raises(Refused, match="closed"):
        await leaving.forfeit(table, 2)
    assert table.people() == [1, 2]
    assert table.stored.why == "closed"


async def test_what_another_process_changed_first_stands(tables: Tables) -> None:
    """Who decided here by what was on the screen before hears so, and has decided nothing."""
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    found = await tables.database.read_at_once(lambda c: store.whole(c, table.id))
    assert found is not None
    elsewhere = Table(TableContext.alone(tables.database), found)
    await elsewhere.act(0, elsewhere.decisions[0], Act("bid", 1))
    with pytest.raises(Stale):
        await table.act(0, table.decisions[0], Act("bid", 2))
    assert [entry.data for entry in await journal_of(tables, table)] == [["bid", 1, []]]
    assert (table.acts, table.decisions) == (elsewhere.acts, elsewhere.decisions)


async def test_what_its_message_shows_is_known_though_its_rows_are_read_again(tables: Tables) -> None:
    """That is stored a while later; until then nothing is drawn twice."""
    table = await new_table(tables, people=[1, 2])
    table.mark_shown(table.stored.edition)
    await table.read_again()
    assert table.stored.shown == table.stored.edition


async def test_a_table_that_was_moved_is_shown_after_a_restart(tables: Tables) -> None:
    """The old message had shown the newest edition, and the new place has no message yet."""
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    await table.set_place(7, 70, guild_id=None)
    table.mark_shown(table.stored.edition)
    await tables.runtime._store_shown()
    assert await tables.database.read_at_once(lambda c: queries.unshown(c, 10)) == []
    await table.set_place(8, None, guild_id=None)
    assert await tables.database.read_at_once(lambda c: queries.unshown(c, 10)) == [table.id]
    await table.read_again()
    assert table.stored.shown != table.stored.edition


async def test_a_game_that_closed_before_any_act_keeps_its_position(tables: Tables) -> None:
    """Its rows alone do not tell that cards were dealt; who knows it goes on to."""
    table = await new_table(tables, people=[1, 2])
    await lobby.start(table, 1)
    dealt = table.state
    assert dealt is not None
    await table.cancel("closed")
    await table.read_again()
    assert table.state is not None
    assert table.state.observe(0) == dealt.observe(0)


async def test_games_against_opponents_alone_are_practice(tables: Tables) -> None:
    table = await new_table(tables, people=[1], opponents=2)
    await lobby.start(table, 1)
    await play_out(tables, table)
    for total in await kept(tables, 1):
        assert (total["probe"].games, total["probe"].practice) == (0, 1)
    assert not await tables.database.read_at_once(lambda c: boards.ratings_on(c, [1], PROBE))


async def test_a_game_for_one_is_not_dealt_to_two(tables: Tables) -> None:
    """In Solo one person sees both hands, so nobody else may sit there when it starts."""
    table = await new_table(tables, people=[1, 2], game="duel52")
    await lobby.set_options(table, {"variant": "solo"})
    with pytest.raises(Refused, match="for_one"):
        await lobby.start(table, 1)
    assert table.phase == "lobby"
    await lobby.leave(table, 2)
    await lobby.start(table, 1)
    assert [sitter.user_id for sitter in table.sitters] == [1, 1]


@pytest.mark.parametrize("won", [True, False])
@pytest.mark.parametrize(("game", "options"), [("probe", {}), ("duel52", {"variant": "solo"})])
async def test_a_game_for_one_is_won_when_its_outcome_says_so(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, game: str, options: dict[str, Any], won: bool
) -> None:
    """Whatever the rules: nothing but `Outcome.won` tells it, and it counts once."""
    table = await new_table(tables, people=[1], game=game, **options)
    await lobby.start(table, 1)
    seats = len(table.sitters)
    end = Outcome((Standing(1, 5.0),) * seats, won=won, hands=(4,) * seats)
    monkeypatch.setattr(type(table.state), "outcome", lambda _: end)
    await table.settle(lambda connection: keep_results(connection, table, 5))
    for total in await kept(tables, 1):
        assert (total[game].practice, total[game].practice_wins, total[game].hands) == (1, int(won), 4)


async def test_who_leaves_has_lost_and_saves_no_rating(tables: Tables) -> None:
    table = await new_table(tables, people=[1, 2, 3])
    await lobby.start(table, 1)
    await leaving.leave_game(table, 2, "random", "Marie")
    await settle(tables)
    await play_out(tables, table)
    assert table.phase == "over"
    here = [(await kept(tables, user))[0]["probe"] for user in (1, 2, 3)]
    assert [total.games for total in here] == [1, 1, 1]
    assert here[1].wins == 0
    rated = await tables.database.read_at_once(lambda c: boards.ratings_on(c, [1, 2, 3], PROBE))
    assert rated[2].mu < min(rated[1].mu, rated[3].mu)
