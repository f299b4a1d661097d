"""The contact sheet: many pictures on one, each at full size and as a phone shows it."""

from __future__ import annotations

from collections.abc import Iterable

from PIL import Image, ImageDraw

from bot.render.canvas import paint
from bot.render.scene import Scene, Weight
from bot.render.text import line_mask
from bot.render.theme import GRID, PHONE_WIDTH, theme

_MARGIN = GRID * 4
_TITLE = 40


def contact_sheet(entries: Iterable[tuple[str, Scene]]) -> Image.Image:
    """One tall picture: for each entry its title, the picture, and beside it the picture 400 px wide.

    Raises ValueError when there is no entry.
    """
    rows: list[tuple[str, Image.Image, Image.Image]] = []
    for title, scene in entries:
        full = paint(scene).convert("RGB")
        height = round(full.height * PHONE_WIDTH / full.width)
        rows.append((title, full, full.resize((PHONE_WIDTH, height), Image.Resampling.LANCZOS)))
    if not rows:
        raise ValueError("nothing to show")
    look = theme()
    width = max(full.width for _, full, _ in rows) + PHONE_WIDTH + 3 * _MARGIN
    height = _MARGIN + sum(_TITLE * 2 + max(full.height, small.height) + _MARGIN for _, full, small in rows)
    sheet = Image.new("RGB", (width, height), look["shade"])
    pen = ImageDraw.Draw(sheet)
    y = _MARGIN
    for title, full, small in rows:
        mask = line_mask(title, _TITLE, Weight.BOLD)
        pen.bitmap((_MARGIN + mask.left, y + _TITLE + mask.top), mask.mask, fill=look["text"])
        y += _TITLE * 2
        sheet.paste(full, (_MARGIN, y))
        sheet.paste(small, (full.width + 2 * _MARGIN, y))
        y += max(full.height, small.height) + _MARGIN
    return sheet
