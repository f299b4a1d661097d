"""Words in a terminal."""

from __future__ import annotations

import pytest

from bot.presenters.voice import unmarked


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**Ann** plays *gold*", "Ann plays gold"),
        ("`/move` or __this__", "/move or this"),
        ("# Title\n-# small\n> said", "Title\nsmall\nsaid"),
        (r"a \*star\* and snake\_case", "a *star* and snake_case"),
        ("snake_case, 2 * 3 = 6, 5*3", "snake_case, 2 * 3 = 6, 5*3"),
        ("||hidden|| ~~gone~~", "hidden gone"),
        ("- a list", "- a list"),
    ],
)
def test_markdown_goes_and_words_stay(markdown: str, text: str) -> None:
    assert unmarked(markdown) == text
