"""Strings: plural forms, and what a language borrows from English."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot import locales
from bot.locales import FALLBACK, HERE, MissingWords, begun, catalogue, languages, words
from engine import catalog
from tests.support.discord.languages import missing_strings


def test_a_borrowed_string_is_counted_as_its_own_language_counts() -> None:
    """Chinese has one form for all numbers, but the English string that it borrows has two."""
    assert words("zh-CN")("doctor.discord.servers", n=1).endswith("its one server.")
    assert words("zh-CN")("doctor.discord.servers", n=2).endswith("all 2 servers.")
    assert "分" in words("zh-CN")("atom.line.side", names="Ann", points=1)


def test_a_negative_number_has_a_minus_sign() -> None:
    assert words("en")("chemistry.points", n=-1) == "−1 point"


def test_an_unknown_language_speaks_english() -> None:
    assert words("pt-BR")("table.hand") == words("en")("table.hand")


@pytest.mark.parametrize(
    ("locale", "language"),
    [("zh-CN", "zh-CN"), ("zh-TW", "zh-CN"), ("en-GB", "en"), ("en-US", "en"), ("fi", "en")],
)
def test_a_language_in_another_form_goes_before_english(locale: str, language: str) -> None:
    assert words(locale).language == language
    assert words(locale)("refused.seek_everybody") == words(language)("refused.seek_everybody")


def test_the_exact_form_goes_before_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locales, "languages", lambda: ("en", "zh-CN", "zh-TW"))
    monkeypatch.setattr(locales, "catalogue", lambda language: catalogue("en"))
    assert locales.words.__wrapped__("zh-TW").language == "zh-TW"
    assert locales.words.__wrapped__("zh-HK").language == "zh-CN"


def test_a_missing_string_or_fact_is_named() -> None:
    with pytest.raises(MissingWords, match=r"no\.such"):
        words("en")("no.such")
    with pytest.raises(MissingWords, match="table"):
        words("en")("table.moved")


def test_two_files_with_one_key_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "en"
    folder.mkdir()
    (folder / "server.toml").write_text('[server]\nopen = "Who may open tables?"\n')
    (folder / "watch.toml").write_text('[watch]\nlabel = "Watch"\n[server]\nopen = "Open"\n')
    monkeypatch.setattr(locales, "HERE", tmp_path)
    with pytest.raises(
        locales.DuplicateWords, match=r"en: server\.open is in server\.toml and in watch\.toml"
    ):
        catalogue.__wrapped__("en")


def keys_of(table: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """Return the dotted keys of a table and of the tables in it."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from keys_of(value, f"{prefix}{key}.")
        else:
            yield prefix + key


def file_by_key(language: str) -> dict[str, str]:
    """Return the name of the file that has each string of a language."""
    return {
        key: path.name
        for path in (HERE / language).glob("*.toml")
        for key in keys_of(tomllib.loads(path.read_text("utf-8")))
    }


@pytest.mark.parametrize("language", [language for language in begun() if language != FALLBACK])
def test_every_language_has_the_files_of_english(language: str) -> None:
    """A translator finds the English string of `daily.toml` in `daily.toml`."""
    names = {path.name for path in (HERE / language).glob("*.toml")}
    assert names == {path.name for path in (HERE / FALLBACK).glob("*.toml")}
    english = file_by_key(FALLBACK)
    elsewhere = {key: name for key, name in file_by_key(language).items() if english.get(key, name) != name}
    assert elsewhere == {}


def test_a_missing_string_is_told_with_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {key: said for key, said in catalogue("zh-CN").items() if key != "watch.label"}
    monkeypatch.setattr(
        locales, "catalogue", lambda language: own if language == "zh-CN" else catalogue("en")
    )
    (line,) = missing_strings()
    assert line.startswith("bot/locales/zh-CN/watching.toml lacks watch.label")


def test_a_language_that_lacks_a_string_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {key: said for key, said in catalogue("zh-CN").items() if key != "table.hand"}
    monkeypatch.setattr(
        locales, "catalogue", lambda language: own if language == "zh-CN" else catalogue("en")
    )
    assert locales.lacking("zh-CN") == ("table.hand",)
    assert locales.languages.__wrapped__() == ("en",)


OVER = {
    "over": "cards",
    "over_tie": "cards",
    "house_won": "house",
    "house_won_tie": "house",
    "house_lost": "own",
    "house_lost_tie": "own",
}
"""How a battle may end, and the cards of whoever has most."""
WORDS = {"name", "names", "who", "card"}
"""Facts that are no number: "{name} plays"."""
NEVER_ONE = {
    ("friendly.lobby_new", "first"),
    *(
        (f"atom.{key}", "points")
        for key in ("tree.held_points", "line.laid_open", "picture.holds", "alt.seat")
    ),
    ("atom.explain.bigger_bomb", "n"),
    ("atom.explain.points_five", "each"),
    ("atom.explain.upstream_five", "each"),
    ("atom.ending.few_points", "least"),
    ("atom.picture.took", "n"),
    ("atom.page.rank_points", "n"),
    ("atom_duel.line.round", "deck"),
    *(
        ("atom_duel.why.not_enough_cards", fact)
        for fact in ("seats", "hand_size", "rounds", "needed", "cards")
    ),
    *((f"chemistry.line.battle_{key}", "rounds") for key in OVER),
    *((f"chemistry.line.battle_{key}", fact) for key, fact in OVER.items()),
    ("chemistry.why.exact_cards.too_many_cards", "needed"),
    ("chemistry.explain.battle_capped", "round"),
    ("chemistry.explain.battle_tie", "n"),
    *((f"chemistry.ending.{key}", "target") for key in ("target", "solo_target", "target_missed")),
    ("chemistry.ending.house_won", "house"),
    ("chemistry.rules.battle_ending", "cap"),
    ("chemistry.ending.house_lost", "own"),
    ("chemistry.battle.last", "n"),
    ("chemistry.battle.last_house", "n"),
    ("chemistry.alt.short", "n"),
    ("chemistry.page.give", "n"),
    *(("duel52.rules.variant", fact) for fact in ("seats", "hand", "aside")),
    ("night.coming", "of"),
    ("refused.holiday_spent", "most"),
    ("refused.tournament_full", "most"),
    ("lobby.needs", "least"),
    *((f"review.{key}", "n") for key in ("moral", "lucky", "unlucky")),
    ("motive.usual", "worlds"),
    ("motive.only", "worlds"),
    ("bracket.players", "most"),
    ("tournament.called_off_unstarted", "n"),
    ("tournament.called_off_idle", "n"),
    ("bracket.rounds", "players"),
    ("bracket.rounds", "most"),
    ("learn.entry", "moves"),
    ("learn.offer", "n"),
    ("molecular.explain.more", "examples"),
    ("atom_duel.because.few_beat", "every"),
    ("duel52.because.strikes_two", "n"),
    ("duel52.tree.order", "n"),
}
"""Numbers of which there are always more, or none: by the rules, the set-up or where the string is said."""


def counted_nouns() -> frozenset[str]:
    """The nouns that stand after a number in some string with forms: "cards", "points"."""
    found: set[str] = set()
    for said in catalogue("en").values():
        if isinstance(said, dict):
            single = set(re.findall(r"\w+", said.get("one", "")))
            many = {
                word
                for after in re.findall(r"\{n\}((?: [a-z]+){1,2})", said["other"])
                for word in after.split()
            }
            found |= {word for word in many - single if word.endswith("s") and word[:-1] in single}
    return frozenset(found)


def test_a_number_that_may_be_one_chooses_the_form_of_its_noun() -> None:
    """Forms are chosen by `n`: "{pile} cards" says "1 cards" once, and so does "{n} cards" without forms."""
    nouns, wrong = counted_nouns(), []
    assert {"cards", "points", "compounds", "players", "games", "hours"} <= nouns
    for key, said in catalogue("en").items():
        for form, text in said.items() if isinstance(said, dict) else [("", said)]:
            for fact, noun in re.findall(
                r"\{(\w+)\} (?:more )?([a-z]+)\b", text if isinstance(text, str) else ""
            ):
                chosen = {"n", "better"} if form else set()
                known = (key, fact) in NEVER_ONE or ".option." in key  # a game lists what may be chosen
                if noun in nouns and fact not in WORDS | chosen and not known:
                    wrong.append((key, fact))
    assert wrong == []
    assert {key for key, _ in NEVER_ONE} <= set(catalogue("en"))


@pytest.mark.parametrize(
    ("key", "facts", "said"),
    [
        ("chemistry.alt.piles", {"stock": 3, "top": "C", "n": 1}, "1 compound face down."),
        ("chemistry.alt.battle_end", {"name": "Ann", "before": 26, "n": 1}, "from 26 to 1 card."),
        ("chemistry.alt.battle_end", {"name": "Ann", "before": 1, "n": 26}, "from 1 to 26 cards."),
        ("chemistry.status.only", {"n": 1, "stock": 3}, "1 compound left · stock 3"),
        ("board.last_said", {"n": 1, "of": 1}, "1 won of 1."),
        ("bracket.players", {"least": 3, "most": 32, "players": 1}, "not for 1."),
        (
            "refused.full_here",
            {"n": 1},
            "one seat with these options. `/games` lists other tables, `/play` opens one.",
        ),
    ],
)
def test_one_of_a_kind_is_said_as_one(key: str, facts: dict[str, object], said: str) -> None:
    assert words("en")(key, **facts).endswith(said)


@pytest.mark.parametrize("language", languages())
def test_no_card_is_named_like_the_button_that_leads_back(language: str) -> None:
    """A card called "Back a" next to the button "Back" is pressed by mistake."""
    strings = catalogue(language)
    label, games = str(strings["hand.back"]), catalog.listed()
    named = {
        key: text for key, text in strings.items() if key.split(".")[0] in games and isinstance(text, str)
    }
    assert named
    assert [key for key, text in named.items() if re.match(rf"{label}( \{{|$)", text)] == []
