"""Cards are found by what people type, over all games at once."""

from __future__ import annotations

import pytest

from bot import presenters
from bot.features.lookups.card_search import every_card, find, namesakes, prepare, search, twins
from bot.locales import languages
from bot.typed_names import traditional
from engine.chemistry.deck import BOOK
from tests.support.discord.keys import part
from tests.support.discord.wording import RULEBOOK_GAMES
from tools.contact_sheet.tables import shown

IN_TAIWAN = (
    "氫氦鋰鈹硼碳氮氧氟氖鈉鎂鋁矽磷硫氯氬鉀鈣鈧鈦釩鉻錳鐵鈷鎳銅鋅鎵鍺砷硒溴氪銣鍶釔鋯鈮鉬鎝釕銠鈀銀鎘銦錫銻碲碘氙銫鋇"
    "鑭鈰鐠釹鉕釤銪釓鋱鏑鈥鉺銩鐿鎦鉿鉭鎢錸鋨銥鉑金汞鉈鉛鉍釙砈氡鍅鐳錒釷鏷鈾錼鈽鋂鋦鉳鉲鑀鐨鍆鍩鐒鑪𨧀𨭎𨨏𨭆䥑鐽錀鎶鉨鈇鏌鉝鿬鿫"
)
"""The elements from 1 to 118 as they are named in Taiwan."""
COMPOUNDS = [
    (name, compound.formula)
    for compound in BOOK.compounds
    for name in (compound.formula, compound.name, *compound.aliases)
]


@pytest.mark.parametrize(("name", "formula"), COMPOUNDS)
def test_each_compound_is_found_by_each_of_its_names(name: str, formula: str) -> None:
    assert find(name, "en").card.key == formula


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("CO", "Carbon monoxide"),
        ("Co", "Cobalt"),
        ("NO", "Nitric oxide"),
        ("No", "Nobelium"),
        ("HF", "Hydrogen"),
    ],
)
def test_capitals_tell_a_compound_from_an_element(typed: str, title: str) -> None:
    assert find(typed, "en").card.title.startswith(title)


@pytest.mark.parametrize(("typed", "locale"), [("铁", "en"), ("iron", "zh-CN"), ("铁", "zh-CN")])
def test_a_name_of_another_language_is_known_too(typed: str, locale: str) -> None:
    assert find(typed, locale).card.key == "Fe"


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("number", range(1, 119))
def test_every_element_is_found_by_its_name_in_taiwan(number: int, locale: str) -> None:
    assert find(IN_TAIWAN[number - 1], locale).card.title.endswith(f" {number}")


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        *[("鐵", "Fe"), ("鋁", "Al"), ("氫", "H"), ("鈉", "Na"), ("銅", "Cu"), ("矽", "Si"), ("鈽", "Pu")],
        *[("氯化鈉", "NaCl"), ("食鹽", "NaCl"), ("過氧化氫", "H2O2"), ("雙氧水", "H2O2"), ("白金", "Pt")],
        *[("tie", "Fe"), ("Tóng", "Cu"), ("tong2", "Cu"), ("lü hua na", "NaCl"), ("lǜhuànà", "NaCl")],
        *[("lvhuana", "NaCl"), ("luhuana", "NaCl"), ("quicksilver", "Hg"), ("水銀", "Hg")],
        *[("鈈", "Pu"), ("ｆｅ", "Fe")],
    ],
)
@pytest.mark.parametrize("locale", languages())
def test_the_other_script_pinyin_and_other_names_find_a_card(typed: str, key: str, locale: str) -> None:
    assert find(typed, locale).card.key in (key, f"z{key}")


@pytest.mark.parametrize("locale", languages())
def test_what_is_written_in_latin_letters_comes_before_what_sounds_alike(locale: str) -> None:
    assert [find(typed, locale).card.key for typed in ("He", "na", "Tin", "mo")] == ["He", "Na", "Sn", "Mo"]


def test_each_chinese_name_is_found_in_traditional_characters_too() -> None:
    for found in every_card("zh-CN"):
        name = found.card.title.split(" · ")[0]
        alike = search(traditional(name), "zh-CN", most=100)
        assert found.card.title in {each.card.title for each in alike}, name


def test_the_game_at_hand_comes_first_among_equals() -> None:
    assert find("co", "en").game == "atom_duel"
    found = find("co", "en", ["canasta"])
    assert (found.game, found.card.key) == ("canasta", "CO")
    assert find("Hydrogen", "en", ["chemistry_battle"]).game == "chemistry_battle"
    assert find("ester", "en", ["canasta"]).game == "molecular"


@pytest.mark.parametrize(
    ("typed", "titles"),
    [
        ("k", {"K · Empower", "Rank K · 凯", part("atom.term.points")}),
        ("19", set()),
        ("iron", set()),
        ("potasium", set()),
        ("atom_duel:Fe", set()),
        ("", set()),
    ],
)
def test_others_of_the_same_name_are_told(typed: str, titles: set[str]) -> None:
    shown = find(typed, "en") if typed else find("iron", "en")
    assert {found.card.title for found in namesakes(typed, "en", shown)} == titles


def test_all_cards_of_a_power_are_told() -> None:
    shown = find("magnet", "en")
    others = namesakes("magnet", "en", shown)
    magnets = {c.title for c in presenters.get("atom_duel").cards("en") if "Magnet" in c.tags}
    assert {shown.card.title, *(found.card.title for found in others)} >= magnets
    assert shown not in others


@pytest.mark.parametrize("typed", ["J of spades", "jack of Spades", "J♠"])
def test_a_card_of_the_pack_is_found_in_each_game_that_has_one(typed: str) -> None:
    first = find(typed, "en")
    games = {first.game, *(found.game for found in namesakes(typed, "en", first))}
    assert games == {"atom", "duel52"}
    assert find(typed, "en", ["duel52"]).card.title.startswith("J ")


def test_an_element_is_told_of_in_every_game_that_has_it() -> None:
    with_iron = {
        key
        for key in presenters.offered()
        for card in presenters.get(key).cards("en")
        if "Fe" in card.aliases
    }
    for typed in ("26", "iron"):
        found = find(typed, "en")
        assert {found.game, *(other.game for other in twins(found, "en"))} == with_iron
    assert len(with_iron) > 2
    assert [found.card.title for found in search("iron", "en")].count("Iron · Fe 26") == 1


@pytest.mark.long
@pytest.mark.parametrize("game", RULEBOOK_GAMES)
def test_what_is_in_view_can_be_looked_up(game: str) -> None:
    presenter = presenters.get(game)
    known = {card.key for card in presenter.cards("en")}
    own, open_to_all = set[str](), set[str]()
    for one in shown(game):
        keys = presenter.in_view(one.observation)
        assert set(keys) <= known
        if one.viewer is None:
            open_to_all |= set(keys)
        else:
            own |= set(keys)
    assert len(own) > 1
    assert open_to_all


def test_once_it_is_prepared_a_search_reads_no_presenter(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare()
    for language in languages():
        with monkeypatch.context() as patch:
            patch.setattr(presenters, "get", None)
            assert search("Helium", language)
