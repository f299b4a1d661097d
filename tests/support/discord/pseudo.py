"""A language that nobody speaks: English in Cyrillic letters. What is still in Latin ones was written in the
code, or is a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters
from typing import Any

import pytest

from bot import locales
from bot.locales import FALLBACK, OPTIONAL, Words, begun, catalogue
from bot.render import check
from bot.render.scene import Scene

PSEUDO = "hu"
"""The locale to ask for; Discord has it, we have not, and it counts as English does."""
_OTHERS = {ord(letter): chr(0x410 + ord(letter) % 64 - ord("A") % 64) for letter in ascii_letters}
_KEPT = re.compile(r"\{[^}]*\}|`[^`]*`|https?://\S+|<[^>]*>|/[a-z]+")
"""What no language translates: facts, code, addresses, mentions and timestamps, commands."""
_FORMULA = re.compile(r"(?:[A-Z][a-z]?\d*)+")
_NAMES = frozenset({"ann", "ben", "cleo", "English"})
"""People, and a language, which is called as its speakers call it."""


def _spoken(template: Any) -> Any:
    if isinstance(template, dict):
        return {form: _spoken(text) for form, text in template.items()}
    if isinstance(template, list):
        return [_spoken(text) for text in template]
    kept = iter([*_KEPT.findall(template), ""])
    return "".join(part.translate(_OTHERS) + next(kept) for part in _KEPT.split(template))


def _catalogue() -> dict[str, object]:
    """All English strings, and those that English takes from the data of the cards."""
    named = {key: key for language in begun() for key in catalogue(language) if OPTIONAL.match(key)}
    return {key: _spoken(said) for key, said in {**named, **catalogue(FALLBACK)}.items()}


class _Pseudo(Words):
    """The English strings, each in other letters."""

    __slots__ = ()

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self._own = _catalogue()


with pytest.MonkeyPatch.context() as _patch:
    # asked for once, it is remembered; nobody else finds this language in the list
    _patch.setattr(locales, "languages", lambda: (PSEUDO,))
    _patch.setattr(locales, "Words", _Pseudo)
    locales.words(PSEUDO)


def left(text: str) -> list[str]:
    """The words in a text that did not come from the strings; formulas and symbols of elements are not
    words."""
    words = re.findall(r"[A-Za-z][A-Za-z0-9]+", _KEPT.sub(" ", text))
    return [word for word in words if not _FORMULA.fullmatch(word) and word not in _NAMES]


def drawn(scene: Scene | None) -> Iterator[str]:
    """What a picture says: its alt text, and what is written on it."""
    if scene is not None:
        yield scene.alt
        yield from (found.string for _, found in check._texts(scene, scene.items))
