"""Scenes: values, the canvas, the file, and what the audit finds."""

import io

import pytest
from PIL import Image

from bot.render.animate import MAX_FRAMES, animate
from bot.render.canvas import Canvas, paint
from bot.render.check import audit, unclear
from bot.render.encode import encode
from bot.render.scene import (
    Align,
    Fit,
    Item,
    ItemGroup,
    Line,
    Look,
    Panel,
    Rect,
    Scene,
    Size,
    Sprite,
    SpriteState,
    Text,
    Weight,
)
from bot.render.sprites import Pen, draw, painter
from bot.render.theme import theme


@painter("test.card")
def card(pen: Pen, args: tuple[str]) -> None:
    pen.box((0, 0, pen.width, pen.height), "paper", 16)
    pen.text(args[0], (4, 4, pen.width - 8, 60), 40)


@painter("test.ring")
def ring(pen: Pen, args: tuple[str]) -> None:
    pen.ring((pen.width / 2, pen.height / 2), pen.width / 2 - 10, "accent", thickness=12)


@painter("test.small")
def small(pen: Pen, args: tuple[str]) -> None:
    pen.text(args[0], (0, 0, pen.width, 30), 12)


def scene(*items: Item, width: int = 640, height: int = 360, palette: str = "default") -> Scene:
    return Scene(width, height, items, "a test", Look(palette=palette))


EVERYTHING = (
    Panel(Rect(10, 10, 300, 200), "panel", 24, "accent", 4),
    Text(Rect(30, 30, 200, 40), "Ag → 47", Size.BODY, Weight.BOLD),
    Sprite(
        "test.card", ("K",), Rect(330, 60, 100, 140), frozenset({SpriteState.OUTLINED, SpriteState.RAISED})
    ),
    Sprite(
        "test.card", ("K",), Rect(450, 60, 140, 100), frozenset({SpriteState.SIDEWAYS, SpriteState.HATCHED})
    ),
    Line((20, 300), (600, 300), "edge", 6, dash=12),
    ItemGroup(Rect(20, 310, 300, 40), (Text(Rect(20, 310, 300, 40), "小明", align=Align.RIGHT),)),
)


def test_scenes_are_values() -> None:
    assert scene(*EVERYTHING) == scene(*EVERYTHING)
    assert hash(scene(*EVERYTHING)) == hash(scene(*EVERYTHING))
    assert scene(*EVERYTHING) != scene(*EVERYTHING, palette="contrast")


@pytest.mark.parametrize(("width", "height"), [(0, 10), (10, 0), (5000, 10)])
def test_silly_sizes_are_refused(width: int, height: int) -> None:
    with pytest.raises(ValueError, match="no picture is"):
        scene(width=width, height=height)


def test_long_alt_text_is_refused() -> None:
    with pytest.raises(ValueError, match="1024"):
        Scene(100, 100, (), "x" * 1025)


@pytest.mark.parametrize("palette", ["default", "contrast"])
def test_the_file_shows_what_was_painted(palette: str) -> None:
    picture = scene(*EVERYTHING, palette=palette)
    file = Image.open(io.BytesIO(encode(picture)))
    assert file.format == "PNG"
    assert file.size == (640, 360)
    assert file.convert("RGB").tobytes() == paint(picture).convert("RGB").tobytes()


def test_colours_are_where_they_belong() -> None:
    look = theme()
    picture = paint(scene(*EVERYTHING)).convert("RGB")
    assert picture.getpixel((0, 0)) == look["felt"]
    assert picture.getpixel((10, 10)) == look["felt"], "the corner is round"
    assert picture.getpixel((160, 11)) == look["accent"]
    assert picture.getpixel((160, 180)) == look["panel"]
    assert picture.getpixel((380, 30)) == look["accent"], "lifted by 24, outlined by 8"
    assert picture.getpixel((380, 170)) == look["paper"]


def test_what_lies_beneath_shows_where_a_sprite_has_gaps() -> None:
    half = Panel(Rect(150, 0, 150, 200), "accent")
    look = theme()
    card = paint(scene(half, Sprite("test.card", ("K",), Rect(100, 20, 100, 140)))).convert("RGB")
    assert [card.getpixel(place) for place in ((100, 20), (199, 20), (199, 159))] == [
        look["felt"],
        look["accent"],
        look["accent"],
    ], "the corners are round"
    assert card.getpixel((199, 90)) == look["paper"]
    ring = paint(scene(half, Sprite("test.ring", ("O",), Rect(100, 20, 100, 100)))).convert("RGB")
    assert [ring.getpixel(place) for place in ((130, 70), (170, 70))] == [look["felt"], look["accent"]]


def test_same_scene_same_bytes() -> None:
    assert encode(scene(*EVERYTHING)) == encode(scene(*EVERYTHING))


def test_unknown_painters_are_an_error() -> None:
    with pytest.raises(KeyError):
        Canvas(scene(Sprite("test.nobody", (), Rect(0, 0, 10, 10))))


def test_a_painter_key_belongs_to_one_function() -> None:
    with pytest.raises(ValueError, match="two painters"):
        painter("test.card")(small)


def test_every_state_leaves_its_mark() -> None:
    drawn = {
        state: paint(
            scene(Sprite("test.card", ("K",), Rect(100, 100, 100, 140), frozenset({state})))
        ).tobytes()
        for state in SpriteState
    }
    plain = paint(scene(Sprite("test.card", ("K",), Rect(100, 100, 100, 140)))).tobytes()
    assert len({plain, *drawn.values()}) == len(SpriteState) + 1


def test_pen_draws_three_times_as_large() -> None:
    image, radius = draw("test.card", ("K",), 50, 70, theme())
    assert image.size == (50, 70)
    assert radius == 16


def test_a_good_scene_has_no_faults() -> None:
    assert audit(scene(*EVERYTHING)) == []


@pytest.mark.parametrize(
    ("items", "fault"),
    [
        ((Text(Rect(0, 0, 40, 40), "far too long"),), "is cut to"),
        ((Text(Rect(0, 0, 300, 10), "low"),), "is cut to"),
        ((Text(Rect(600, 0, 80, 40), "out"),), "leaves"),
        ((Text(Rect(0, 0, 80, 40), "a"), Text(Rect(60, 0, 80, 40), "b")), "overlap"),
        ((Panel(Rect(0, 0, 80, 40), "panel"), Text(Rect(60, 0, 80, 40), "b")), "overlap"),
        ((Sprite("test.card", ("K",), Rect(5, 0, 90, 90), frozenset({SpriteState.OUTLINED})),), "leaves"),
        ((Sprite("test.small", ("tiny",), Rect(0, 0, 90, 90)),), "px high on a phone"),
        ((ItemGroup(Rect(0, 0, 50, 50), (Panel(Rect(40, 0, 20, 20), "panel"),)),), "leaves"),
    ],
)
def test_faults_are_found(items: tuple[Item, ...], fault: str) -> None:
    faults = audit(scene(*items))
    assert len(faults) == 1
    assert fault in faults[0]


def test_names_may_be_shortened() -> None:
    assert audit(scene(Text(Rect(0, 0, 90, 40), "Bartholomew", fit=Fit.ELLIPSIS))) == []


def test_missing_alt_text_is_a_fault() -> None:
    assert audit(Scene(640, 360, (), " ")) == ["there is no alt text"]


def test_type_follows_the_width() -> None:
    for width in (400, 640, 800, 1000, 1280, 1600, 2000):
        assert Scene(width, 10, (), "x").points(Size.SMALL) * 400 / width >= 11


def test_animation_plays() -> None:
    frames = [(scene(Panel(Rect(step * 40, 40, 60, 60), "accent", 8)), 80) for step in range(4)]
    file = Image.open(io.BytesIO(animate(frames)))
    assert file.format == "GIF"
    assert getattr(file, "n_frames", 1) == 4
    file.seek(3)
    assert file.convert("RGB").getpixel((140, 60)) == theme()["accent"]


@pytest.mark.parametrize("count", [0, MAX_FRAMES + 1])
def test_animations_are_short(count: int) -> None:
    with pytest.raises(ValueError, match="frames"):
        animate([(scene(), 80)] * count)


def test_frames_have_one_size() -> None:
    with pytest.raises(ValueError, match="one size"):
        animate([(scene(), 80), (scene(width=300), 80)])


def test_words_are_measured_inside_a_container_as_well() -> None:
    sizes = (Size.SMALL, Size.BODY, Size.CLEAR)
    rows = tuple(Text(Rect(0, 80 * row, 1280, 80), size.name, size) for row, size in enumerate(sizes))
    card_ = Sprite("test.card", ("40",), Rect(0, 240, 200, 200))
    assert unclear(Scene(1280, 480, (*rows, card_), "alt")) == {"SMALL", "BODY", "40"}
