"""Each number in a rules text is the number the engine plays by, in every language."""

from __future__ import annotations

import re
from string import Formatter
from typing import Any, cast

import pytest

from bot.locales import FALLBACK, catalogue, languages
from tests.presenters.rule_numbers import IN_CHINESE, TIED
from tests.support.discord.wording import RULEBOOK_GAMES

TEXTS = re.compile(r"(\w+)\.(about|blurb|tagline|rules\.\w+|option\.\w+)")
"""The keys of texts that state rules."""
LEAST_IN_WORDS = 3
"""Smaller numbers in words are part of ordinary sentences: "one of them", "两张"."""
ENGLISH = "three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
WORDS = {
    **{word: number for number, word in enumerate(ENGLISH.split(), 3)},
    **{"eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50},
    **{"fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10},
    **{"hundred": 100, "thousand": 1000},
}
IDIOMS = {
    "en": re.compile("hundreds|thousands"),
    "zh-CN": re.compile("三角|三键|六边|百科|百搭|三带二|三倍|几百"),
}
"""Words that contain a number but are none."""
CHINESE = "零一二三四五六七八九"


def chinese(word: str) -> int:
    """Return the value of a number in Chinese characters, up to 9,999.

    >>> [chinese(word) for word in ("三", "十六", "二十", "二百", "四十一")]
    [3, 16, 20, 200, 41]
    """
    total, digit = 0, 0
    for sign in word:
        if sign in CHINESE:
            digit = CHINESE.index(sign)
        else:
            total += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[sign]
            digit = 0
    return total + digit


def numbers(text: str, language: str) -> set[int]:
    """Return the numbers in a text, but those of a numbered list."""
    text = re.sub(r"(?m)^\d+\. ", "", IDIOMS[language].sub("", text))
    digits = {int(found.replace(",", "")) for found in re.findall(r"\d+(?:,\d{3})*", text)}
    spelled = {WORDS[word] for word in re.findall("[a-z]+", text.lower()) if word in WORDS}
    spelled |= {chinese(word) for word in re.findall(f"[{CHINESE}十百千]+", text)}
    return digits | {number for number in spelled if number >= LEAST_IN_WORDS}


def rules_texts(language: str) -> dict[str, str]:
    """Return the texts that state rules, by key. What the code fills in is left out."""
    games = {*RULEBOOK_GAMES, "chemistry"}
    found, strings = dict[str, str](), cast(dict[str, Any], catalogue(language))
    for key, value in strings.items():
        match = TEXTS.fullmatch(key)
        if match and match[1] in games:
            forms = (
                value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
            )
            pieces = [piece for form in forms for piece, *_ in Formatter().parse(str(form))]
            found[key] = " ".join(pieces)
    return found


@pytest.mark.parametrize("language", languages())
def test_each_number_in_a_rules_text_is_that_of_the_engine(language: str) -> None:
    more = IN_CHINESE if language == "zh-CN" else {}
    wrong = dict[str, tuple[list[int], list[int]]]()
    for key, text in rules_texts(language).items():
        told, tied = numbers(text, language), {*TIED.get(key, ()), *more.get(key, ())}
        only_small = {number for number in tied - told if number < LEAST_IN_WORDS}
        if told != tied - only_small:
            wrong[key] = sorted(told), sorted(tied)
    assert not wrong, "by key: what the text says, and what tests/presenters/rule_numbers.py ties it to"


def test_only_texts_that_exist_are_tied() -> None:
    assert {*TIED, *IN_CHINESE} <= rules_texts(FALLBACK).keys()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("old", "new"),
    [("{cap}", "200"), ("27", "28"), ("As soon", "After ten rounds, as soon"), ("有人", "三百轮后有人")],
)
def test_a_wrong_or_new_number_is_noticed(
    language: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = {
        key: str(value).replace(old, new)
        for key, value in catalogue(language).items()
        if key.startswith("chemistry.rules.battle_") and old in str(value)
    }
    for key, text in changed.items():
        monkeypatch.setitem(catalogue(language), key, text)
        with pytest.raises(AssertionError):
            test_each_number_in_a_rules_text_is_that_of_the_engine(language)


def test_every_game_has_texts_with_numbers() -> None:
    told = {key.split(".")[0] for key in TIED}
    assert told >= {*RULEBOOK_GAMES} - {"compound_capture"} | {"chemistry"}
