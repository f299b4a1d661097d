"""Which strings a text was made of: a language that is English with invisible marks around each string.

Tests of rules ask for the key of a sentence and for the facts in it, never for its wording; what games say
stands in one text each (`tests/presenters/test_sentences.py`).
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from bot import locales
from bot.locales import Words

MARKED = "marked"
"""The locale to ask for: `Look(names, locale=MARKED)`."""

_END = "\ue000"
_BEGIN = range(0xE001, 0xF900)
_keys: dict[str, str] = {}
_marks: dict[str, str] = {}


class _Marked(Words):
    """English, each string between two signs that stand for no letter."""

    __slots__ = ()

    def __call__(self, key: str, /, **facts: Any) -> str:
        text = super().__call__(key, **facts)
        if key not in _marks:
            _marks[key] = chr(_BEGIN[len(_marks)])
            _keys[_marks[key]] = key
        return f"{_marks[key]}{text}{_END}"


with pytest.MonkeyPatch.context() as _patch:
    # asked for once, it is remembered; nobody else finds this language in the list
    _patch.setattr(locales, "languages", lambda: (MARKED,))
    _patch.setattr(locales, "Words", lambda _: _Marked(locales.FALLBACK))
    locales.words(MARKED)


def keys(text: str) -> list[str]:
    """The keys of the strings that the text consists of, from left to right; not those inside of others."""
    found, depth = [], 0
    for sign in text:
        if sign == _END:
            depth -= 1
        elif sign in _keys:
            if depth == 0:
                found.append(_keys[sign])
            depth += 1
    return found


def key(text: str) -> str:
    """The key of a text that is one string, without that of its game: `why.blade`."""
    (only,) = keys(text)
    return only.partition(".")[2]


def all_keys(text: str) -> list[str]:
    """The keys of all strings in the text, also of those inside of others."""
    return [_keys[sign] for sign in text if sign in _keys]


def plain(text: str) -> str:
    """The text without its marks."""
    return "".join(itertools.filterfalse(lambda sign: sign == _END or sign in _keys, text))
