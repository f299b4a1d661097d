"""The hand while its holder lays a tile: the cells where it goes, large, and the ways round.

The molecule is cropped to patches round those cells, as few and as large as there is room for, so that
letters and points can be read on a phone however large the molecule is. A way round has a patch of its own,
with the name that its button has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from bot.presenters.molecular import chart, queries
from bot.presenters.molecular.chart import HexGrid, Window, around, row_height
from bot.presenters.molecular.choices import TURNED, at_once, cell_named, kind_of
from bot.presenters.molecular.hand import may_use_now
from bot.presenters.molecular.words import GROUND, Voice, meeting, open_ways
from bot.render.blocks import even
from bot.render.parts import CORNER, INNER, MARGIN, alt_text, off_corner, text_width
from bot.render.scene import (
    BASE_WIDTH,
    Align,
    Item,
    ItemGroup,
    Look,
    Panel,
    Rect,
    Scene,
    Size,
    Sprite,
    Text,
    Weight,
)
from bot.render.theme import GRID, RADIUS_PANEL, RADIUS_SMALL
from engine.molecular.board import Board, cell_of, unpacked
from engine.molecular.cards import SHAPE_OF
from engine.molecular.observation import Observation

WIDTHS: Final = (216, 192, 168, 152, 140, 132)
"""How wide a cell may be, in pixels, even; in the narrowest a letter of 64 pixels and points have room."""
HEIGHT: Final = 760
"""The patches together are at most so high, in pixels, if the narrowest cells allow it."""
HIGHEST: Final = 3600
"""Higher than this no picture is made: the whole hand says more."""
HIGHEST_WHY: Final = 1600
"""The same where one asks why a tile does not go into a cell: no tile is laid there."""
FEW: Final = 3
"""Up to this many crops have room for a second ring of neighbours."""
WAYS: Final = (*WIDTHS, 120)
"""How wide a cell may be where ways round are drawn: in the narrowest, so many stand side by side."""
SIDE_BY_SIDE: Final = 3
CROWDED: Final = 4
"""Below the cells of a tile more ways round than `SIDE_BY_SIDE` stand closer: so many side by side, or the
picture gets higher than a phone."""
CLOSE: Final = (90,)
"""How wide a cell is there."""
SMALLER: Final = WIDTHS[3:]
"""How wide cells may be where many crops stand."""
GAP: Final = 16
RACK: Final = 128
"""Side of the chosen tile, in pixels."""
LABEL: Final = 76
"""How high the line with the name of a way round is, in pixels."""


class PreviewStep(NamedTuple):
    """How far somebody who lays a tile has come: the kind, its cell once it is chosen (else -1), whether
    they look for other ways round than the first, and whether they ask where it does not go."""

    kind: int
    cell: int
    turned: bool
    why: bool


class PreviewMark(NamedTuple):
    """What stands on a cell: its letter, and the points there or nothing where the tile does not go."""

    letter: str
    points: str


class Patch(NamedTuple):
    """A crop of a board: what is marked on it; of a way round, the cell of the tile (else -1), the name of
    the way, and where its open bonds point."""

    board: Board
    window: Window
    marks: Mapping[int, PreviewMark]
    laid: int = -1
    name: str = ""
    bonds: str = ""


def step_of(way: Sequence[str]) -> PreviewStep | None:
    """Where a way through the choices (`tree`) stands; None before a tile was chosen."""
    kind, cell = -1, -1
    for key in way:
        if kind < 0 and (tile := kind_of(key)) is not None:
            kind = tile
        elif kind >= 0 and (place := cell_named(key)) is not None:
            cell = place
    return PreviewStep(kind, cell, TURNED in way, "why" in way) if kind >= 0 else None


def preview(seen: Observation, way: Sequence[str], look: Look) -> Scene | None:
    """The picture for a way through the choices; None where the hand itself says all."""
    step = step_of(way)
    if step is None or not may_use_now(seen, "tile") or step.kind not in queries.pool(seen):
        return None
    table, voice = queries.table(seen), Voice(look)
    turns: dict[int, list[int]] = {}
    for _, q, r, turn in map(unpacked, table.board.placements([step.kind])):
        turns.setdefault(cell_of(q, r), []).append(turn)
    marks = {
        cell: PreviewMark(table.letters[cell], f"+{queries.tile_points(seen, cell, step.kind)}")
        for cell in sorted(turns, key=queries.reading)
    }
    named = {"n": queries.number(seen, step.kind), "tile": voice.tile(step.kind)}
    ways = list[Patch]()
    patches = list[Patch]()
    if step.why:
        marks = {cell: PreviewMark(name, "") for cell, name in table.letters.items() if cell not in turns}
        said = [voice("alt.elsewhere", **named, cells=_told(table, marks))]
        patches = _patches(table, marks)
    elif step.cell in turns:
        ways = _turns(table, step.kind, step.cell, turns[step.cell], voice)[step.turned :]
        letter, points = marks[step.cell]
        said = [voice("alt.turns", **named, cell=letter, points=points)]
    else:
        said = [voice("alt.way", **named, cells=_told(table, marks))]
        patches = _patches(table, marks)
        if at_once(sum(map(len, turns.values()))):
            several = [cell for cell in marks if len(turns[cell]) > 1]
            ways = [way for cell in several for way in _turns(table, step.kind, cell, turns[cell], voice)]
    if not patches and not ways:
        return None
    if ways:
        said.append(voice("alt.ways", ways="; ".join(f"{way.name} {way.bonds}" for way in ways)))
    top, y = _head(seen, step.kind, voice)
    crowded = bool(patches) and len(ways) > SIDE_BY_SIDE
    under = y
    items, y = _laid_out(patches, under, WIDTHS)
    if patches and (crowded or y - under > HEIGHT):
        patches = _patches(table, marks, wide=False)
        items, y = _laid_out(patches, under, WIDTHS[-1:] if crowded else SMALLER)
    widths = CLOSE if crowded else WAYS[-1:] if patches else WAYS
    side_by_side = even(len(ways), CROWDED if crowded else SIDE_BY_SIDE)
    drawn, bottom = _laid_out(ways, y, widths, side_by_side)
    high = off_corner((*items, *drawn), bottom - GAP + MARGIN)
    if high > (HIGHEST_WHY if step.why else HIGHEST):
        return None
    return Scene(BASE_WIDTH, high, (*top, *items, *drawn), alt_text(*said), look, GROUND)


def _told(table: queries.MoleculeTable, marks: Mapping[int, PreviewMark]) -> str:
    """The marked cells in words, each with the bonds that lead into it."""
    return ", ".join(
        f"{letter} {points} {meeting(table.board.rim[cell])}".replace("  ", " ")
        for cell, (letter, points) in marks.items()
    )


def _head(seen: Observation, kind: int, voice: Voice) -> tuple[list[Item], int]:
    """The tile that was chosen, with its number."""
    place = Rect(MARGIN, 2 * GRID, RACK, RACK)
    number = Rect(place.right + 24, place.y + (RACK - 64) // 2, 72, 64)
    words = Rect(number.right + 24, place.y, BASE_WIDTH - MARGIN - number.right - 24, RACK)
    items: list[Item] = [
        Sprite("molecular.rack", (kind, False, 1), place),
        Panel(number, "accent", 12),
        Text(
            number,
            str(queries.number(seen, kind)),
            Size.CLEAR,
            Weight.BOLD,
            "accent_ink",
            Align.CENTRE,
        ),
        Text(words, voice.tile(kind), Size.CLEAR, Weight.BOLD, max_lines=2),
    ]
    return items, place.bottom + GAP


def _patches(
    table: queries.MoleculeTable, marks: Mapping[int, PreviewMark], *, wide: bool = True
) -> list[Patch]:
    """Crops that together show all marked cells with their neighbours, and few `wide` ones with those round
    them: cells that lie near share one."""
    whole = around(chart.shown_cells(table))
    rings = {cell: around([cell]).wider().within(whole) for cell in sorted(marks, key=queries.reading)}
    room = chart.room_for(WIDTHS[-1], INNER, HEIGHT)
    windows = chart.joined(rings.values(), *room)
    if wide and len(windows) <= FEW:
        windows = chart.joined([window.wider().within(whole) for window in windows], *room)
    # a cell that two crops show is marked in the first that shows all round it
    owner = {cell: next(w for w in windows if ring.within(w) == ring) for cell, ring in rings.items()}
    return [
        _trimmed(Patch(table.board, window, {cell: marks[cell] for cell in rings if owner[cell] == window}))
        for window in windows
    ]


def _trimmed(patch: Patch) -> Patch:
    """The patch without columns and rows in which nothing lies."""
    shown = [cell for cell in (*patch.board.tiles, *patch.marks) if patch.window.holds(cell)]
    return patch._replace(window=around(shown))


def _turns(
    table: queries.MoleculeTable, kind: int, cell: int, turns: Iterable[int], voice: Voice
) -> list[Patch]:
    """The tile as it would lie in a cell, each way round that fits."""
    pattern, letter = table.board.rim[cell], table.letters[cell]
    window = around([cell]).wider()
    found = []
    for number, turn in enumerate(turns, 1):
        shape = SHAPE_OF[kind][turn]
        board = table.board.clone()
        board.lay(cell, shape)
        found.append(Patch(board, window, {}, cell, voice.way(letter, number), open_ways(shape, pattern)))
    return found


def _laid_out(
    patches: Sequence[Patch], top: int, widths: Sequence[int], most: int = 99
) -> tuple[list[Item], int]:
    """The patches, at most so many in a row, with the widest cells that keep them in bounds; and where
    others can follow."""
    for width in widths:
        rows, y = list[list[Patch]](), top
        for patch in patches:
            full = rows and len(rows[-1]) == most
            if not rows or full or sum(_wide(one, width) + GAP for one in (*rows[-1], patch)) - GAP > INNER:
                rows.append([])
            rows[-1].append(patch)
        high = sum(max(_high(one, width) for one in row) + GAP for row in rows) - GAP
        narrow = all(_wide(patch, width) <= INNER for patch in patches)
        if (high <= HEIGHT and narrow) or width == widths[-1]:
            break
    items: list[Item] = []
    for row in rows:
        taken = sum(_wide(one, width) + GAP for one in row) - GAP
        x = MARGIN + (INNER - taken) // 2
        if row is rows[-1] and CORNER + taken <= MARGIN + INNER:
            x = max(x, CORNER)
        for patch in row:
            items.append(_drawn(patch, x, y, width))
            x += _wide(patch, width) + GAP
        y += max(_high(one, width) for one in row) + GAP
    return items, y


def _wide(patch: Patch, width: int) -> int:
    return (patch.window.halves + 1) * width // 2 + 2 * chart.PAD


def _high(patch: Patch, width: int) -> int:
    rows = patch.window.rows * row_height(width) - sum(_slack(patch, width))
    return rows + 2 * chart.PAD + (LABEL if patch.name else 0)


def _slack(patch: Patch, width: int) -> tuple[int, int]:
    """How much of the first and of the last row of a way round is left out, where only tips of bonds are."""
    if patch.laid < 0:
        return 0, 0
    window, tiles = patch.window, [cell for cell in patch.board.tiles if patch.window.holds(cell)]
    ends = (window.top, window.bottom)
    lie = [any(replace(window, top=end, bottom=end).holds(cell) for cell in tiles) for end in ends]
    return (0 if lie[0] else row_height(width) // 2), (0 if lie[1] else row_height(width) // 2)


def _drawn(patch: Patch, x: int, y: int, width: int) -> ItemGroup:
    """A patch: the tiles, the tips of open bonds, and on the marked cells letters and points."""
    area = Rect(x, y, _wide(patch, width), _high(patch, width))
    down = chart.PAD + (LABEL if patch.name else 0) - _slack(patch, width)[0]
    grid = HexGrid(patch.window, x + chart.PAD, y + down, width)
    items: list[Item] = [Panel(area, "shade", RADIUS_PANEL)]
    items += chart.tiles(patch.board, grid, patch.laid, {})
    opened = {near for _, near in patch.board.open_bonds(patch.laid)} if patch.laid >= 0 else set(patch.marks)
    for cell, pattern in patch.board.rim.items():
        if patch.window.holds(cell):
            box, mark = grid.box(cell), patch.marks.get(cell)
            chip = box.inset(2, box.h // 8) if mark else None
            inside = chart.from_inside(pattern, cell, patch.window)
            items += chart.tips(box, inside, width, "accent" if cell in opened else "muted", chip)
            if mark and chip:
                items.append(Sprite("molecular.choice", tuple(mark), chip))
    if patch.name:
        wide = text_width(patch.name, Size.TITLE, Weight.BOLD) + 32
        chip = Rect(x + chart.PAD, y + chart.PAD, max(wide, LABEL), LABEL - 8)
        items.append(Panel(chip, "accent", RADIUS_SMALL))
        items.append(Text(chip, patch.name, Size.TITLE, Weight.BOLD, "accent_ink", Align.CENTRE))
    return ItemGroup(area, tuple(items))
