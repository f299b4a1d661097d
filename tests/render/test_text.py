"""Words: which face draws what, where lines break, which names we can write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.locales import catalogue, languages
from bot.render import text
from bot.render.scene import Fit, Weight

BOLD, MEDIUM = Weight.BOLD, Weight.MEDIUM


@pytest.mark.parametrize(
    "name", ["Mira", "Ağaoğlu", "Żółć", "Тоня", "Νίκη", "小明", "氢𬬻鿫𫟷", "♠ → H₂O", "\u00e9t\u00e9", "i"]
)
def test_names_that_we_write_as_they_are(name: str) -> None:
    assert text.written(name) == name


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("\U0001d578\U0001d58e\U0001d597\U0001d586", "Mira"),
        ("e\u0301t\u00e9", "\u00e9t\u00e9"),
        (" Ann \u3000 Lee ", "Ann Lee"),
        ("Ann \U00013000 \ue000", "Ann □ □"),
        ("❤\ufe0f", "❤"),
    ],
)
def test_what_no_font_has_is_made_plain_or_a_box_and_the_rest_stays(name: str, written: str) -> None:
    assert text.written(name) == written
    assert text.is_written_whole(name) == ("□" not in written)


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "\u3164", "\u2800\u115f", "\u2068\u2069"])
def test_names_without_anything_to_see(name: str) -> None:
    assert not text.written(name)


def test_direction_marks_never_reach_the_picture() -> None:
    assert text.normal("a\u202eb\u2066c\ufe0f\u200d") == "abc"


def test_each_sign_gets_a_face_that_has_it() -> None:
    pieces = text._pieces("H₂ 汉 ♠", BOLD)
    assert all(ord(char) in text.coverage(str(piece.face)) for piece in pieces for char in piece.text)
    assert {"Inter-Bold", "NotoSansSC-Medium", "DejaVuSans-Bold"} == {piece.face for piece in pieces}


def test_coverage_is_true() -> None:
    """What the list says is what the fonts draw: no character of it comes out as an empty box."""
    for face in sorted({face for faces in text.FACES.values() for face in faces}):
        font = text._font(face, 20)
        missing = bytes(font.getmask("\U0010fffe"))
        for code in sorted(text.coverage(face))[::17]:
            char = chr(code)
            if char.isprintable() and not char.isspace():
                assert bytes(font.getmask(char)) != missing or code == 0xFFFD, (face, hex(code))


@pytest.mark.parametrize("language", languages())
def test_our_own_words_can_be_drawn(language: str) -> None:
    """Names of substances are rare characters: `tools/fonts.py` takes in what our texts need."""
    drawn = frozenset[int]().union(*(text.coverage(face) for faces in text.FACES.values() for face in faces))
    shown_only = "language.text."  # sentences in another script, which are in no picture
    said = [text for key, text in catalogue(language).items() if not key.startswith(shown_only)]
    spoken = {char for each in said for char in str(each) if char.isalpha()}
    assert sorted(char for char in spoken if ord(char) not in drawn) == []


@pytest.mark.parametrize(
    ("string", "words"),
    [
        ("看光。好", ["看", "光。", "好"]),
        ("水（H₂O）、冰", ["水", "（H₂O）、", "冰"]),
        ("叫“荧光”。", ["叫", "“荧", "光”。"]),
        ("出 Fe，再", ["出", " ", "Fe，", "再"]),
        ("Fe，Cu、Zn", ["Fe，", "Cu、", "Zn"]),
    ],
)
def test_no_line_begins_or_ends_with_a_mark_that_belongs_to_another(string: str, words: list[str]) -> None:
    assert text._words(string) == words


@given(st.text(max_size=60), st.integers(120, 900), st.integers(1, 4), st.sampled_from(list(Weight)))
def test_lines_fit_their_box(string: str, room: int, lines: int, weight: Weight) -> None:
    block = text.wrap(string, 36, weight, room, lines)
    assert 1 <= len(block.lines) <= lines
    assert all(text.width(line, 36, weight) <= room for line in block.lines)
    if not block.cut:
        assert "".join("".join(block.lines).split()) == "".join(text.normal(string).split())


@given(st.text(max_size=40))
def test_any_text_can_be_drawn(string: str) -> None:
    mask = text.line_mask(string, 20, MEDIUM)
    assert mask.mask.mode == "L"
    assert mask.advance >= 0


def test_ellipsis_keeps_the_beginning() -> None:
    short = text.ellipsis("Bartholomew the Magnificent", 36, MEDIUM, 220)
    assert short.endswith("…")
    assert "Bartholomew the Magnificent".startswith(short[:-1])


def test_wrap_breaks_between_han() -> None:
    block = text.wrap("铁镍钴是磁性元素，可以吸引。", 36, MEDIUM, 200, 5)
    assert not block.cut
    assert len(block.lines) > 1
    assert not any(line.startswith("，") for line in block.lines)


def test_what_was_drawn_is_recorded() -> None:
    with text.recording() as found:
        text.layout("a very long name indeed", 36, MEDIUM, 120, 50, fit=Fit.ELLIPSIS)
        text.layout("ok", 108, MEDIUM, 300, 120, scale=3)
    cut, fine = found
    assert cut.cut
    assert cut.allowed
    assert fine == text.Drawn("ok", "ok", 36, cut=False, allowed=False)


def test_a_box_that_is_too_low_is_a_cut() -> None:
    with text.recording() as found:
        text.layout("g", 36, MEDIUM, 120, 20, fit=Fit.ELLIPSIS)
    assert found[0].cut
    assert not found[0].allowed


def test_no_chinese_line_begins_with_what_closes_or_ends_with_what_opens() -> None:
    said = "三点生命；这条战线里，必须先击杀它（“嘲讽”）。翻开的九不会被冻结，也不受反伤。"
    for room in range(200, 500, 7):
        lines = text.wrap(said, 36, Weight.MEDIUM, room, 99).lines
        assert "".join(lines) == said
        assert all(line[0] not in "，。；）”" and line[-1] not in "（“" for line in lines)
