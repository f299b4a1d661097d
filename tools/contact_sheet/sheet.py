"""The contact sheet: many pictures on one, each at full size and as a phone shows it."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from PIL import Image, ImageDraw

from bot.render.canvas import paint
from bot.render.scene import Scene, Weight
from bot.render.text import line_mask
from bot.render.theme import CONTAINER_WIDTH, GRID, theme

_MARGIN = GRID * 4
_TITLE = 40


def contact_sheet(entries: Iterable[tuple[str, Scene]]) -> Image.Image:
    """Return one large picture, about as wide as high, with all entries in columns.

    Each entry has its title, the picture, and next to it the picture as wide as inside a container on a
    phone. Raise ValueError if there are no entries.
    """
    rows: list[tuple[str, Image.Image, Image.Image]] = []
    for title, scene in entries:
        full = paint(scene).convert("RGB")
        height = round(full.height * CONTAINER_WIDTH / full.width)
        rows.append((title, full, full.resize((CONTAINER_WIDTH, height), Image.Resampling.LANCZOS)))
    if not rows:
        raise ValueError("nothing to show")
    look = theme()
    step = max(full.width for _, full, _ in rows) + CONTAINER_WIDTH + 3 * _MARGIN
    heights = [_TITLE * 2 + max(full.height, small.height) + _MARGIN for _, full, small in rows]
    columns = max(1, round(sqrt(sum(heights) / step)))
    places, bottom = columns_of(heights, columns)
    used = max(column for column, _ in places) + 1
    sheet = Image.new("RGB", (used * step, bottom + _MARGIN), look["shade"])
    pen = ImageDraw.Draw(sheet)
    for (title, full, small), (column, y) in zip(rows, places, strict=True):
        x = column * step + _MARGIN
        mask = line_mask(title, _TITLE, Weight.BOLD)
        pen.bitmap((x + mask.left, y + _TITLE + mask.top), mask.mask, fill=look["text"])
        sheet.paste(full, (x, y + _TITLE * 2))
        sheet.paste(small, (x + full.width + _MARGIN, y + _TITLE * 2))
    return sheet


def columns_of(heights: list[int], columns: int) -> tuple[list[tuple[int, int]], int]:
    """Return column and top of each entry, filling the columns one by one, and the lowest bottom."""
    most = max(sum(heights) / columns, *heights)
    places: list[tuple[int, int]] = []
    column, y, bottom = 0, _MARGIN, 0
    for height in heights:
        if y > _MARGIN and y + height / 2 > most + _MARGIN:
            column, y = column + 1, _MARGIN
        places.append((column, y))
        y += height
        bottom = max(bottom, y)
    return places, bottom
