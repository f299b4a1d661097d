"""Pictures that move: a GIF that plays once, and begins and ends with the picture itself."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image, ImageChops

from bot.render import animate
from bot.render.animate import FIRST_MS, moving
from bot.render.canvas import paint
from bot.render.encode import encode
from bot.render.motion import (
    FIRST,
    LONGEST_MS,
    MOST_FRAMES,
    SECOND,
    At,
    Effect,
    burst,
    glow,
    one_by_one,
    over,
    ring,
    rise,
    turn,
)
from bot.render.scene import ItemGroup, Panel, Rect, Scene, Text, places

CARD = Rect(500, 200, 240, 330)
STILL = Scene(
    1280,
    720,
    (ItemGroup(CARD, (Panel(CARD, "paper", 16), Text(CARD, "42", colour="ink")), "card"),),
    "A card",
)
ALL = (
    At(*FIRST, turn(CARD)),
    At(*SECOND, glow(CARD)),
    At(*SECOND, rise("+12", CARD)),
    At(*SECOND, burst(CARD)),
)


def frames(scene: Scene) -> tuple[Image.Image, list[Image.Image], list[int]]:
    image = Image.open(io.BytesIO(encode(scene)))
    found, times = [], []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        found.append(image.convert("RGB"))
        times.append(int(image.info["duration"]))
    return image, found, times


def test_it_begins_and_ends_with_the_picture_itself() -> None:
    image, shown, times = frames(over(STILL, *ALL))
    truth = paint(STILL).convert("RGB")
    assert (shown[0].tobytes(), shown[-1].tobytes()) == (truth.tobytes(), truth.tobytes())
    assert any(frame.tobytes() != truth.tobytes() for frame in shown[1:-1])
    assert times[0] == FIRST_MS
    assert sum(times) <= LONGEST_MS
    assert "loop" not in image.info  # it plays once


@pytest.mark.parametrize("seconds", [0.1, 1.0, 60.0])
def test_it_has_ten_frames_at_most(seconds: float) -> None:
    _, shown, times = frames(over(STILL, At(0.0, seconds, glow(CARD))))
    assert len(shown) <= MOST_FRAMES + 2 == 10
    assert sum(times) <= LONGEST_MS <= 2000


def test_every_frame_is_the_picture_with_its_items_on_top() -> None:
    moved = over(STILL, *ALL)
    _, shown, _ = frames(moved)
    wanted = [
        paint(replace(STILL, items=(*STILL.items, *frame.items))).convert("RGB") for frame in moved.motion
    ]
    distinct = [image.tobytes() for image, _ in itertools.groupby([paint(STILL).convert("RGB"), *wanted])]
    assert [image.tobytes() for image in shown[:-1]] == distinct


def test_without_time_for_its_frames_it_is_the_picture_itself() -> None:
    """On a machine that is busy: a picture that stands still is worth more than none."""
    image = Image.open(io.BytesIO(moving(over(STILL, *ALL), seconds=0)))
    assert image.format == "GIF"
    assert image.convert("RGB").tobytes() == paint(STILL).convert("RGB").tobytes()
    assert getattr(image, "n_frames", 1) < 3


def test_what_there_is_time_for_is_shown_and_then_the_picture_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    times = itertools.count()
    monkeypatch.setattr(animate, "monotonic", lambda: next(times))
    image = Image.open(io.BytesIO(moving(over(STILL, *ALL), seconds=2.5)))
    assert getattr(image, "n_frames", 1) == 4  # itself, two moments, itself
    image.seek(3)
    assert image.convert("RGB").tobytes() == paint(STILL).convert("RGB").tobytes()


def test_what_would_leave_the_picture_is_left_out() -> None:
    corner = Rect(0, 0, 40, 40)
    moved = over(STILL, At(0.0, 1.0, burst(corner, reach=9)), At(0.0, 1.0, glow(corner)))
    whole = Rect(0, 0, STILL.width, STILL.height)
    assert all(whole.holds(item.rect) for frame in moved.motion for item in frame.items)


def test_a_picture_without_motion_is_a_png() -> None:
    assert encode(STILL).startswith(b"\x89PNG")
    assert encode(over(STILL, *ALL)).startswith(b"GIF89a")


@pytest.mark.parametrize("effect", [glow, ring, turn, burst, partial(rise, "+12")])
@given(width=st.integers(100, 300), height=st.integers(100, 300))
def test_every_moment_of_it_can_be_drawn(effect: Callable[[Rect], Effect], width: int, height: int) -> None:
    card = Rect(500, 200, width, height)
    moved = over(STILL, At(0.0, 1.0, effect(card)))
    assert moved.motion
    assert encode(moved).startswith(b"GIF89a")


@given(
    width=st.integers(1, 40),
    height=st.integers(1, 40),
    radius=st.integers(0, 24),
    thickness=st.integers(1, 24),
)
def test_a_small_box_stays_inside_its_place(width: int, height: int, radius: int, thickness: int) -> None:
    box = Panel(Rect(20, 20, width, height), "paper", radius, "accent", thickness)
    bare = Scene(640, 360, (), "Nothing")
    drawn = paint(replace(bare, items=(box,))).convert("RGB")
    changed = ImageChops.difference(drawn, paint(bare).convert("RGB")).getbbox()
    assert changed is not None
    assert Rect(20, 20, width, height).holds(
        Rect(changed[0], changed[1], changed[2] - changed[0], changed[3] - changed[1])
    )


def test_places_are_found_by_their_tags() -> None:
    assert places(STILL.items) == {"card": CARD}


def test_things_follow_each_other() -> None:
    times = list(one_by_one(4, 0.2, 1.0))
    assert times[0][0] == 0.2
    assert times[-1][0] + times[-1][1] == pytest.approx(1.2)
    assert [start for start, _ in times] == sorted(start for start, _ in times)
