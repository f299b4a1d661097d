"""Lobbies say in every language what their game counts for, and nothing if it can't count."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.features.table.lobby.messages import lobby_message
from bot.features.table.terms import can_count, friendly_lines
from bot.locales import languages, words
from bot.store.terms import Terms
from bot.table.people.friendly_games import FIRST_GAMES, agree_to_count, make_friendly
from bot.table.registry import Tables
from bot.table.table import Table
from engine import catalog
from engine.setups import Kind, every_kind
from tests.support.tables.tables import close_tables, new_table, opened_tables

KINDS = [
    (game, kind)
    for game in catalog.listed()
    for kind in every_kind(catalog.get(game))
    if catalog.get(game).decided_by_deal(kind.seats, kind.options)
    or catalog.get(game).held_by_one(kind.options)
]


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    yield tables
    await close_tables(tables)


def verbs(table: Table) -> set[str]:
    found = (getattr(item, "custom_id", None) for item in lobby_message(table).view.walk_children())
    return {each.split(":")[1] for each in found if each}


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=str)
async def test_a_lobby_that_can_not_count_offers_nothing(tables: Tables, game: str, kind: Kind) -> None:
    alone = catalog.get(game).held_by_one(kind.options)
    people = (1,) if alone else tuple(range(1, kind.seats + 1))
    options: dict[str, Any] = dict(kind.options)
    table = await new_table(tables, people=people, game=game, **options)
    assert not can_count(table)
    assert {"make-count", "make-friendly"}.isdisjoint(verbs(table))
    assert friendly_lines(table, words("en")) == ""


@pytest.mark.parametrize("game", catalog.listed())
async def test_every_other_lobby_has_one_button(tables: Tables, game: str) -> None:
    rules = catalog.get(game)
    people = tuple(range(1, rules.usual_seats(rules.defaults()) + 1))
    table = await new_table(tables, people=people, game=game)
    assert verbs(table) & {"make-count", "make-friendly"} == {"make-friendly"}
    await make_friendly(table)
    assert verbs(table) & {"make-count", "make-friendly"} == {"make-count"}


@pytest.mark.parametrize("locale", languages())
@pytest.mark.usefixtures("newcomers")
async def test_the_words_name_everyone(tables: Tables, locale: str) -> None:
    say = words(locale)
    table = await new_table(tables, people=(1, 2), terms=Terms(order=(1, 2, 3)))
    told = friendly_lines(table, say)
    assert all(name in told for name in ("person 1", "person 2", "<@3>", str(FIRST_GAMES)))
    assert say("friendly.make_count") in told
    await agree_to_count(table, 2)
    asked = friendly_lines(table, say).splitlines()[-1]
    assert "person 2" in asked
    assert "person 1" not in asked
    await make_friendly(table)
    assert say("friendly.lobby_friendly") in friendly_lines(table, say)
    for user in (1, 2, 3):
        await agree_to_count(table, user)
    assert friendly_lines(table, say) == say("friendly.lobby_counts")
