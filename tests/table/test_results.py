"""How a game is remembered where one person holds both sides: once, and won or lost by what they bet on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from sqlalchemy import Connection

from bot.table import lobby
from bot.table.registry import Tables
from bot.table.results import places
from engine.game import Outcome, Standing
from tests.support.tables.tables import close_tables, new_table, opened_tables, settle


def rows(connection: Connection) -> list[tuple[int, ...]]:
    query = "SELECT seat, user_id, people, rank FROM results ORDER BY game_id, seat"
    return [tuple(row) for row in connection.exec_driver_sql(query)]


async def play(tables: Tables, seed: int) -> bool:
    """A whole game of Duel 52 for one, by chance; whether the bet was won."""
    rng = random.Random(seed)
    table = await new_table(tables, people=[7], game="duel52", variant="solo")
    await lobby.start(table, 7)
    while table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], rng.choice(table.legal[seat]))
    await settle(tables)
    outcome = table.outcome()
    assert outcome is not None
    return bool(outcome.facts["bet_won"])


async def test_both_sides_of_one_person_count_once(tmp_path: Path) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    won = [await play(tables, 0)]
    while len(set(won)) < 2:  # each deal is drawn anew
        assert len(won) < 60, "only one of the two ends comes up"
        won.append(await play(tables, len(won)))
    assert await tables.database.read_at_once(rows) == [(0, 7, 1, 1 if each else 2) for each in won]
    await close_tables(tables)


@pytest.mark.parametrize(
    ("ranks", "left", "counted"),
    [
        ((1, 2), (), [1, 2]),
        ((1, 2), (0,), [2, 1]),  # the opponent on the empty seat won
        ((1, 2), (1,), [1, 2]),
        ((1, 1), (1,), [1, 2]),  # a draw with somebody who stayed away
        ((1, 2, 3, 4), (0, 2), [4, 1, 4, 2]),
        ((1, 2, 1, 2), (0,), [4, 2, 1, 2]),  # whose partner stayed has won
        ((1, 2), (0, 1), [2, 2]),
    ],
)
def test_whoever_left_comes_last_and_the_others_move_up(
    ranks: tuple[int, ...], left: tuple[int, ...], counted: list[int]
) -> None:
    outcome = Outcome(tuple(Standing(rank, 0.0) for rank in ranks), "points", {})
    assert places(outcome, left) == counted
