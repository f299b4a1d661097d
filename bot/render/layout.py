"""Where things go: rows and columns of boxes that never overlap."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.scene import Rect
from bot.render.theme import GRID


def row(area: Rect, count: int, gap: int = GRID * 2) -> tuple[Rect, ...]:
    """`count` equal boxes side by side that fill the area; left-over pixels stay at the right."""
    if count <= 0:
        return ()
    width = (area.w - gap * (count - 1)) // count
    return tuple(Rect(area.x + number * (width + gap), area.y, width, area.h) for number in range(count))


def column(area: Rect, count: int, gap: int = GRID * 2) -> tuple[Rect, ...]:
    """`count` equal boxes one below the other that fill the area."""
    if count <= 0:
        return ()
    height = (area.h - gap * (count - 1)) // count
    return tuple(Rect(area.x, area.y + number * (height + gap), area.w, height) for number in range(count))


def across(area: Rect, widths: Sequence[int | None], gap: int = GRID * 2) -> tuple[Rect, ...]:
    """Boxes side by side with the widths given; those that are None share what is left equally."""
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
    """Boxes one below the other with the heights given; those that are None share what is left equally."""
    turned = across(Rect(area.y, area.x, area.h, area.w), heights, gap)
    return tuple(Rect(box.y, box.x, box.h, box.w) for box in turned)


def spread(area: Rect, count: int, width: int, height: int, gap: int = GRID * 2) -> tuple[Rect, ...]:
    """`count` boxes of one size in a row, centred in the area; the gap shrinks before anything overlaps.

    Raises ValueError when they do not fit even without a gap.
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


def apart(centres: Sequence[int], tall: int, area: Rect) -> tuple[Rect, ...]:
    """Boxes so high and as wide as the area, in the middle of these heights where there is room, else so far
    moved that none lies on another.

    Together they must not be higher than the area.
    """
    order = sorted(range(len(centres)), key=lambda box: centres[box])
    tops, free = dict[int, int](), area.y
    for number, box in enumerate(order):
        last = area.bottom - tall * (len(order) - number)
        tops[box] = min(max(free, centres[box] - tall // 2), last)
        free = tops[box] + tall
    return tuple(Rect(area.x, tops[box], area.w, tall) for box in range(len(centres)))


def centred(area: Rect, width: int, height: int) -> Rect:
    """A box of that size in the middle of the area."""
    return Rect(area.x + (area.w - width) // 2, area.y + (area.h - height) // 2, width, height)


def fitted(area: Rect, ratio: float) -> Rect:
    """The largest box with width : height = `ratio` in the middle of the area."""
    width = min(area.w, int(area.h * ratio))
    return centred(area, width, min(area.h, round(width / ratio)))
