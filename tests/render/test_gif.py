"""GIF files of rectangles are shown as whole pictures."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.render.gif import GifFrame, gif

SIZE = WIDTH, HEIGHT = 24, 16
PALETTE = bytes(value for grey in range(256) for value in (grey, 255 - grey, grey // 2))

boxes = st.tuples(
    st.integers(0, WIDTH - 1), st.integers(0, HEIGHT - 1), st.integers(1, 12), st.integers(1, 12)
)
pictures = st.lists(st.lists(st.tuples(boxes, st.integers(0, 255)), max_size=3), min_size=1, max_size=5).map(
    lambda several: [picture(drawn) for drawn in several]
)


def picture(drawn: Any = ()) -> Image.Image:
    """Return a plain picture with boxes: left, top, width, height, and a palette index."""
    image = Image.new("L", SIZE, 7)
    for (left, top, width, height), index in drawn:
        image.paste(index, (left, top, left + width, top + height))
    return image


def every_colour() -> Image.Image:
    image = picture()
    image.putdata([index % 256 for index in range(WIDTH * HEIGHT)])
    return image


def coloured(image: Image.Image) -> bytes:
    shown = Image.frombytes("P", image.size, image.tobytes())
    shown.putpalette(PALETTE)
    return shown.convert("RGB").tobytes()


def played(file: bytes) -> list[tuple[bytes, int]]:
    """Return the frames of a file as a viewer shows them, with their times."""
    image, shown = Image.open(io.BytesIO(file)), []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        shown.append((image.convert("RGB").tobytes(), int(image.info["duration"])))
    return shown


@given(pictures)
def test_every_frame_is_shown_whole_for_its_time(images: list[Image.Image]) -> None:
    expected: list[tuple[bytes, int]] = []
    for image in images:
        shown = coloured(image)
        if expected and expected[-1][0] == shown:
            expected[-1] = shown, expected[-1][1] + 90
        else:
            expected.append((shown, 90))
    assert played(gif([GifFrame(image, 90) for image in images], PALETTE)) == expected


def test_a_picture_that_uses_every_colour_can_still_change() -> None:
    images = [every_colour(), picture(), every_colour()]
    file = gif([GifFrame(image, 90) for image in images], PALETTE)
    assert [shown for shown, _ in played(file)] == [coloured(image) for image in images]


def test_only_the_rectangle_that_changes_is_stored() -> None:
    images = [picture(), picture([((4, 5, 3, 2), 9)])]
    image = Image.open(io.BytesIO(gif([GifFrame(each, 90) for each in images], PALETTE)))
    image.seek(1)
    assert image.dispose_extent == (4, 5, 7, 7)  # type: ignore[attr-defined]


@pytest.mark.parametrize("loop", [True, False])
def test_it_plays_once_or_for_ever(loop: bool) -> None:
    image = Image.open(io.BytesIO(gif([GifFrame(picture(), 90)], PALETTE, loop=loop)))
    assert image.info.get("loop") == (0 if loop else None)


def test_a_frame_may_be_a_rectangle_of_the_picture() -> None:
    images = [picture(), picture([((4, 5, 3, 2), 9)]), picture()]
    box = (3, 4, 9, 9)
    rectangles = [GifFrame(image.crop(box), 90, *box[:2]) for image in images[1:]]
    file = gif([GifFrame(images[0], 90), *rectangles], PALETTE)
    assert file == gif([GifFrame(image, 90) for image in images], PALETTE)
    assert [shown for shown, _ in played(file)] == [coloured(image) for image in images]


def test_an_empty_rectangle_extends_the_frame_before() -> None:
    empty = GifFrame(Image.new("L", (0, 0)), 90)
    assert played(gif([GifFrame(picture(), 20), empty], PALETTE)) == [(coloured(picture()), 110)]
