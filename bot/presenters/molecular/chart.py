"""The molecule as items of a scene: where cells lie, what is drawn in them, what is left out.

Cells stand in rows like bricks, so that no two boxes overlap: a cell is `width` wide and a row
0.866 of that high. A tile's hexagon is as high as its row; sticks cross the gaps to the neighbours.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final, NamedTuple

from bot.presenters.molecular.queries import Lettering, MoleculeTable
from bot.render.parts import CORNER, CORNER_SHARE, MARGIN, text_width
from bot.render.scene import Align, Fit, Item, ItemGroup, Panel, Rect, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_PANEL, RADIUS_SMALL
from engine.molecular.board import BONDED, MIDDLE, OFFSETS, Board, place_of
from engine.molecular.cards import EDGES

WIDTHS: Final = (152, 136, 120, 108, 96, 88, 80, 74, 68, 64, 58, 54)
"""How wide a cell may be, in pixels, even; the first with which the molecule fits is taken."""
LEAST_ROWS: Final = 4
"""A chart is at least so many rows high, so that the first tiles do not lie in a slit."""
PAD: Final = 12
"""From the ground's rim to the cells, in pixels."""
CHIP: Final = {Size.CLEAR: 48, Size.SMALL: 34}
"""Least side of the square with a cell's letter, in pixels: as low as its type allows, for longer tips."""
SHARE: Final = 56
"""How wide that square is where there is room, in hundredths of the cell."""
CLEAR: Final = 64
"""From this width of a cell on, in pixels, letters are clear on the smallest screens."""
ROOMY: Final = 88
"""From this width on there is room round them as well, for the tips of bonds."""
DOT: Final = 30
"""How wide the quiet mark of a cell is, in hundredths of the cell."""
LEAST_TIP: Final = 6
"""A bond that reaches less far into an empty cell, in pixels, is not drawn there: it would be a speck."""
_LEVEL: Final = (1, 4)
"""The edges to the right and to the left."""


def row_height(width: int) -> int:
    """How high a row is."""
    return round(width * 0.866)


@dataclass(frozen=True, slots=True)
class Chart:
    """A molecule laid out: its items, the height they need in pixels, and the part of the board shown."""

    items: tuple[Item, ...]
    height: int
    window: Window


def _spot(cell: int) -> tuple[int, int]:
    """Column in halves and row of a cell."""
    q, r = place_of(cell)
    return 2 * q + r, r


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the board: first and last half column, first and last row."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def halves(self) -> int:
        """How many half columns it has."""
        return self.right - self.left + 1

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return self.bottom - self.top + 1

    def holds(self, cell: int) -> bool:
        """Whether the whole cell lies inside."""
        x, y = _spot(cell)
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def fits(self, halves: int, rows: int) -> bool:
        """Return whether it has at most this many half columns and rows."""
        return self.halves <= halves and self.rows <= rows

    def wider(self) -> Window:
        """With one more cell on each side."""
        return Window(self.left - 2, self.top - 1, self.right + 2, self.bottom + 1)

    def within(self, other: Window) -> Window:
        """The part that another window shows as well."""
        return Window(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def joined(self, other: Window) -> Window:
        """The smallest window that holds both."""
        return Window(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


def around(cells: Iterable[int]) -> Window:
    """The smallest window that holds all these cells."""
    spots = [_spot(cell) for cell in cells]
    return Window(
        min(x for x, _ in spots),
        min(y for _, y in spots),
        max(x for x, _ in spots),
        max(y for _, y in spots),
    )


def _cropped(window: Window, halves: int, rows: int, prized: Mapping[int, int]) -> Window:
    """The part of so many half columns and rows that shows the cells worth most."""
    spots = [(*_spot(cell), worth) for cell, worth in prized.items()]
    best: tuple[int, int, int] | None = None
    shown = window
    right, bottom = max(window.left, window.right - halves + 1), max(window.top, window.bottom - rows + 1)
    for left in range(window.left, right + 1):
        for top in range(window.top, bottom + 1):
            part = Window(left, top, left + halves - 1, top + rows - 1)
            found = sum(worth for x, y, worth in spots if left <= x <= part.right and top <= y <= part.bottom)
            if best is None or (found, -left, -top) > best:
                best, shown = (found, -left, -top), part
    return shown


def joined(windows: Iterable[Window], halves: int, rows: int, *, near: bool = True) -> list[Window]:
    """The windows, some of them as one, which has at most so many half columns and rows; `near`: only where
    that shows little more than both apart."""
    found: list[Window] = []
    for window in windows:
        found = _with(found, window, halves, rows, near=near)
    return found


def _with(windows: list[Window], new: Window, halves: int, rows: int, *, near: bool) -> list[Window]:
    joining = True
    while joining:
        joining = False
        for window in windows:
            both = window.joined(new)
            fits = both.halves <= halves and both.rows <= rows
            apart = window.halves * window.rows + new.halves * new.rows
            if fits and (not near or both.halves * both.rows <= apart):
                windows = [one for one in windows if one is not window]
                new, joining = both, True
                break
    return [*windows, new]


def shown_cells(table: MoleculeTable) -> list[int]:
    """The cells that a picture should show: all tiles, and the empty ones into which open bonds lead."""
    board = table.board
    return [*board.tiles, *(cell for cell, pattern in board.rim.items() if pattern & BONDED)]


def fits_large(table: MoleculeTable, room: int, most: int, width: int = WIDTHS[len(WIDTHS) // 2]) -> bool:
    """Whether the whole molecule fits into `room` by `most` pixels with cells at least so wide: by default
    as wide as is easy to read."""
    return around(shown_cells(table)).fits(*room_for(width, room, most))


def room_for(width: int, room: int, most: int) -> tuple[int, int]:
    """How many half columns and rows of cells so wide a chart of `room` by `most` pixels shows."""
    return 2 * (room - 2 * PAD) // width - 1, (most - 2 * PAD) // row_height(width)


def chart(
    table: MoleculeTable,
    area: Rect,
    most: int,
    lettering: Lettering,
    *,
    last: int = -1,
    part: Window | None = None,
    dots: Container[int] = (),
    lowest: bool = False,
) -> Chart:
    """The molecule in the width of an area and at most so high, in pixels.

    Without a `part` all of it, or what matters most where the whole does not fit. Of the cells
    without a letter, those in `dots` are marked quietly. One that lies lowest in its picture keeps out
    of the corner, and may become higher by that.
    """
    board, letters, on_tiles = table.board, lettering.names, lettering.on_tiles
    window = part or around(shown_cells(table))
    halves, rows = window.halves, window.rows

    def fits(width: int) -> bool:
        most_halves, most_rows = room_for(width, area.w, most)
        return halves <= most_halves and rows <= most_rows

    width = next(filter(fits, WIDTHS), WIDTHS[-1])
    if not fits(width):
        # what can still grow comes first, then as much of the molecule as there is room for
        prized = {**dict.fromkeys(board.tiles, 1), **dict.fromkeys(letters, 4)}
        prized[last if last >= 0 else MIDDLE] = 1000
        window = _cropped(window, *room_for(width, area.w, most), prized)
        halves, rows = min(halves, window.halves), window.rows
    grid, height = _placed(window, halves, width, area, most)
    if lowest:
        # a little smaller rather than higher
        shown = [cell for cell in shown_cells(table) if window.holds(cell)]
        narrower = WIDTHS[min(WIDTHS.index(width) + 1, len(WIDTHS) - 1)]
        widths = (width, narrower) if width not in (CLEAR, ROOMY) else (width,)
        tried = [_off_corner(shown, *_placed(window, halves, one, area, most), area) for one in widths]
        grid, height, _ = min(tried, key=lambda one: one.added)
        width = grid.width
    items: list[Item] = [Panel(Rect(area.x, area.y, area.w, height), "shade", RADIUS_PANEL)]
    items += tiles(board, grid, last, letters if on_tiles else {})
    for cell, pattern in board.rim.items():
        if window.holds(cell):
            label = "" if on_tiles else letters.get(cell, "")
            box = grid.box(cell)
            chip = _chip(box, label, width) if label else None
            inside = from_inside(pattern, cell, window)
            ends = tips(box, inside, width, "accent" if cell in lettering.live else "muted", chip)
            if chip:
                size = _type(label, width)
                named = Text(chip, label, size, Weight.BOLD, "accent_ink", Align.CENTRE, fit=Fit.ELLIPSIS)
                items.append(
                    ItemGroup(box, (*ends, Panel(chip, "accent", RADIUS_SMALL), named), f"cell {cell}")
                )
                continue
            items += ends
            if cell in dots:
                items.append(_dot(box, width))
    return Chart(tuple(items), height, window)


def outside(
    table: MoleculeTable, lettering: Lettering, shown: Sequence[Chart]
) -> tuple[int, tuple[str, ...]]:
    """What none of the charts has room for: so many tiles, and these letters."""

    def hidden(cell: int) -> bool:
        return not any(one.window.holds(cell) for one in shown)

    tiles = sum(map(hidden, table.board.tiles))
    return tiles, tuple(name for cell, name in lettering.names.items() if hidden(cell))


class HexGrid(NamedTuple):
    """A window of the board in a picture: where its first cell begins, and how wide a cell is, in pixels."""

    window: Window
    left: int
    top: int
    width: int

    def box(self, cell: int) -> Rect:
        """Where a cell lies."""
        x, y = _spot(cell)
        row = row_height(self.width)
        across, down = x - self.window.left, y - self.window.top
        return Rect(self.left + across * self.width // 2, self.top + down * row, self.width, row)


def _placed(window: Window, halves: int, width: int, area: Rect, most: int) -> tuple[HexGrid, int]:
    """A window with so many half columns in the middle of an area with cells so wide, and its height."""
    row = row_height(width)
    height = max(window.rows * row, min(LEAST_ROWS * row, most - 2 * PAD)) + 2 * PAD
    left = area.x + (area.w - (halves + 1) * width // 2) // 2
    return HexGrid(window, left, area.y + (height - window.rows * row) // 2, width), height


class _Off(NamedTuple):
    """A molecule out of the corner of its picture: where it lies, how high it is, and by how much higher."""

    grid: HexGrid
    height: int
    added: int


def _off_corner(shown: Sequence[int], grid: HexGrid, height: int, area: Rect) -> _Off:
    """The cells moved aside where there is room for that, else with so much left free below them, that none
    lies in the corner."""
    whole = area.y + height + MARGIN
    boxes = [grid.box(cell) for cell in shown]
    low = [box for box in boxes if box.bottom > whole * (1 - CORNER_SHARE)]
    aside = CORNER - min((box.x for box in low), default=CORNER)
    if aside <= 0:
        return _Off(grid, height, 0)
    if aside <= area.right - PAD - max(box.right for box in boxes):
        return _Off(grid._replace(left=grid.left + aside), height, 0)
    added = ceil(max(box.bottom for box in low if box.x < CORNER) / (1 - CORNER_SHARE)) - whole
    return _Off(grid, height + added, added)


def tiles(board: Board, grid: HexGrid, last: int, letters: Mapping[int, str]) -> list[Item]:
    """The tiles in a window, the last one with a yellow rim; some have letters, to be chosen by."""
    found = list[Item]()
    for cell, shape in board.tiles.items():
        if grid.window.holds(cell):
            args = (shape, letters.get(cell, ""), "accent" if cell == last else "paper")
            box = grid.box(cell)
            found.append(ItemGroup(box, (Sprite("molecular.tile", args, box),), f"cell {cell}"))
    return found


def tips(box: Rect, pattern: int, width: int, colour: str, chip: Rect | None = None) -> list[Item]:
    """The tips of the bonds that lead into an empty cell, beside the chip in it if there is one."""
    # beside a chip there may be little room, and tips too short to be seen for bonds are left out
    deep = width * 13 // 100, width * 13 // 100
    if chip:
        deep = min(deep[0], chip.y - box.y), min(deep[1], chip.x - box.x)
    return [
        Sprite("molecular.end", (edge, order, colour, width), _tip(box, edge, deep))
        for edge in range(EDGES)
        if (order := pattern >> 3 * edge & 3) and deep[edge in _LEVEL] >= LEAST_TIP
    ]


def from_inside(pattern: int, cell: int, window: Window) -> int:
    """The rim of a cell without what comes from tiles outside the window: tips of these would be specks."""
    for edge, offset in enumerate(OFFSETS):
        if not window.holds(cell + offset):
            pattern &= ~(7 << 3 * edge)
    return pattern


def _dot(box: Rect, width: int) -> Panel:
    """The quiet mark of a cell."""
    side = width * DOT // 100
    place = Rect(box.x + (box.w - side) // 2, box.y + (box.h - side) // 2, side, side)
    return Panel(place, "muted", side // 2)


def _type(label: str, width: int) -> Size:
    """The size of a cell's letter: two signs may find room in small type only."""
    clear = width >= CLEAR and text_width(label, Size.CLEAR, Weight.BOLD) <= width - 2
    return Size.CLEAR if clear else Size.SMALL


def _chip(box: Rect, label: str, width: int) -> Rect:
    """The square for a letter in the middle of an empty cell, wider for two signs."""
    size = _type(label, width)
    high = max(CHIP[size], width * SHARE // 100)
    wide = min(max(high, text_width(label, size, Weight.BOLD) + 6), width - 2)
    return Rect(box.x + (box.w - wide) // 2, box.y + (box.h - high) // 2, wide, high)


def _tip(box: Rect, edge: int, deep: tuple[int, int]) -> Rect:
    """Where the tip of a bond lies inside an empty cell; `deep` from above or below, and from the side.

    A slanted tip has half the cell's width: the three sticks of a triple bond need as much.
    """
    down, across = deep
    if edge in _LEVEL:
        # as odd or even as the row, so that its middle is exactly that of the tile beside it
        high = 2 * (box.w * 20 // 100) + box.h % 2
        x = box.right - across if edge == 1 else box.x
        return Rect(x, box.y + (box.h - high) // 2, across, high)
    half = box.w // 4
    middle = box.x + (box.w * 3 // 4 if edge in (0, 2) else box.w // 4)
    y = box.y if edge in (0, 5) else box.bottom - down
    return Rect(middle - half, y, 2 * half, down)
