"""Friendly games: no rating moves, leaving is no loss, and newcomers begin with them."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, insert, select, update

from bot.core.errors import Refused
from bot.store import ratings, totals
from bot.store.days import DAY_MS
from bot.store.models import BoardRatingRow, GameRow, ResultRow, RivalRow, TotalRow, table_of
from bot.store.people import EVERYWHERE
from bot.store.personal_data.games import _without
from bot.store.terms import Knock, Terms, as_json, terms
from bot.table import lobby
from bot.table.early_results import can_be_rated, is_rated
from bot.table.game_statistics import Earning, earning
from bot.table.people import absent, guests, leaving
from bot.table.people.friendly_games import (
    FIRST_GAMES,
    agree_to_count,
    is_friendly,
    make_friendly,
    newcomers_here,
    was_chosen_friendly,
)
from bot.table.people.reserved_seats import arrive, release
from bot.table.registry import Tables
from bot.table.results import has_stayed_away, passed_over, won_by_absence
from bot.table.storage.rebuild import read_table
from bot.table.table import Table
from engine import catalog
from tests.support.tables.tables import close_tables, new_table, opened_tables, settle

ANN, BEN, CLEO, DAN = 1, 2, 3, 4
ROBO = ("random", "Robo")
FRIENDLY = Terms(friendly=True)
_RESULTS, _TOTALS = table_of(ResultRow), table_of(TotalRow)


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    yield tables
    assert await tables.database.write_at_once(ratings.differences) == 0
    await close_tables(tables)


async def play_out(tables: Tables, table: Table, seed: int = 1) -> None:
    rng = random.Random(seed)
    while table.phase == "live":
        await settle(tables)
        for seat in table.waiting()[:1]:
            await table.act(seat, table.decisions[seat], rng.choice(table.legal[seat]))
    await settle(tables)


async def count(tables: Tables, *where: Any) -> int:
    query = select(func.count()).select_from(_RESULTS).where(*where)
    return await tables.database.read_at_once(lambda c: int(c.execute(query).scalar_one()))


async def no_ratings(tables: Tables) -> bool:
    """Whether no rating, no record against a rival and no rated result is stored."""

    def rows(connection: Any) -> int:
        kept = [select(func.count()).select_from(table_of(row)) for row in (BoardRatingRow, RivalRow)]
        kept.append(select(func.count()).select_from(_RESULTS).where(_RESULTS.c.mu.is_not(None)))
        kept.append(select(func.count()).select_from(_RESULTS).where(_RESULTS.c.place.is_not(None)))
        return sum(int(connection.execute(query).scalar_one()) for query in kept)

    return await tables.database.read_at_once(rows) == 0


async def results(tables: Tables, table: Table) -> dict[int, int]:
    query = select(_RESULTS.c.user_id, _RESULTS.c.rank).where(
        _RESULTS.c.game_id == table.id, _RESULTS.c.user_id.is_not(None)
    )
    return dict(await tables.database.read_at_once(lambda c: [tuple(row) for row in c.execute(query)]))


async def experienced(tables: Tables, *users: int, games: int = FIRST_GAMES) -> None:
    """Give these people finished games with others."""
    counts = ("hands", "practice", "practice_wins", "streak", "best_streak", "last_at", "last_game", "wins")
    rows = [
        {"user_id": user, "guild_id": EVERYWHERE, "game": "probe", "games": games, **dict.fromkeys(counts, 0)}
        for user in users
    ]
    await tables.database.write_at_once(lambda c: c.execute(insert(_TOTALS), rows))


# -- what a friendly game leaves behind ------------------------------------------------------


@pytest.mark.parametrize("game", catalog.listed())
@pytest.mark.parametrize("friendly", [True, False])
async def test_no_game_moves_a_rating_if_it_is_friendly(tables: Tables, game: str, friendly: bool) -> None:
    people = list(range(1, catalog.get(game).usual_seats(catalog.get(game).defaults()) + 1))
    table = await new_table(tables, people=people, game=game, terms=Terms(friendly=friendly))
    await lobby.start(table, ANN)
    assert (can_be_rated(table), is_rated(table)) == (True, not friendly)
    await play_out(tables, table)
    assert table.outcome() is not None
    assert await no_ratings(tables) is friendly
    assert await count(tables, _RESULTS.c.user_id.is_not(None)) == len(people), "the statistics have it"
    played = await tables.database.read_at_once(lambda c: totals.games_with_people(c, people))
    assert played == dict.fromkeys(people, 1)


async def test_a_rebuild_rates_no_friendly_game(tables: Tables) -> None:
    table = await new_table(tables, people=(ANN, BEN), terms=FRIENDLY, rounds=1)
    await lobby.start(table, ANN)
    await play_out(tables, table)
    assert await tables.database.write_at_once(ratings.rebuild) == 0
    # as a release without boards would have left it
    unseen = update(_RESULTS).values(variant=None, side=None, place=None)
    await tables.database.write_at_once(lambda c: c.execute(unseen))
    await tables.database.write_at_once(ratings.catch_up)
    assert await no_ratings(tables)


async def test_leaving_a_friendly_game_is_no_loss(tables: Tables) -> None:
    table = await new_table(tables, people=(ANN, BEN, CLEO), terms=FRIENDLY, rounds=1)
    await lobby.start(table, ANN)
    await leaving.leave_game(table, CLEO, *ROBO)
    assert await results(tables, table) == {}
    await play_out(tables, table)
    assert set(await results(tables, table)) == {ANN, BEN}
    assert await no_ratings(tables)


async def test_nobody_wins_a_friendly_game_by_staying(tables: Tables) -> None:
    table = await new_table(tables, people=(ANN, BEN), terms=FRIENDLY, rounds=1)
    await lobby.start(table, ANN)
    await leaving.leave_game(table, BEN, *ROBO)
    assert (table.phase, table.stored.terms.decided) == ("live", False)
    await play_out(tables, table)
    outcome = table.outcome()
    assert outcome is not None
    assert (passed_over(table), won_by_absence(table, outcome)) == ({}, [])
    assert await results(tables, table) == {ANN: outcome.standings[table.seats_of(ANN)[0]].rank}


@pytest.mark.parametrize("friendly", [True, False])
async def test_someone_away_at_the_end_has_the_result_of_the_table(tables: Tables, friendly: bool) -> None:
    table = await new_table(tables, people=(ANN, BEN), terms=Terms(friendly=friendly), rounds=1)
    await lobby.start(table, ANN)
    clock: Any = tables.clock
    clock.move(DAY_MS / 1000 + 60)
    seat = table.waiting()[0]
    late, other = (ANN, BEN) if seat in table.seats_of(ANN) else (BEN, ANN)
    await absent.let_opponent_play(table, other, tables.database, tables.clock)
    clock.move(2 * DAY_MS / 1000)
    assert not table.seats_of(late) or table.away(seat)
    while table.phase == "live":
        await settle(tables)
        for at in [at for at in table.waiting() if at in table.seats_of(other)][:1]:
            await table.act(at, table.decisions[at], table.legal[at][0])
    await settle(tables)
    outcome = table.outcome()
    assert outcome is not None
    assert has_stayed_away(table, seat) is not friendly
    if friendly:
        ranks = {table.sitters[n].user_id: one.rank for n, one in enumerate(outcome.standings)}
        assert await results(tables, table) == ranks


async def test_anyone_may_close_a_friendly_game(tables: Tables) -> None:
    table = await new_table(tables, people=(ANN, BEN), terms=FRIENDLY, rounds=3)
    await lobby.start(table, ANN)
    for _ in range(2):
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
    assert not await leaving.counts_already(table, tables.database)
    await leaving.close(table, ANN, tables.database)
    assert await results(tables, table) == {}


async def test_a_win_in_a_friendly_game_earns_nothing(tables: Tables) -> None:
    for friendly in (True, False):
        table = await new_table(tables, people=(ANN, BEN), terms=Terms(friendly=friendly), rounds=1)
        await lobby.start(table, ANN)
        await play_out(tables, table)
        assert earning(table, []).fair is not friendly


# -- who chooses ----------------------------------------------------------------------------


async def test_the_host_makes_a_game_friendly_and_everyone_must_agree_that_it_counts(tables: Tables) -> None:
    table = await new_table(tables, people=(ANN, BEN))
    assert not is_friendly(table)
    await make_friendly(table)
    assert is_friendly(table)
    await agree_to_count(table, ANN)
    assert is_friendly(table), "Ben sat down for a friendly game"
    with pytest.raises(Refused, match="not_seated"):
        await agree_to_count(table, CLEO)
    await agree_to_count(table, BEN)
    assert not is_friendly(table)
    await lobby.join(table, CLEO, "cleo", 1)
    assert not is_friendly(table), "Cleo saw that it counts"
    await lobby.start(table, ANN)
    assert is_rated(table)
    for change in (lambda t, _by: make_friendly(t), agree_to_count):
        with pytest.raises(Refused, match="already_started"):
            await change(table, ANN)


async def test_making_it_friendly_again_forgets_who_agreed(tables: Tables) -> None:
    table = await new_table(tables, people=(ANN, BEN))
    await make_friendly(table)
    await agree_to_count(table, BEN)
    await make_friendly(table)
    await agree_to_count(table, ANN)
    assert is_friendly(table)


async def test_what_the_lobby_says_is_dealt(tables: Tables) -> None:
    table = await new_table(tables, people=(ANN, BEN))
    await make_friendly(table)
    await agree_to_count(table, BEN)
    await lobby.start(table, ANN)
    assert table.stored.terms.friendly
    assert was_chosen_friendly(table.stored.terms)
    assert (await read_table(tables.database, table.id)).stored.terms.friendly


@pytest.mark.usefixtures("newcomers")
class TestNewcomers:
    """People in their first games with others."""

    async def test_their_first_games_are_friendly(self, tables: Tables) -> None:
        for played in range(FIRST_GAMES + 1):
            table = await new_table(tables, people=(ANN, BEN), rounds=1)
            assert is_friendly(table) is (played < FIRST_GAMES)
            await lobby.start(table, ANN)
            assert table.stored.terms.friendly is (played < FIRST_GAMES)
            assert not was_chosen_friendly(table.stored.terms)
            await play_out(tables, table)
            assert await no_ratings(tables) is (played < FIRST_GAMES)

    async def test_games_alone_make_no_one_experienced(self, tables: Tables) -> None:
        for _ in range(FIRST_GAMES):
            table = await new_table(tables, people=(ANN,), opponents=1, rounds=1)
            await lobby.start(table, ANN)
            assert (table.stored.terms.friendly, table.stored.terms.newcomers) == (False, ())
            await play_out(tables, table)
        assert newcomers_here(await new_table(tables, people=(ANN,))) == [ANN]

    async def test_a_newcomer_earns_achievements_alone(self, tables: Tables) -> None:
        """As before their first game with people: only then is there anything to be friendly about."""
        table = await new_table(tables, people=(ANN,), terms=FRIENDLY, game="duel52")
        await lobby.add_opponent(table, "steady", "Robo")
        await lobby.start(table, ANN)
        assert earning(table, []) == Earning((0,), fair=True)

    async def test_it_counts_if_everyone_agrees(self, tables: Tables) -> None:
        await experienced(tables, ANN)
        table = await new_table(tables, people=(ANN, BEN), rounds=1)
        assert (is_friendly(table), newcomers_here(table)) == (True, [BEN])
        await agree_to_count(table, ANN)
        await agree_to_count(table, ANN)
        assert is_friendly(table)
        await agree_to_count(table, BEN)
        assert not is_friendly(table)
        await lobby.join(table, CLEO, "cleo", 1)
        assert is_friendly(table), "Cleo has not agreed"
        await lobby.leave(table, CLEO)
        assert not is_friendly(table)
        await lobby.start(table, ANN)
        assert is_rated(table)

    async def test_it_counts_again_once_the_newcomer_has_left(self, tables: Tables) -> None:
        await experienced(tables, ANN, CLEO)
        table = await new_table(tables, people=(ANN, CLEO, BEN))
        assert is_friendly(table)
        await lobby.leave(table, BEN)
        assert not is_friendly(table)

    async def test_someone_whom_the_cards_wait_for_is_one_already(self, tables: Tables) -> None:
        await experienced(tables, ANN)
        table = await new_table(tables, people=(ANN,), terms=Terms(order=(ANN, BEN)))
        assert newcomers_here(table) == [BEN]
        await agree_to_count(table, ANN)
        assert is_friendly(table)
        await agree_to_count(table, BEN)
        await lobby.join(table, BEN, "ben", 1)
        assert await lobby.deal_if_complete(table)
        assert is_rated(table)

    async def test_the_host_lets_one_in(self, tables: Tables) -> None:
        await experienced(tables, ANN)
        table = await new_table(tables, people=(ANN,), terms=Terms(access="invited"))
        await guests.knock(table, Knock(user=BEN, name="ben", entropy=2))
        assert not is_friendly(table)
        await guests.let_in(table, ANN, BEN)
        assert is_friendly(table)

    async def test_one_takes_a_seat_that_becomes_free(self, tables: Tables) -> None:
        await experienced(tables, ANN, CLEO)
        waiting = (Knock(user=BEN, name="ben", entropy=2),)
        table = await new_table(
            tables, people=(ANN, CLEO), terms=Terms(held=(ANN, CLEO), waiting=waiting, seats=2)
        )
        assert not is_friendly(table)
        await arrive(table, ANN)
        assert await release(table) == [BEN]
        assert is_friendly(table)

    async def test_a_match_always_counts(self, tables: Tables) -> None:
        table = await tables.opener.open_match(
            "probe",
            host_id=ANN,
            channel_id=7,
            guild_id=70,
            locale="en",
            options=catalog.get("probe").defaults(),
            terms=Terms(tournament=1, match="1", invited=(ANN, BEN)),
        )
        for user in (ANN, BEN):
            await lobby.join(table, user, f"person {user}", user)
        assert not is_friendly(table)
        with pytest.raises(Refused, match="match_counts"):
            await make_friendly(table)
        await agree_to_count(table, BEN)
        await lobby.start(table, ANN)
        assert is_rated(table)


# -- rows of earlier releases, and people who are deleted -------------------------------------


def test_old_terms_count_as_before() -> None:
    assert terms({}) == Terms()
    assert not {"friendly", "newcomers", "counting"} & as_json(Terms()).keys()


def test_terms_forget_a_deleted_person() -> None:
    agreed = Terms(friendly=True, newcomers=(BEN, CLEO), counting=(BEN, CLEO))
    left = _without(agreed, BEN, -9)
    assert (left.friendly, left.newcomers, left.counting) == (True, (-9, CLEO), (CLEO,))
    assert str(BEN) not in str(as_json(left)["newcomers"])


async def test_a_lobby_of_an_earlier_release_counts(tables: Tables) -> None:
    table = await new_table(tables, people=(ANN, BEN))
    games = table_of(GameRow)
    stored = await tables.database.read_at_once(
        lambda c: c.execute(select(games.c.terms).where(games.c.id == table.id)).scalar_one()
    )
    assert "friendly" not in stored
    assert not is_friendly(table)
