"""The languages against each other: each whole, with the same facts, counted in its own way, and short where
English is."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import discord
import pytest
from babel import Locale

from bot.locales import FALLBACK, OPTIONAL, begun, catalogue, lacking, languages, words
from tests.support.discord.languages import fields

OTHERS: Final = [language for language in begun() if language != FALLBACK]
SHORT: Final = 12
"""An English string of so many letters is a button, a heading or a name."""


def wide(said: object) -> int:
    """How wide a string is, in letters; a sign of Chinese is as wide as two."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in str(said))


@pytest.mark.parametrize("language", begun())
def test_every_language_is_whole(language: str) -> None:
    """One that lacks strings is not offered; whoever adds an English string says it in all languages."""
    assert lacking(language) == ()
    assert language in languages()


@pytest.mark.parametrize("language", begun())
def test_every_language_says_the_same_things(language: str) -> None:
    english, own = catalogue(FALLBACK), catalogue(language)
    assert [key for key in own if key not in english and not OPTIONAL.match(key)] == []
    for key, template in own.items():
        assert type(template) is type(english.get(key, template)) or isinstance(template, dict)
        if key in english:
            assert fields(template) - {"n"} == fields(english[key]) - {"n"}, key
            assert isinstance(template, dict) or "n" not in fields(template) - fields(english[key]), key
        assert template, key


@pytest.mark.parametrize("language", begun())
def test_every_number_has_the_forms_that_the_language_counts_by(language: str) -> None:
    needed = {*Locale.parse(language.replace("-", "_")).plural_form.tags, "other"}
    for key, template in catalogue(language).items():
        if isinstance(template, dict):
            assert set(template) == needed, key


@pytest.mark.parametrize("locale", [locale.value for locale in discord.Locale])
def test_readers_of_another_form_are_told_in_their_own(locale: str) -> None:
    """/settings has one line for them, since they did not choose these words."""
    language, base = words(locale).language, locale.partition("-")[0]
    borrowed = language.partition("-")[0] == base and language not in (locale, base)
    assert (f"language.text.{locale}" in catalogue(language)) == borrowed


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_is_left_in_english(language: str) -> None:
    """What has no letter beside its facts reads the same everywhere, and so do names and signs."""
    english = catalogue(FALLBACK)
    same = [key for key, said in catalogue(language).items() if said == english.get(key)]
    plain = {key: re.sub(r"\{[^}]*\}|`[^`]*`", "", str(english[key])) for key in same}
    assert [key for key in same if re.search(r"[A-Za-z]{3,} [a-z]{2,}", plain[key])] == []


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_short_in_english_stays_short(language: str) -> None:
    """Buttons and titles that Discord or a phone cuts."""
    english, own = catalogue(FALLBACK), catalogue(language)
    short = [key for key, said in english.items() if isinstance(said, str) and len(said) <= SHORT]
    long = {key: own[key] for key in short if key in own and wide(own[key]) > 2 * SHORT}
    assert long == {}


@pytest.mark.parametrize("language", begun())
def test_a_moment_told_as_in_7_hours_stands_where_that_can_be_read(language: str) -> None:
    """Discord writes `<t:…:R>` as “in 7 hours” or “3 days ago”, after which no preposition fits."""
    clumsy = re.compile(
        r"\b(?:[Ff]rom|[Uu]ntil|[Bb]y|[Aa]t|[Ii]n|[Ss]ince) <t:[^>]*:R>|<t:[^>]*:R> ?(?:之?[前后]|起|on\b)"
    )
    assert [key for key, said in catalogue(language).items() if clumsy.search(str(said))] == []
