"""Colours: told apart by everybody, readable on their grounds, and stored exactly."""

from itertools import combinations

import pytest

from bot.render.colour import DEFICIENCIES, contrast, difference, mix, rgb, simulate
from bot.render.fixed_palette import FIXED
from bot.render.ink import indices, ramp
from bot.render.theme import CATEGORIES, GROUNDS, SEATS, Theme, seat_colour, seat_letter, theme, themes
from tools import palette as script

VISIONS = ("normal", *DEFICIENCIES)


def seen(look: Theme, name: str, vision: str) -> tuple[int, int, int]:
    return look[name] if vision == "normal" else simulate(look[name], vision)


@pytest.fixture(params=themes(), ids=lambda one: one.name)
def look(request: pytest.FixtureRequest) -> Theme:
    found: Theme = request.param
    return found


@pytest.mark.parametrize("vision", VISIONS)
def test_kinds_of_element_are_told_apart(look: Theme, vision: str) -> None:
    for one, other in combinations(CATEGORIES, 2):
        assert difference(seen(look, one, vision), seen(look, other, vision)) >= 18, (one, other)


@pytest.mark.parametrize("vision", VISIONS)
def test_seats_are_told_apart(look: Theme, vision: str) -> None:
    seats = [seat_colour(seat) for seat in range(5)]
    for one, other in combinations(seats, 2):
        assert difference(seen(look, one, vision), seen(look, other, vision)) >= 18, (one, other)


@pytest.mark.parametrize("vision", VISIONS)
def test_no_two_seats_look_alike(look: Theme, vision: str) -> None:
    # With more than five the letters do most of the work, yet no colour comes twice.
    for one, other in combinations([seat_colour(seat) for seat in range(SEATS)], 2):
        assert difference(seen(look, one, vision), seen(look, other, vision)) >= 14, (one, other)


def test_seats_have_letters_too() -> None:
    assert [seat_letter(seat) for seat in range(SEATS)] == list("ABCDEFGH")


@pytest.mark.parametrize(
    ("sign", "ground", "least"),
    [
        ("text", "felt", 7),
        ("text", "panel", 7),
        ("text", "panel_high", 4.5),
        ("text", "back", 4.5),
        ("muted", "panel", 4.5),
        ("muted", "panel_high", 4.5),
        ("accent", "felt", 4.5),
        ("accent", "panel_high", 4.5),
        ("accent_ink", "accent", 7),
        ("bad", "panel", 4.5),
        ("ink", "paper", 7),
        ("ink_soft", "paper", 4.5),
        ("natural", "paper", 3),
    ],
)
def test_words_are_readable_on_their_ground(look: Theme, sign: str, ground: str, least: float) -> None:
    assert contrast(look[sign], look[ground]) >= least


def test_words_on_a_kind_or_a_seat_are_readable(look: Theme) -> None:
    for name in CATEGORIES:
        assert contrast(look[look.on(name)], look[name]) >= 3.9, name
    for seat in range(SEATS):
        assert contrast(look["ink"], look[seat_colour(seat)]) >= 4.0


def test_the_two_radioactive_rings_differ_in_more_than_colour(look: Theme) -> None:
    # They also differ by form (solid and dashed); this is about eyes that see colours as usual.
    assert difference(look["natural"], look["made"]) > 30


def test_fixed_palette_is_the_one_of_the_script(look: Theme) -> None:
    made = bytes(channel for colour in script.colours(look) for channel in colour)
    assert made == FIXED[look.name]


def test_every_colour_of_the_theme_is_stored_exactly(look: Theme) -> None:
    known = indices(look)
    for name, colour in look.colours.items():
        assert known.colours[known.names[name]] == colour


def test_edges_are_smooth(look: Theme) -> None:
    """Between text and its ground there are steps, each near to what it should be."""
    known = indices(look)
    for sign, ground in (("text", "felt"), ("text", "panel"), ("ink", "paper"), ("accent", "felt")):
        table = ramp(look, known.names[ground], known.names[sign])
        assert len(set(table)) >= 7
        for level in range(0, 256, 15):
            wanted = mix(look[ground], look[sign], level / 255)
            assert difference(known.colours[table[level]], wanted) < 12


def test_unknown_palette_is_the_default() -> None:
    assert theme("sepia").name == "default"


def test_tables_differ_in_hue_and_hardly_in_light() -> None:
    assert len({theme(ground=ground).name for ground in GROUNDS}) == len(GROUNDS)
    for one, other in combinations((theme(ground=ground) for ground in GROUNDS), 2):
        for name in ("felt", "panel", "panel_high"):
            assert difference(one[name], other[name]) > 12, name
            assert contrast(one[name], other[name]) < 1.1, name
        assert one["text"] == other["text"]


def test_with_more_contrast_every_table_is_black() -> None:
    assert {theme("contrast", ground)["felt"] for ground in GROUNDS} == {(0, 0, 0)}


@pytest.mark.parametrize("text", ["", "17332E", "#17332", "#17332G"])
def test_not_a_colour(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a colour|invalid literal"):
        rgb(text)
