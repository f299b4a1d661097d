"""A table says by which rules it is played, for every option and value of every game."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot import presenters
from bot.features.lookups.rules_messages import rules_message
from bot.features.table.board import board_message
from bot.features.table.hand.messages import hand_message
from bot.features.table.hand.seat_view import SeatView
from bot.features.table.lobby.messages import lobby_message
from bot.features.table.terms import table_rules
from bot.features.watching.messages import Watch, watch_message
from bot.locales import languages, words
from bot.presenters.base import PROMPT
from bot.presenters.rulebook import named_value
from bot.render.scene import Look
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.registry import Tables
from bot.table.table import Table
from engine import catalog
from engine.game import Option, Value
from engine.setups import every_kind
from tests.support.discord.message import words_of
from tests.support.tables.tables import close_tables, new_table, opened_tables

GAMES = [game for game in catalog.listed() if not catalog.PACKAGES[game].startswith("tests.")]
OPTIONS = [
    (game, option, value) for game in GAMES for option in catalog.get(game).options for value in option.values
]
EDGES = "Points for bonds: One for each edge"
CHANGED = [each for each in OPTIONS if each[2] != each[1].default]


def wording(game: str, option: Option, value: Value, locale: str) -> str:
    """Return an option with a value as the lobby names it."""
    return named_value(presenters.get(game).option, option.key, value, Look(locale=locale))


def options_with(game: str, option: Option, value: Value) -> tuple[dict[str, Value], int]:
    """Return the options of a table in which only this one is changed, and how many sit there."""
    rules = catalog.get(game)
    kinds = [kind for kind in every_kind(rules) if kind.options == {**rules.defaults(), option.key: value}]
    assert kinds
    several = [kind.seats for kind in kinds if kind.seats > 1]
    return kinds[0].options, several[0] if several else kinds[0].seats


async def dealt(tables: Tables, game: str, options: dict[str, Value], seats: int) -> tuple[Table, str]:
    """Return a table that was just dealt, and the words of its lobby."""
    alone = catalog.get(game).held_by_one(options)
    table = await new_table(tables, people=list(range(1, 2 if alone else seats + 1)), game=game, **options)
    told = words_of(lobby_message(table))
    await lobby.start(table, 1)
    return table, told


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[Tables]:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    yield tables
    await close_tables(tables)


@pytest.mark.parametrize(("game", "option", "value"), CHANGED, ids=str)
async def test_a_table_names_each_option_that_differs(
    tables: Tables, game: str, option: Option, value: Value
) -> None:
    options, seats = options_with(game, option, value)
    table, told = await dealt(tables, game, options, seats)
    assert wording(game, option, value, "en") in told
    for locale in languages():
        named = wording(game, option, value, locale)
        table.stored.locale = locale
        assert named in words_of(board_message(table))
        assert table_rules(table, locale) == named
        assert named in words_of(watch_message(table, Watch(), locale))
        seat = table.waiting()[0]
        hand = words_of(hand_message(SeatView(table, seat, locale)))
        (line,) = [line for line in hand.splitlines() if named in line]
        assert len(line) <= PROMPT
        shown = words_of(rules_message(game, locale, 0, table=table))
        heading, of_game, differs, *_ = shown.splitlines()
        assert heading.startswith("## ")
        assert of_game.startswith("-# ")
        assert differs == words(locale)("rules.differs", told=named), "the rules begin with what differs"


@pytest.mark.parametrize("game", GAMES)
async def test_the_usual_game_needs_no_words(tables: Tables, game: str) -> None:
    rules = catalog.get(game)
    table, _ = await dealt(tables, game, rules.defaults(), rules.usual_seats(rules.defaults()))
    assert table_rules(table, "en") == ""
    hand = words_of(hand_message(SeatView(table, table.waiting()[0], "en")))
    for option in rules.options:
        named = wording(game, option, option.default, "en")
        assert f"-# {named}" not in hand
        assert f"-# {named}" not in words_of(board_message(table))


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize(("game", "option", "value"), OPTIONS, ids=str)
def test_a_sentence_with_an_option_says_which_side_holds(
    game: str, option: Option, value: Value, locale: str
) -> None:
    options, _ = options_with(game, option, value)
    said = words(locale)("rules.at_table", told=wording(game, option, value, locale)).strip()
    presenter = presenters.get(game)
    assert any(said in page.text for page in presenter.rules(locale, options))
    others = [each for each in option.values if each != value]
    for page in presenter.rules(locale, options):
        assert not any(
            words(locale)("rules.at_table", told=wording(game, option, other, locale)).strip() in page.text
            for other in others
        )
    assert not any("{" in page.text or said in page.text for page in presenter.rules(locale))


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_by_earlier_rules_says_so(tables: Tables, game: str) -> None:
    rules = catalog.get(game)
    table, _ = await dealt(tables, game, rules.defaults(), rules.usual_seats(rules.defaults()))
    for version in rules.versions:
        table.game = rules.at(version)
        for locale in languages():
            earlier = "" if version == rules.version else words(locale)("rules.earlier", n=version)
            assert table_rules(table, locale) == earlier


async def test_house_rules_are_named_with_what_they_change(tables: Tables) -> None:
    terms = Terms(house_rules="Tuesday")
    table = await new_table(tables, people=[1, 2], game="molecular", terms=terms, bond_points="edges")
    await lobby.start(table, 1)
    named = words("en")("house_rules.summary", line="House rules: **Tuesday**", told=EDGES)
    assert table_rules(table, "en") == named
    assert named in words_of(board_message(table))
    assert words("en")("rules.differs", told=named) in words_of(
        rules_message("molecular", "en", 0, table=table)
    )
    assert EDGES in words_of(hand_message(SeatView(table, table.waiting()[0], "en")))
