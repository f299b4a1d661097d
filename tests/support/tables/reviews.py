"""Finished games with one known mistake, and practice on it."""

from __future__ import annotations

import random

from bot.features.teacher.practice import practise
from bot.table import lobby
from bot.table.registry import Tables
from bot.table.table import Table
from tests.support.games.probe_study import policy
from tests.support.tables.tables import new_table, settle

ANN, BEN = 1, 2


BLUNDER = 3
"""The act with which Ann passes, though she could lay a set."""


async def finished(tables: Tables, *users: int, opponents: int = 0, leaves: int = 0) -> Table:
    """A game over three rounds in which all play well, but for one pass of seat 0."""
    table = await new_table(tables, people=users, opponents=opponents, rounds=3)
    await lobby.start(table, users[0])
    while table.waiting():
        seat = table.waiting()[0]
        if table.sitters[seat].level:
            await settle(tables)
            continue
        action = policy(table.state, seat, random.Random(7)) if table.state is not None else None
        if table.acts == BLUNDER:
            action = table.legal[seat][-1]
        await table.act(seat, table.decisions[seat], action or ())
    await settle(tables)
    assert table.phase == "over"
    return table


async def practice(tables: Tables, table: Table, user: int = ANN, act: int = BLUNDER) -> Table:
    return await practise(tables, table, user, act, names={1: "Otto"})
