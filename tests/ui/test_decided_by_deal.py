"""Tables where the deal decides: they say so, and offer nothing that would promise more."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot import custom_ids as ids
from bot import presenters
from bot.features.table.hand.messages import hand_message
from bot.features.table.hand.seat_view import SeatView
from bot.features.table.lobby.messages import Arrangement, arrangement_form, lobby_message, options_line
from bot.locales import languages, words
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.early_results import is_rated
from bot.table.table import Table
from bot.table.table_kinds import can_hint, reviewed_seat
from bot.ui.components import Message
from engine import catalog
from engine.setups import Kind, every_kind
from tests.support.discord.message import words_of
from tests.support.tables.tables import close_tables, new_table, opened_tables

KINDS = [
    (key, kind)
    for key in catalog.listed()
    for kind in every_kind(catalog.get(key))
    if catalog.get(key).decided_by_deal(kind.seats, kind.options)
]
MORE = [(key, Kind(kind.seats + 2, kind.options)) for key, kind in KINDS]


def fields(table: Table) -> list[str]:
    """Return the questions of the form of opponents and clock."""
    form = arrangement_form(table, "en", Arrangement.of(table))
    return [field["component"]["custom_id"] for field in form.to_dict()["components"]]


def verbs(message: Message) -> list[str]:
    """Return the verbs of all controls, in the order shown."""
    found = (getattr(item, "custom_id", None) for item in message.view.walk_children())
    return [ids.parse(each).verb for each in found if each]


async def play(table: Table) -> None:
    while table.phase == "live" and table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=str)
async def test_a_table_that_the_deal_decides_says_so(tmp_path: Path, game: str, kind: Kind) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    people, terms = list(range(1, kind.seats + 1)), Terms(seats=kind.seats)
    table = await new_table(tables, people=people, game=game, terms=terms, **kind.options)
    told = presenters.get(game).by_deal("en")
    assert told in words_of(lobby_message(table))
    assert {"level", "hints"}.isdisjoint(fields(table))
    await lobby.start(table, 1)
    seat = table.waiting()[0]
    for locale in languages():
        view = SeatView(table, seat, locale)
        assert presenters.get(game).by_deal(locale) in words_of(hand_message(view))
        assert "hint" not in verbs(hand_message(view))
    assert not can_hint(table, seat)
    await play(table)
    assert not is_rated(table)
    assert not any(reviewed_seat(table, user) is not None for user in people)
    assert told not in words_of(hand_message(SeatView(table, seat, "en"))), "the result says it"
    await close_tables(tables)


@pytest.mark.parametrize(("game", "kind"), MORE, ids=str)
async def test_with_more_players_it_is_a_game_like_others(tmp_path: Path, game: str, kind: Kind) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    people = list(range(1, kind.seats + 1))
    table = await new_table(tables, people=people, game=game, **kind.options)
    told = presenters.get(game).by_deal("en")
    assert told not in words_of(lobby_message(table))
    assert {"level", "hints"} <= {*fields(table)}
    await lobby.start(table, 1)
    assert told not in words_of(hand_message(SeatView(table, table.waiting()[0], "en")))
    await play(table)
    assert is_rated(table)
    assert reviewed_seat(table, 1) is not None
    await close_tables(tables)


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=str)
async def test_the_lobby_offers_a_usual_game_first(tmp_path: Path, game: str, kind: Kind) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    people = list(range(1, kind.seats + 1))
    table = await new_table(tables, people=people, game=game, **kind.options)
    message = lobby_message(table)
    lacks = table.game.usual_seats(kind.options) - kind.seats
    assert words("en")("lobby.start_with", n=lacks) in str(message.view.to_components())
    assert [verb for verb in verbs(message) if "start" in verb] == ["start-filled", "start"]
    await close_tables(tables)


@pytest.mark.parametrize("locale", languages())
def test_a_tournament_in_such_a_game_says_so(locale: str) -> None:
    two = {game: kind.options for game, kind in KINDS if kind.seats == 2}
    for game in catalog.listed():
        options = two.get(game, catalog.get(game).defaults())
        told = presenters.get(game).by_deal(locale)
        assert bool(told and told in options_line(game, options, locale)) == (game in two)
