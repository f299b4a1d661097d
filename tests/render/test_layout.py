"""Rows and columns of boxes: inside their area, and never one over another."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render import layout
from bot.render.scene import Rect

areas = st.builds(Rect, st.integers(0, 50), st.integers(0, 50), st.integers(400, 1600), st.integers(200, 900))
counts = st.integers(1, 9)


def apart(boxes: tuple[Rect, ...], area: Rect) -> bool:
    return all(area.holds(box) for box in boxes) and not any(a.overlaps(b) for a, b in combinations(boxes, 2))


@given(areas, counts)
def test_rows_and_columns(area: Rect, count: int) -> None:
    assert apart(layout.row(area, count), area)
    assert apart(layout.column(area, count, 4), area)


@given(areas, st.lists(st.one_of(st.none(), st.integers(1, 30)), min_size=1, max_size=6))
def test_mixed_widths(area: Rect, widths: list[int | None]) -> None:
    assert apart(layout.across(area, widths, 4), area)
    assert apart(layout.down(area, widths, 4), area)
    assert all(
        width in (None, box.w) for width, box in zip(widths, layout.across(area, widths, 4), strict=True)
    )


@given(areas, st.integers(0, 8))
def test_spread(area: Rect, count: int) -> None:
    boxes = layout.spread(area, count, 50, 70)
    assert len(boxes) == count
    assert apart(boxes, area)


def test_nothing_for_nobody() -> None:
    area = Rect(0, 0, 100, 100)
    assert layout.row(area, 0) == layout.column(area, 0) == layout.spread(area, 0, 9, 9) == ()


def test_what_does_not_fit_is_refused() -> None:
    area = Rect(0, 0, 100, 100)
    with pytest.raises(ValueError, match="do not fit"):
        layout.spread(area, 3, 50, 50)


@given(areas, st.floats(0.3, 3))
def test_fitted_keeps_its_ratio(area: Rect, ratio: float) -> None:
    box = layout.fitted(area, ratio)
    assert area.holds(box)
    assert abs(box.w / box.h - ratio) < 0.05
