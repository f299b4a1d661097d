"""What a lobby says before a game begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot import presenters
from bot.features.table.lobby.messages import lobby_message, options_line
from bot.locales import languages
from bot.presenters.rulebook import option_words
from bot.render.scene import Look
from bot.table import lobby
from engine import catalog
from tests.support.discord.message import words_of
from tests.support.tables.tables import close_tables, new_table, opened_tables

PAIRS = "Playing together: person 1 and person 3 · person 2 and person 4"


@pytest.mark.parametrize(
    ("game", "people", "options", "told"),
    [
        ("atom", 4, {}, True),
        ("atom", 3, {}, False),
        ("atom", 5, {}, False),
        ("duel52", 4, {"variant": "teams"}, True),
        ("duel52", 2, {}, False),
    ],
)
async def test_partners_are_named_when_they_are_known(
    tmp_path: Path, game: str, people: int, options: dict[str, str], told: bool
) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1], game=game)
    for key, value in options.items():
        await lobby.set_options(table, {key: value})
    for user in range(2, people + 1):
        await lobby.join(table, user, f"person {user}", user)
    said = words_of(lobby_message(table))
    assert (PAIRS in said) == told
    assert ("together" in said) == told
    await close_tables(tables)


@pytest.mark.parametrize(("people", "told"), [(1, "*7 seats free*"), (7, "*1 seat free*"), (8, None)])
async def test_free_seats_are_counted_in_one_line(tmp_path: Path, people: int, told: str | None) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=list(range(1, people + 1)), game="molecular")
    lines = [line for line in words_of(lobby_message(table)).splitlines() if "free" in line]
    assert lines == ([told] if told else [])
    await close_tables(tables)


@pytest.mark.parametrize("game", catalog.listed())
@pytest.mark.parametrize("locale", languages())
def test_no_option_is_named_twice_in_a_line(game: str, locale: str) -> None:
    """ "Level: Level 1", "Blind: Blind: always the top card": a select shows nothing but its line."""
    presenter, look = presenters.get(game), Look(locale=locale)
    for option in catalog.get(game).options:
        label, _ = presenter.option(option.key, None, look)
        told = [
            option_words(label, presenter.option(option.key, value, look)[0], locale)
            for value in option.values
        ]
        assert len(set(told)) == len(told)
        for line in told:
            # as a stem: "Decks: Both decks" and "Rounds: 1 round" stutter too
            assert line.casefold().count(label.casefold().rstrip("s")) <= 1
            assert line.count(":") <= 1


def test_who_play_as_two_read_of_no_other_number() -> None:
    """ "The deck reaches for 5 players" says nothing to the two of a match."""
    assert (
        options_line("atom_duel", {}, "en") == "-# Level 4 · Radiation · Hand size: 5 cards each · 4 rounds"
    )


async def test_triangles_are_not_told_of_three_lanes(tmp_path: Path) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1], game="duel52")
    assert "Three lanes" in words_of(lobby_message(table))
    await lobby.set_options(table, {"variant": "triangles"})
    said = words_of(lobby_message(table))
    assert "Four triangles" in said
    assert "lanes" not in said
    await close_tables(tables)
