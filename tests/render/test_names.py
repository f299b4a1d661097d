"""Names of every script in pictures: which fonts draw them, in which order, and where they are cut."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from bot.render import text
from bot.render.assets import asset
from bot.render.lettering import bidi, name_faces
from bot.render.lettering.graphemes import clusters, shortened
from bot.render.scene import Weight

MOST_BYTES = 15_000_000
"""How much the fonts for names may add to an installation."""
NAMES = (
    "陈欣怡 张梓涵 刘睿 王婧 鑫 懿 奕 妍",
    "陳怡君 黃鑫 龍",
    "鈴木さくら 髙橋 齋藤",
    "김민준 이서연",
    "ليلى محمد",
    "گل\u200cنار",
    "שלום דנה",
    "สวัสดี ที่นี่",
    "नमस्ते क्षत्रिय",
    "বাংলা",
    "ਪੰਜਾਬੀ",
    "ગુજરાતી",
    "தமிழ்",
    "తెలుగు",
    "ಕನ್ನಡ",
    "മലയാളം",
    "සිංහල",
    "မြန်မာ",
    "ខ្មែរ",
    "བོད་ཡིག",
    "ລາວ",
    "ქართული",
    "Հայերեն",
    "አማርኛ",
    "ᏣᎳᎩ",
    "ᐃᓄᒃᑎᑐᑦ",
    "ꆈꌠ",
    "ᠮᠣᠩᠭᠣᠯ",
    "🦊 fox 👑",
    "👩\u200d🔬🇫🇷👍🏽",
)
"""Names of every script for which there is a font."""


def names() -> st.SearchStrategy[str]:
    """What Discord lets people call themselves: 1 to 32 characters, no surrogates."""
    anything = st.characters(exclude_categories=["Cs"])
    listed = st.sampled_from(sorted({char for name in NAMES for char in name}))
    steering = st.sampled_from("\u200c\u200d\u2067\u2068\u2069\u202e\ufe0f\u0301()[] 12")
    return st.text(anything | listed | steering, min_size=1, max_size=32)


@pytest.fixture(params=[True, False], ids=["raqm", "basic"])
def shaping(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[bool]:
    """A Pillow with Raqm, and one without."""
    shapes = bool(request.param)
    if shapes and not name_faces.can_shape():
        pytest.skip("this Pillow has no Raqm")
    if not shapes:
        monkeypatch.setattr(name_faces, "can_shape", lambda: False)
    forget()
    yield shapes
    forget()


def forget() -> None:
    """Empty what remembers how names were drawn."""
    for known in (text._of_cluster, text._pieces, text.width, text.written, text.is_written_whole):
        known.cache_clear()
    name_faces.open_face.cache_clear()
    text._masks.clear()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("shaping")
def test_every_script_is_drawn(name: str) -> None:
    assert text.is_written_whole(name)
    joiners = str.maketrans("", "", "\u200c\u200d")
    assert text.written(name).translate(joiners) == name.translate(joiners)
    mask = text.line_mask(text.written(name), 36, Weight.BOLD)
    assert mask.mask.getbbox()
    assert mask.advance > 20


@given(names(), st.sampled_from(list(Weight)))
def test_any_name_can_be_drawn(name: str, weight: Weight) -> None:
    written = text.written(name)
    blank = all(map(name_faces.is_invisible, name))
    assert bool(written) or blank or not text.normal(name).strip()
    assert text.written(written) == written
    mask = text.line_mask(written, 30, weight)
    assert 0 <= mask.advance <= 30 * 4 * max(1, len(written))
    assert mask.left >= -30
    assert mask.left + mask.mask.width <= mask.advance + 30
    assert mask.top >= -2 * 30
    assert mask.top + mask.mask.height <= 30


@given(names(), st.integers(40, 400))
def test_a_cut_name_fits_and_its_characters_stay_whole(name: str, room: int) -> None:
    written = text.written(name)
    cut = text.ellipsis(written, 30, Weight.BOLD, room)
    assert text.width(cut, 30, Weight.BOLD) <= room
    if cut != written:
        kept = clusters(cut.removesuffix("…"))
        assert kept == clusters(written)[: len(kept)]


@given(names(), st.integers(3, 32))
def test_shortened_labels_keep_characters_whole(name: str, most: int) -> None:
    isolated = bidi.isolated(name.replace("\u2068", "").replace("\u2069", ""))
    short = shortened(isolated, most)
    assert len(short) <= most
    assert short.count("\u2068") == short.count("\u2069")
    if short != isolated:
        kept = clusters(short.removesuffix("\u2069").removesuffix("…"))
        assert kept == clusters(isolated)[: len(kept)]


@pytest.mark.parametrize(
    "cluster",
    [
        "e\u0301",
        "👩\u200d🔬",
        "👍🏽",
        "🇫🇷",
        "1\ufe0f\u20e3",
        "क्षि",
        "\u1112\u1161\u11ab",
        "น\u0e33",
        "🏴\U000e0067\U000e0062\U000e007f",
    ],
)
def test_what_readers_take_for_one_character(cluster: str) -> None:
    assert clusters(cluster) == [cluster]
    assert clusters(f"a{cluster}b") == ["a", cluster, "b"]


def test_flags_side_by_side_are_several() -> None:
    assert clusters("🇫🇷🇩🇪🇬") == ["🇫🇷", "🇩🇪", "🇬"]


@pytest.mark.parametrize(
    ("line", "runs"),
    [
        ("Ann", ["Ann"]),
        ("Ann אבג Ben", ["Ann ", "<אבג", " Ben"]),
        ("אבג", ["<אבג"]),
        ("אבג Ann", ["Ann", "<אבג "]),
        ("אבג (C) 12", ["12", "<) ", "C", "<אבג ("]),
        ("אבג 12", ["12", "<אבג "]),
        ("أبج 12", ["12", "<أبج "]),
        ("\u2068אבג\u2069 12 points", ["<אבג", " 12 points"]),
        ("won by \u2068אבג\u2069, 3:2", ["won by ", "<אבג", ", 3:2"]),
    ],
)
def test_the_order_of_lines_from_right_to_left(line: str, runs: list[str]) -> None:
    assert ["<" * run.rtl + "".join(run.clusters) for run in bidi.visual_runs(line)] == runs


@given(names())
def test_each_character_of_a_line_is_placed_once(name: str) -> None:
    units = [unit for unit in clusters(name) if unit not in ("\u2068", "\u2069")]
    assert sorted(unit for run in bidi.visual_runs(name) for unit in run.clusters) == sorted(units)


@pytest.mark.usefixtures("shaping")
def test_letters_from_right_to_left_stand_in_that_order() -> None:
    """The first letter of the name is drawn at its right end."""
    whole, rest = (text.line_mask(name, 40, Weight.MEDIUM) for name in ("אל", "ל"))
    left = whole.mask.crop((0, 0, rest.mask.width, whole.mask.height))
    assert left.getbbox()
    box = left.getbbox() or (0, 0, 0, 0)
    assert abs((box[3] - box[1]) - rest.mask.height) <= 1


def test_arabic_letters_join() -> None:
    if not name_faces.can_shape():
        pytest.skip("this Pillow has no Raqm")
    assert not gaps("ححح")
    assert gaps("ح\u200cح\u200cح")


def gaps(name: str) -> bool:
    """Return whether there is a column without ink inside a word."""
    mask = text.line_mask(name, 40, Weight.MEDIUM).mask
    return any(mask.crop((x, 0, x + 1, mask.height)).getbbox() is None for x in range(mask.width))


def test_the_list_of_name_fonts_is_true() -> None:
    listed = {face.file: face for face in name_faces.faces()}
    for file, face in listed.items():
        drawn = set(TTFont(asset("fonts", file), lazy=True).getBestCmap())
        spans = zip(face.firsts, face.lasts, strict=True)
        assert {code for first, last in spans for code in range(first, last + 1)} == drawn, file
    assert len(listed) > 30


def test_hangul_kana_and_han_are_complete() -> None:
    blocks = [(0xAC00, 0xD7A3), (0x3041, 0x3096), (0x30A1, 0x30FA), (0x4E00, 0x9FA5), (0x3400, 0x4DB5)]
    missing = [
        chr(code)
        for first, last in blocks
        for code in range(first, last + 1)
        if unicodedata.category(chr(code)) != "Cn" and not text.is_written_whole(chr(code))
    ]
    assert missing == []


def test_the_fonts_for_names_are_small_and_have_their_licence() -> None:
    files = [asset("fonts", face.file) for face in name_faces.faces()]
    added = [*files, asset("fonts", "names.json"), asset("fonts", "Noto-OFL.txt")]
    assert sum(path.stat().st_size for path in added) <= MOST_BYTES
    assert "SIL Open Font License, Version 1.1" in asset("fonts", "Noto-OFL.txt").read_text("utf-8")


def test_fonts_open_only_when_a_name_needs_them() -> None:
    forget()
    text.line_mask("Ann 小明 ♠", 36, Weight.BOLD)
    assert name_faces.open_face.cache_info().currsize == 0
    text.line_mask("김", 36, Weight.BOLD)
    assert name_faces.open_face.cache_info().currsize == 1
