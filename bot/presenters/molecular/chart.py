"""The molecule as items of a scene: where cells lie, what is drawn in them, what is left out.

Cells stand in rows like bricks, so that no two boxes overlap: a cell is `width` wide and a row
0.866 of that high. A tile's hexagon is as high as its row; sticks cross the gaps to the neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.presenters.molecular.sight import Table
from bot.render.parts import text_width
from bot.render.scene import Align, Fit, Item, Panel, Rect, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_SMALL
from engine.molecular.board import MIDDLE, place_of
from engine.molecular.cards import EDGES

WIDTHS: Final = (152, 136, 120, 108, 96, 88, 80, 74, 68, 64, 58, 54)
"""How wide a cell may be, in pixels, even; the first with which the molecule fits is taken."""
LEAST_ROWS: Final = 4
CHIP: Final = 40
LEAST_TIP: Final = 2
"""A bond that reaches less far into an empty cell is not drawn there."""


def row_height(width: int) -> int:
    """How high a row is."""
    return round(width * 0.866)


@dataclass(frozen=True, slots=True)
class Chart:
    """A molecule laid out: its items, the height they need, and the letters that found no room."""

    items: tuple[Item, ...]
    height: int
    outside: tuple[str, ...]


def _spot(cell: int) -> tuple[int, int]:
    """Column in halves and row of a cell."""
    q, r = place_of(cell)
    return 2 * q + r, r


@dataclass(frozen=True, slots=True)
class _Window:
    """The part of the board that is shown: first and last half column and row."""

    left: int
    top: int
    right: int
    bottom: int

    def holds(self, cell: int) -> bool:
        x, y = _spot(cell)
        return self.left <= x <= self.right and self.top <= y <= self.bottom


def _around(cells: Iterable[int]) -> _Window:
    spots = [_spot(cell) for cell in cells]
    return _Window(
        min(x for x, _ in spots),
        min(y for _, y in spots),
        max(x for x, _ in spots),
        max(y for _, y in spots),
    )


def _cropped(window: _Window, halves: int, rows: int, prized: Mapping[int, int]) -> _Window:
    """The part of so many half columns and rows that shows the cells worth most."""
    spots = [(*_spot(cell), worth) for cell, worth in prized.items()]
    best: tuple[int, int, int] | None = None
    shown = window
    right, bottom = max(window.left, window.right - halves + 1), max(window.top, window.bottom - rows + 1)
    for left in range(window.left, right + 1):
        for top in range(window.top, bottom + 1):
            part = _Window(left, top, left + halves - 1, top + rows - 1)
            found = sum(worth for x, y, worth in spots if left <= x <= part.right and top <= y <= part.bottom)
            if best is None or (found, -left, -top) > best:
                best, shown = (found, -left, -top), part
    return shown


def fits_large(table: Table, room: int, high: int) -> bool:
    """Whether the whole molecule fits with tiles that are easy to read."""
    window = _around([*table.board.tiles, *table.letters])
    halves, rows = window.right - window.left + 2, window.bottom - window.top + 1
    width = WIDTHS[len(WIDTHS) // 2]
    return halves * width // 2 <= room and rows * row_height(width) <= high


def towards(table: Table, signs: tuple[int, int]) -> int:
    """The tile that lies farthest in a direction, given as signs of column and row."""
    spots = {cell: _spot(cell) for cell in table.board.tiles}
    return max(spots, key=lambda cell: (spots[cell][0] * signs[0] + 2 * spots[cell][1] * signs[1], cell))


def chart(
    table: Table,
    area: Rect,
    most: int,
    *,
    letters: Mapping[int, str],
    last: int = -1,
    on_tiles: bool = False,
    ground: str = "shade",
    close_to: int | None = None,
) -> Chart:
    """The molecule in the width of an area and at most so high; `letters` name cells, or end tiles.

    With `close_to` as large as tiles come, the cells around that one.
    """
    board = table.board
    rim = {} if on_tiles else letters
    window = _around([*board.tiles, *rim])
    halves, rows = window.right - window.left + 2, window.bottom - window.top + 1
    pad = 12
    room, high = area.w - 2 * pad, most - 2 * pad
    width = next((w for w in WIDTHS if halves * w // 2 <= room and rows * row_height(w) <= high), WIDTHS[-1])
    if close_to is not None:
        width = WIDTHS[0]
    fit_halves, fit_rows = 2 * room // width - 1, high // row_height(width)
    if halves - 1 > fit_halves or rows > fit_rows:
        # what can still grow comes first, then as much of the molecule as there is room for
        prized = {**dict.fromkeys(board.tiles, 1), **dict.fromkeys(letters, 4)}
        prized[last if last >= 0 else MIDDLE] = 1000
        if close_to is not None:
            prized = {**dict.fromkeys(board.tiles, 1), close_to: 1000}
        window = _cropped(window, fit_halves, fit_rows, prized)
        halves = min(halves, window.right - window.left + 2)
        rows = window.bottom - window.top + 1
    row = row_height(width)
    height = max(rows, LEAST_ROWS) * row + 2 * pad
    left = area.x + (area.w - halves * width // 2) // 2
    top = area.y + (height - rows * row) // 2
    items: list[Item] = [Panel(Rect(area.x, area.y, area.w, height), ground, 24)]

    def box(cell: int) -> Rect:
        x, y = _spot(cell)
        return Rect(left + (x - window.left) * width // 2, top + (y - window.top) * row, width, row)

    for cell, shape in board.tiles.items():
        if not window.holds(cell):
            continue
        label = letters.get(cell, "") if on_tiles else ""
        rim_colour = "accent" if cell == last or label else "paper"
        items.append(Sprite("molecular.tile", (shape, label, rim_colour), box(cell)))
    for cell, pattern in board.rim.items():
        if window.holds(cell):
            items += _empty(box(cell), pattern, rim.get(cell, ""), width)
    outside = tuple(name for cell, name in letters.items() if not window.holds(cell))
    return Chart(tuple(items), height, outside)


def _empty(box: Rect, pattern: int, label: str, width: int) -> list[Item]:
    """An empty cell: the tips of the bonds that lead into it, and its letter where a tile may go."""
    items: list[Item] = []
    colour = "accent" if label else "muted"
    wide = max(CHIP, text_width(label, Size.SMALL, Weight.BOLD) + 6) if label else CHIP
    wide = min(wide, width - 2)
    chip = Rect(box.x + (box.w - wide) // 2, box.y + (box.h - CHIP) // 2, wide, CHIP)
    deep = min(width * 13 // 100, chip.y - box.y), min(width * 13 // 100, chip.x - box.x)
    for edge in range(EDGES):
        order = pattern >> 3 * edge & 3
        if order and min(deep) >= LEAST_TIP:
            place = _tip(box, edge, width * 20 // 100, deep)
            items.append(Sprite("molecular.end", (edge, order, colour, width), place))
    if label:
        items.append(Panel(chip, "accent", RADIUS_SMALL))
        items.append(Text(chip, label, Size.SMALL, Weight.BOLD, "accent_ink", Align.CENTRE, fit=Fit.ELLIPSIS))
    return items


def _tip(box: Rect, edge: int, half: int, deep: tuple[int, int]) -> Rect:
    """Where the tip of a bond lies inside an empty cell; `deep` from above or below, and from the side."""
    down, across = deep
    if edge in (1, 4):
        x = box.right - across if edge == 1 else box.x
        return Rect(x, box.y + box.h // 2 - half, across, 2 * half)
    middle = box.x + (box.w * 3 // 4 if edge in (0, 2) else box.w // 4)
    y = box.y if edge in (0, 5) else box.bottom - down
    return Rect(middle - half, y, 2 * half, down)
