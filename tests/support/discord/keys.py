"""Which strings a text was made of, and of which facts: a language that is English with invisible marks.

Tests of rules ask for the key of a sentence and for the facts in it, never for its wording; what games say
stands in one text each (`tests/presenters/test_sentences.py`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import Any

import pytest

from bot import locales
from bot.locales import FALLBACK, Words, catalogue

MARKED = "marked"
"""The locale to ask for: `Look(names, locale=MARKED)`."""

_END = "\ue000"
_free = map(chr, itertools.chain(range(0xF0000, 0xFFFFE), range(0x100000, 0x10FFFE)))
"""Signs for private use, which no text has."""
_marks: dict[tuple[Any, ...], str] = {}
_strings: dict[str, tuple[str, dict[str, str]]] = {}


class _Marked(Words):
    """English, each string between two signs that stand for no letter."""

    __slots__ = ()

    def __call__(self, key: str, /, **facts: Any) -> str:
        text = super().__call__(key, **facts)
        told = {name: plain(str(fact)) for name, fact in facts.items()}
        same = (key, *told.items())
        if same not in _marks:
            _marks[same] = next(_free)
            _strings[_marks[same]] = (key, told)
        return f"{_marks[same]}{text}{_END}"


with pytest.MonkeyPatch.context() as _patch:
    # asked for once, it is remembered; nobody else finds this language in the list
    _patch.setattr(locales, "languages", lambda: (MARKED,))
    _patch.setattr(locales, "Words", lambda _: _Marked(FALLBACK))
    locales.words(MARKED)


def _outer(text: str) -> list[tuple[str, dict[str, str]]]:
    """The strings that the text consists of, from left to right; not those inside of others."""
    found, depth = [], 0
    for sign in text:
        if sign == _END:
            depth -= 1
        elif sign in _strings:
            if depth == 0:
                found.append(_strings[sign])
            depth += 1
    return found


def keys(text: str) -> list[str]:
    """The keys of the strings that the text consists of, from left to right; not those inside of others."""
    return [key for key, _ in _outer(text)]


def all_keys(text: str) -> list[str]:
    """The keys of all strings in the text, also of those inside of others."""
    return [_strings[sign][0] for sign in text if sign in _strings]


def key(text: str) -> str:
    """The key of a text that is one string, without that of its game: `why.blade`."""
    (only,) = keys(text)
    return only.partition(".")[2]


def facts(text: str) -> dict[str, str]:
    """What was filled in, in plain words, by all strings that the text consists of."""
    return {name: fact for _, told in _outer(text) for name, fact in told.items()}


def patterns(table: str, names: Iterable[str], locale: str = FALLBACK) -> str:
    """A regular expression for the strings `table.name` of a language, whatever is filled in."""
    found = (
        catalogue(locale).get(key, catalogue(FALLBACK)[key]) for key in (f"{table}.{name}" for name in names)
    )
    templates = [form for one in found for form in (one.values() if isinstance(one, dict) else [one])]
    fixed = ([re.escape(part) for part in re.split(r"\{[^}]*\}", str(template))] for template in templates)
    return "|".join(".*".join(parts) for parts in fixed)


def part(key: str) -> str:
    """The longest piece of an English string in which nothing is filled in: whoever says it, says that."""
    template = catalogue(FALLBACK)[key]
    assert isinstance(template, str), "which of its forms?"
    return max(re.split(r"\{[^}]*\}", template), key=len)


def plain(text: str) -> str:
    """The text without its marks."""
    return "".join(sign for sign in text if sign != _END and sign not in _strings)
