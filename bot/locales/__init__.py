"""Every string that people read: TOML files by language, in one voice that is short, warm and exact.

A string is a template for `str.format`. In a table of plural forms (`one`, `other` …), the fact `n` selects
the form. A language is offered only if it is complete: a mixture is harder to read than English. Strings that
only operators read in a terminal (`OPERATORS`) may fall back to English.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from babel import Locale

from bot.chinese import SIGN, SIGNS

HERE = Path(__file__).parent
FALLBACK = "en"
OPERATORS = ("doctor.", "start.")
"""Key prefixes of strings that only operators read, in a terminal. They are English."""
OPTIONAL = re.compile(r"[a-z_0-9]+\.(element|text|ground|named|alias)\.")
"""Names and texts that a language may define although English takes them from the card data or the commands.
`language.text.zh-TW` is for readers whose Discord speaks another form of the language.
"""
_LATIN_END, _LATIN_START = re.compile(r"[A-Za-z0-9₀-₉][*_~`)]*$"), re.compile(r"[*_~`(]*[A-Za-z0-9]")
# full-width brackets bring their own space
_SIGN_END, _SIGN_START = re.compile(f"[{SIGNS}）」』》】][*_~`]*$"), re.compile(f"[*_~`]*[{SIGNS}（「『《【]")
_BEFORE = re.compile(f"(?<=[{SIGNS}]) " + r"(?=[*_~`]*\{([a-z_]+)\})")
_BEHIND = re.compile(r"(\{([a-z_]+)\}[*_~`]*) " + f"(?=[*_~`]*[{SIGNS}])")
_PLURALS = frozenset({"zero", "one", "two", "few", "many", "other"})


class MissingWords(KeyError):
    """No language has a string with this key."""


class DuplicateWords(ValueError):
    """Two files of one language define the same key."""


@cache
def languages() -> tuple[str, ...]:
    """Return the languages on offer, the complete ones, as folder names."""
    return tuple(language for language in begun() if not lacking(language))


@cache
def begun() -> tuple[str, ...]:
    """Return all languages, complete or not, as folder names."""
    return tuple(sorted(path.name for path in HERE.iterdir() if path.is_dir() and list(path.glob("*.toml"))))


def lacking(language: str) -> tuple[str, ...]:
    """Return the keys a language still lacks, in the order of the English files."""
    own = catalogue(language)
    return tuple(
        key
        for key in catalogue(FALLBACK)
        if key not in own and not key.startswith(OPERATORS) and not OPTIONAL.match(key)
    )


@cache
def catalogue(language: str) -> dict[str, object]:
    """Return all strings of a language by dotted key. Plural tables and lists stay whole.

    Raises:
        DuplicateWords: two files define the same key.
    """
    found: dict[str, object] = {}
    file_of: dict[str, str] = {}
    for path in sorted((HERE / language).glob("*.toml")):
        for key, value in _flat(tomllib.loads(path.read_text("utf-8"))):
            if key in file_of:
                raise DuplicateWords(f"{language}: {key} is in {file_of[key]} and in {path.name}; keep one")
            found[key], file_of[key] = value, path.name
    return found


def _flat(table: dict[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, dict) and not _PLURALS.issuperset(value):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


class Words:
    """The strings of one language: `words("hand.waiting", name="Ann")`."""

    __slots__ = ("_babel", "_own", "_tight", "language")

    def __init__(self, language: str) -> None:
        self.language = language
        self._own = catalogue(language)
        self._babel = Locale.parse(language.replace("-", "_"))
        self._tight = language.startswith("zh")

    def __contains__(self, key: str) -> bool:
        return key in self._own or key in catalogue(FALLBACK)

    def __call__(self, key: str, /, **facts: Any) -> str:
        """Return the string of `key` with its facts filled in.

        >>> words("zh-CN")("board.title", game="原子"), words("zh-CN")("board.title", game="决斗 52")
        ('原子排行榜', '决斗 52 排行榜')

        Raises:
            MissingWords: there is no such string, or a fact it needs is missing.
        """
        template = self._find(key)
        if isinstance(template, dict):
            # a string borrowed from English follows English plural rules
            speaker = self if key in self._own else words(FALLBACK)
            form = speaker._babel.plural_form(facts.get("n", 0))
            template = template.get(form, template["other"])
        for name, fact in facts.items():
            if type(fact) is int and fact < 0:
                facts[name] = f"−{-fact}"  # a minus sign, because a hyphen is too short to notice
        template = str(template)
        if self._tight and _spaced(template):
            template = _tight(template, facts)
        try:
            return template.format_map(facts)
        except KeyError as error:
            raise MissingWords(f"{key} needs {error}") from error

    def list(self, key: str) -> tuple[str, ...]:
        """Return a list of strings, such as names."""
        return tuple(self._find(key))

    def keys(self, prefix: str) -> tuple[str, ...]:
        """Return the keys below `prefix.`, in the order of the English files."""
        return tuple(key for key in catalogue(FALLBACK) if key.startswith(prefix + "."))

    def _find(self, key: str) -> Any:
        if key in self._own:
            return self._own[key]
        try:
            return catalogue(FALLBACK)[key]
        except KeyError:
            raise MissingWords(key) from None


@cache
def _spaced(template: str) -> bool:
    """Return whether a space separates a fact of this template from a Chinese character."""
    return bool(_BEFORE.search(template) or _BEHIND.search(template))


def _tight(template: str, facts: dict[str, Any]) -> str:
    """Return a Chinese template without the spaces that these facts do not need.

    Spaces separate Chinese from Latin letters and digits, not from Chinese or from a full-width bracket.

    >>> _tight("要大过 {name} 的 **{value}** 分", {"name": "**小明**", "value": 53})
    '要大过{name}的 **{value}** 分'
    >>> _tight("{name} 打出 {card} 给 {target}", {"name": "小明（客）", "card": "**𬭊**", "target": "「安」"})
    '{name}打出{card}给{target}'
    >>> _tight("{name} 㧟 {card} 〇", {"name": "𬭊", "card": "（氧）"})
    '{name}㧟{card}〇'
    """

    def fact(name: str) -> str:
        return str(facts.get(name, ""))

    closer = _BEFORE.sub(lambda found: "" if _SIGN_START.match(fact(found[1])) else " ", template)
    return _BEHIND.sub(lambda found: found[1] if _SIGN_END.search(fact(found[2])) else found[0], closer)


def phrase(parts: Sequence[str], comma: str, last: str) -> str:
    """Join several strings into a phrase, with the word `last` before the last one.

    A Chinese joining word is spaced from Latin letters.

    >>> phrase(["ann", "ben", "小明"], "、", "和"), phrase(["**ann**", "**ben**"], "、", "和")
    ('ann、ben 和小明', '**ann** 和 **ben**')
    """
    if len(parts) < 2:
        return "".join(parts)
    before, after = comma.join(parts[:-1]), parts[-1]
    if SIGN.fullmatch(last):
        last = " " * bool(_LATIN_END.search(before)) + last + " " * bool(_LATIN_START.match(after))
    return before + last + after


@cache
def words(locale: str) -> Words:
    """Return the strings for a Discord locale: its language, else another form of that, else English.

    >>> [words(locale).language for locale in ("zh-CN", "zh-TW", "en-GB", "fi")]
    ['zh-CN', 'zh-CN', 'en', 'en']
    """
    have, base = languages(), locale.partition("-")[0]
    forms = (each for each in have if each.partition("-")[0] == base)
    return Words(next((each for each in (locale, base, *forms) if each in have), FALLBACK))
