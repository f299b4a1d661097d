"""Layout: rows and columns of boxes that never overlap."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.scene import Rect
from bot.render.theme import GRID


def row(area: Rect, count: int, gap: int = GRID * 2) -> tuple[Rect, ...]:
    """Return `count` equal boxes in a row that fill the area. Left-over pixels stay at the right."""
    if count <= 0:
        return ()
    width = (area.w - gap * (count - 1)) // count
    return tuple(Rect(area.x + number * (width + gap), area.y, width, area.h) for number in range(count))


def column(area: Rect, count: int, gap: int = GRID * 2) -> tuple[Rect, ...]:
    """Return `count` equal boxes in a column that fill the area."""
    if count <= 0:
        return ()
    height = (area.h - gap * (count - 1)) // count
    return tuple(Rect(area.x, area.y + number * (height + gap), area.w, height) for number in range(count))


def across(area: Rect, widths: Sequence[int | None], gap: int = GRID * 2) -> tuple[Rect, ...]:
    """Return boxes in a row with the given widths. Those with None share the remaining width equally."""
    free = area.w - gap * (len(widths) - 1) - sum(width or 0 for width in widths)
    share = free // max(1, sum(width is None for width in widths))
    boxes: list[Rect] = []
    x = area.x
    for width in widths:
        used = share if width is None else width
        boxes.append(Rect(x, area.y, used, area.h))
        x += used + gap
    return tuple(boxes)


def down(area: Rect, heights: Sequence[int | None], gap: int = GRID * 2) -> tuple[Rect, ...]:
    """Return boxes in a column with the given heights. Those with None share the remaining height equally."""
    turned = across(Rect(area.y, area.x, area.h, area.w), heights, gap)
    return tuple(Rect(box.y, box.x, box.h, box.w) for box in turned)


def spread(area: Rect, count: int, width: int, height: int, gap: int = GRID * 2) -> tuple[Rect, ...]:
    """Return `count` boxes of one size in a row, centred in the area. The gap shrinks before boxes overlap.

    Raises ValueError if they do not fit even without a gap.
    """
    if count <= 0:
        return ()
    if count * width > area.w or height > area.h:
        raise ValueError(f"{count} boxes of {width}x{height} do not fit into {area.w}x{area.h}")
    if count > 1:
        gap = min(gap, (area.w - count * width) // (count - 1))
    left = area.x + (area.w - count * width - gap * (count - 1)) // 2
    top = area.y + (area.h - height) // 2
    return tuple(Rect(left + number * (width + gap), top, width, height) for number in range(count))


def avoid_overlap(centres: Sequence[int], tall: int, area: Rect) -> tuple[Rect, ...]:
    """Return boxes of this height, as wide as the area, as close to these centres as possible without
    overlapping.

    Together they must not be taller than the area.
    """
    order = sorted(range(len(centres)), key=lambda box: centres[box])
    tops, free = dict[int, int](), area.y
    for number, box in enumerate(order):
        last = area.bottom - tall * (len(order) - number)
        tops[box] = min(max(free, centres[box] - tall // 2), last)
        free = tops[box] + tall
    return tuple(Rect(area.x, tops[box], area.w, tall) for box in range(len(centres)))


def centred(area: Rect, width: int, height: int) -> Rect:
    """Return a box of that size in the middle of the area."""
    return Rect(area.x + (area.w - width) // 2, area.y + (area.h - height) // 2, width, height)


def fitted(area: Rect, ratio: float) -> Rect:
    """Return the largest box with width : height = `ratio` in the middle of the area."""
    width = min(area.w, int(area.h * ratio))
    return centred(area, width, min(area.h, round(width / ratio)))
