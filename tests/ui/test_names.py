"""How words and pictures name the seats of a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.features.table.names import picture_look, table_url, word_look
from bot.store.terms import Terms
from bot.table import lobby
from bot.table.registry import Tables
from bot.table.table import Table
from bot.ui.names import plain, shown
from tests.support.tables.tables import close_tables, new_table, opened_tables


async def seated(tables: Tables, *names: str) -> Table:
    """A lobby of people with these names."""
    table = await tables.opener.open_lobby(
        "probe",
        host_id=1,
        host_name=names[0],
        entropy=1,
        channel_id=7,
        guild_id=70,
        locale="en",
        options={},
        terms=Terms(),
    )
    for user, name in enumerate(names[1:], 2):
        await lobby.join(table, user, name, user)
    return table


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("Ann", "Ben"), ("Ann", "Ben")),
        (("Dan", "Ben", "Dan"), ("Dan (A)", "Ben", "Dan (C)")),
        (("a*b", "Ben"), ("a\\*b", "Ben")),
        (("陈欣怡", "김민준"), ("陈欣怡", "김민준")),
        (("刘\U00013000", "Ben", "\u3164"), ("刘\U00013000 (A)", "Ben", "somebody")),
    ],
)
async def test_no_two_seats_have_one_name(
    tmp_path: Path, names: tuple[str, ...], told: tuple[str, ...]
) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    table = await seated(tables, *names)
    assert word_look(table, "en").names == told
    assert picture_look(table, "en").names == tuple(name.replace("\\", "") for name in told)
    await close_tables(tables)


async def test_one_persons_seats_are_sides(tmp_path: Path) -> None:
    tables, _, _ = await opened_tables(tmp_path / "v.db")
    table = await new_table(tables, people=[1], game="duel52")
    await lobby.set_options(table, {"variant": "solo"})
    assert word_look(table, "en").names == ("person 1",)
    await lobby.start(table, 1)
    assert word_look(table, "en").names == picture_look(table, "en").names == ("Side A", "Side B")
    await table.set_place(7, 9, guild_id=None)
    assert table_url(table) == "https://discord.com/channels/@me/7/9"
    await close_tables(tables)


@pytest.mark.parametrize("written", [plain, shown])
def test_marks_that_pile_up_run_over_no_other_line(written: Callable[[str], str]) -> None:
    piled = "Z\u0337\u0321\u0310\u0344\u033a" + "a\u0301\u0302\u0303" + "lgo"
    assert written(piled) == "Z\u0337\u0321\u0310" + "a\u0301\u0302" + "lgo"


@pytest.mark.parametrize(
    "name", ["", " ", "\u3164", "\u2800\u115f", "\u202e\u200b", "\ufe0f", "\ufe00 \U000e0100"]
)
def test_a_blank_name_is_somebody(name: str) -> None:
    assert plain(name) == shown(name) == "somebody"


def test_no_name_of_signs_that_fonts_leave_out_stays_blank() -> None:
    """Variation selectors, tags, and what Unicode keeps free for more of them."""
    for code in (*range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9), *range(0xE0000, 0xE1000)):
        assert plain(chr(code)) == shown(chr(code)) == "somebody", hex(code)
    assert plain("❤\ufe0f") == "❤\ufe0f"


def test_a_long_name_is_cut_between_characters() -> None:
    assert plain("a" * 30 + "👩\u200d🔬" + "b") == "a" * 30 + "…"
    assert plain("a" * 29 + "🇫🇷🇩🇪") == "a" * 29 + "🇫🇷…"
    assert plain("گل\u200cنار") == "گل\u200cنار"


@pytest.mark.parametrize(
    "name",
    [
        "Nguye\u0302\u0303n",  # Vietnamese, taken apart
        "ที่นี่",
        "שָׁלוֹם",
        "मार्क्स",
        "مُحَمَّد",
        "1️⃣ 👩‍🔬",
    ],
)
def test_names_of_all_scripts_keep_their_marks(name: str) -> None:
    assert plain(name) == name
