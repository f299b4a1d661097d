"""Boxes are painted from kept rows and fills as if each were painted part by part."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.render.canvas import Canvas
from bot.render.ink import indices
from bot.render.panels import PanelBox, Shape
from bot.render.scene import Look, Panel, Rect, Scene
from bot.render.theme import theme

WIDTH, HEIGHT = 200, 120
SIDES = st.integers(1, 90)


@given(
    st.tuples(st.integers(-20, WIDTH), st.integers(-20, HEIGHT)),
    st.tuples(SIDES, SIDES),
    st.integers(0, 30),
    st.sampled_from([("panel", None), (None, "accent"), ("panel", "accent")]),
    st.integers(1, 12),
)
def test_a_box_is_painted_as_if_part_by_part(
    place: tuple[int, int],
    size: tuple[int, int],
    radius: int,
    colours: tuple[str | None, str | None],
    thickness: int,
) -> None:
    (x, y), (w, h), (fill, outline) = place, size, colours
    beneath = Panel(Rect(30, 20, 60, 50), "ink")
    box = Panel(Rect(x, y, w, h), fill, radius, outline, thickness)
    painted = Canvas(Scene(WIDTH, HEIGHT, (beneath, box), "", Look())).image

    expected = Canvas(Scene(WIDTH, HEIGHT, (beneath,), "", Look()))
    look = theme()
    names = indices(look).names
    ground = expected.image.getpixel((x + 1, y)) if 0 <= x < WIDTH and 0 <= y < HEIGHT else names["felt"]
    shape = Shape(
        w,
        min(radius, w // 2, h // 2),
        ground,  # type: ignore[arg-type]
        None if fill is None else names[fill],
        None if outline is None else names[outline],
        0 if outline is None else min(thickness, (min(w, h) + 1) // 2),
    )
    whole = PanelBox(look, shape, h).rows(0, h)
    expected.image.paste(whole.pixels, (x + 1, y), whole.mask)
    assert painted.tobytes() == expected.image.tobytes()
