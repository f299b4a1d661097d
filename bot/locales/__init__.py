"""Every string that people read: TOML files by language, one voice, short, warm, exact.

A string is a template for `str.format`. A table with plural forms (`one`, `other` …) is chosen by
the fact `n`. A language is offered only when it is whole: half of one is harder to read than English.
Of what only operators read in a terminal (`OPERATORS`) it borrows the English strings.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from babel import Locale

from bot.chinese import SIGN, SIGNS

HERE = Path(__file__).parent
FALLBACK = "en"
OPERATORS = ("doctor.", "start.")
"""Where the strings begin that only whoever runs the bot reads, in a terminal: they are English."""
OPTIONAL = re.compile(r"[a-z_0-9]+\.(element|text|ground|named)\.")
"""Names and texts that a language may have although English takes them from the card data, or from the
commands."""
_LATIN_END, _LATIN_START = re.compile(r"[A-Za-z0-9₀-₉][*_~`)]*$"), re.compile(r"[*_~`(]*[A-Za-z0-9]")
# a wide bracket brings a space of its own
_SIGN_END, _SIGN_START = re.compile(f"[{SIGNS}）」』》】][*_~`]*$"), re.compile(f"[*_~`]*[{SIGNS}（「『《【]")
_BEFORE = re.compile(f"(?<=[{SIGNS}]) " + r"(?=[*_~`]*\{([a-z_]+)\})")
_BEHIND = re.compile(r"(\{([a-z_]+)\}[*_~`]*) " + f"(?=[*_~`]*[{SIGNS}])")
_PLURALS = frozenset({"zero", "one", "two", "few", "many", "other"})


class MissingWords(KeyError):
    """There is no string of this key in any language."""


@cache
def languages() -> tuple[str, ...]:
    """The languages that are offered: those that are whole, as folder names."""
    return tuple(language for language in begun() if not lacking(language))


@cache
def begun() -> tuple[str, ...]:
    """The languages that there are, whole or not, as folder names."""
    return tuple(sorted(path.name for path in HERE.iterdir() if path.is_dir() and list(path.glob("*.toml"))))


def lacking(language: str) -> tuple[str, ...]:
    """The strings that a language lacks to be whole, by key, in the order of the English files."""
    own = catalogue(language)
    return tuple(
        key
        for key in catalogue(FALLBACK)
        if key not in own and not key.startswith(OPERATORS) and not OPTIONAL.match(key)
    )


@cache
def catalogue(language: str) -> dict[str, object]:
    """All strings of a language by dotted key; plural tables and lists stay whole."""
    found: dict[str, object] = {}
    for path in sorted((HERE / language).glob("*.toml")):
        _flatten(tomllib.loads(path.read_text("utf-8")), "", found)
    return found


def _flatten(table: dict[str, object], prefix: str, into: dict[str, object]) -> None:
    for key, value in table.items():
        if isinstance(value, dict) and not _PLURALS.issuperset(value):
            _flatten(value, f"{prefix}{key}.", into)
        else:
            into[prefix + key] = value


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
        """The string of `key` with its facts filled in.

        >>> words("zh-CN")("board.title", game="原子"), words("zh-CN")("board.title", game="决斗 52")
        ('原子排行榜', '决斗 52 排行榜')

        Raises:
            MissingWords: there is no such string, or it needs a fact that is not there.
        """
        template = self._find(key)
        if isinstance(template, dict):
            # a borrowed string is counted as its own language counts
            speaker = self if key in self._own else words(FALLBACK)
            form = speaker._babel.plural_form(facts.get("n", 0))
            template = template.get(form, template["other"])
        for name, fact in facts.items():
            if type(fact) is int and fact < 0:
                facts[name] = f"−{-fact}"  # a minus sign: a hyphen is too short to be seen
        template = str(template)
        if self._tight and _spaced(template):
            template = _tight(template, facts)
        try:
            return template.format_map(facts)
        except KeyError as error:
            raise MissingWords(f"{key} needs {error}") from error

    def list(self, key: str) -> tuple[str, ...]:
        """A list of strings, such as names."""
        return tuple(self._find(key))

    def keys(self, prefix: str) -> tuple[str, ...]:
        """The keys below `prefix.`, in the order in which the English files give them."""
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
    """Whether a space parts a fact of this template from a Chinese sign."""
    return bool(_BEFORE.search(template) or _BEHIND.search(template))


def _tight(template: str, facts: dict[str, Any]) -> str:
    """A Chinese template without the spaces that these facts do not need: they part Chinese from Latin
    letters and figures, not from Chinese, nor from a wide bracket.

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
    """Several things as a phrase, the `last` two joined by a word of their own; a Chinese one stands apart
    from Latin letters.

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
    """The strings for a Discord locale such as `en-GB` or `zh-CN`: that language, or English."""
    have = languages()
    for candidate in (locale, locale.split("-", maxsplit=1)[0]):
        if candidate in have:
            return Words(candidate)
    return Words(FALLBACK)
