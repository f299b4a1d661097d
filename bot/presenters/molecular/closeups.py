"""Close looks at a molecule that is drawn small on the table: parts that together show all of it.

The parts are as large as a grid of two by two allows; a molecule that would stay small even so is
cut into more. Neighbouring parts share a column or a row of cells, so that every bond is seen whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Final, NamedTuple

from bot.presenters.base import Page
from bot.presenters.molecular import queries
from bot.presenters.molecular.chart import WIDTHS, Window, around, chart, fits_large, room_for, shown_cells
from bot.presenters.molecular.queries import Lettering
from bot.presenters.molecular.scenes import TABLE_BOARD
from bot.presenters.molecular.words import GROUND, Voice
from bot.render.parts import INNER, MARGIN, alt_text
from bot.render.scene import BASE_WIDTH, ItemGroup, Look, Rect, Scene
from engine.molecular.observation import Observation

CLOSE_BOARD: Final = 1400
"""How high the board may be in a close look, in pixels: it has the picture to itself."""
CLOSE: Final = 96
"""How wide a cell is in a close look, in pixels, at least; more than two by two parts rather than less."""
ACROSS: Final = ("", "c", "we", "wce")
DOWN: Final = ("", "m", "ns", "nms")
"""By the number of columns or rows of parts: the signs under which the strings name them."""


class Part(NamedTuple):
    """A part of the board, and its place among the parts: column, row, and how many of each."""

    window: Window
    column: int
    row: int
    columns: int
    rows: int


def needed(seen: Observation) -> bool:
    """Whether the table shows the molecule so small, or in part, that close looks help."""
    return not fits_large(queries.table(seen), INNER, TABLE_BOARD)


def closeups(seen: Observation, look: Look) -> tuple[Page, ...]:
    """The parts of the molecule; none where the table shows it large."""
    if not needed(seen):
        return ()
    voice, table, lettering = Voice(look), queries.table(seen), queries.lettering(seen)
    found = []
    for part in parts(table):
        area = Rect(MARGIN, MARGIN, INNER, 0)
        shown = chart(table, area, CLOSE_BOARD, lettering, last=seen.last_cell, part=part.window)
        items = (ItemGroup(Rect(MARGIN, MARGIN, INNER, shown.height), shown.items),)
        title = _title(part, voice)
        alt = _alt(table, lettering, part.window, title, voice)
        scene = Scene(BASE_WIDTH, shown.height + 2 * MARGIN, items, alt, look, GROUND)
        found.append(Page(title, "", scene))
    return tuple(found)


def parts(table: queries.MoleculeTable) -> tuple[Part, ...]:
    """The parts in reading order. Together they hold every tile and every letter; a part that shows
    nothing which others do not show as well is left out."""
    cells = shown_cells(table)
    whole = around(cells)
    grid = _grid(whole)
    held = [frozenset(cell for cell in cells if part.window.holds(cell)) for part in grid]
    kept = dict(enumerate(held))
    for number, own in sorted(enumerate(held), key=lambda one: len(one[1])):
        others = (cells for other, cells in kept.items() if other != number)
        if own <= frozenset().union(*others):
            del kept[number]
    # what a part shows that others show as well goes, but for one cell around, so that its cells come larger
    windows = {number: around(kept[number]) for number in sorted(kept)}
    for number, own in sorted(kept.items()):
        near = [window for other, window in windows.items() if other != number]
        alone = [cell for cell in own if not any(window.holds(cell) for window in near)]
        windows[number] = around(alone).wider().within(windows[number])
    return tuple(grid[number]._replace(window=window) for number, window in windows.items())


def _grid(whole: Window) -> list[Part]:
    """The window cut into columns and rows of parts, the fewest with which cells are large enough."""
    for most in count(2):
        for width in WIDTHS:
            halves, high = room_for(width, INNER, CLOSE_BOARD)
            columns = list(_spans(whole.left, whole.right, halves, 2))
            rows = list(_spans(whole.top, whole.bottom, high, 1))
            if width >= CLOSE and max(len(columns), len(rows)) <= most:
                return [
                    Part(Window(left, top, right, bottom), column, row, len(columns), len(rows))
                    for row, (top, bottom) in enumerate(rows)
                    for column, (left, right) in enumerate(columns)
                ]
    raise AssertionError("some number of parts is enough")


def _spans(first: int, last: int, most: int, shared: int) -> Iterator[tuple[int, int]]:
    """From first to last in equal steps of at most so many places, neighbours sharing some."""
    places = last - first + 1
    number = 1 if places <= most else -(-(places - shared) // (most - shared))
    size = -(-(places + shared * (number - 1)) // number)
    for step in range(number):
        start = first + step * (size - shared)
        yield start, min(last, start + size - 1)


def _title(part: Part, voice: Voice) -> str:
    if max(part.columns, part.rows) < len(ACROSS):
        return voice(f"closeup.{DOWN[part.rows][part.row]}{ACROSS[part.columns][part.column]}")
    return voice("closeup.far", row=part.row + 1, column=part.column + 1)


def _alt(table: queries.MoleculeTable, lettering: Lettering, window: Window, title: str, voice: Voice) -> str:
    """Where the part lies, how many tiles it shows, and which letters."""
    shown = {cell for cell in lettering.names if window.holds(cell)}
    tiles = sum(map(window.holds, table.board.tiles))
    said = voice("alt.part", title=title, tiles=voice("tiles", n=tiles))
    cells = queries.lettered(table, lettering, voice, shown)
    return alt_text(said, voice("alt.cells", cells=cells) if cells else "")
