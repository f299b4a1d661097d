"""The hand while its holder lays a tile: the cells where it goes, large, and then the ways round.

The molecule is cropped to patches round those cells, as few and as large as there is room for, so that
letters and points can be read on a phone however large the molecule is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from bot.presenters.molecular import chart, queries
from bot.presenters.molecular.chart import Grid, Window, around, row_height
from bot.presenters.molecular.choices import cell_named, kind_of
from bot.presenters.molecular.scenes import head_of, may_use_now
from bot.presenters.molecular.words import GROUND, Voice, open_ways
from bot.render.parts import INNER, MARGIN, alt_text
from bot.render.scene import (
    BASE_WIDTH,
    Align,
    Group,
    Item,
    Look,
    Panel,
    Rect,
    Scene,
    Size,
    Sprite,
    Text,
    Weight,
)
from bot.render.theme import RADIUS_PANEL
from engine.molecular.board import OFFSETS, Board, cell_of, unpacked
from engine.molecular.cards import SHAPE_OF
from engine.molecular.observation import Observation

WIDTHS: Final = (216, 192, 168, 152, 140, 132)
"""How wide a cell may be, in pixels, even; in the narrowest a letter of 64 pixels and points have room."""
HEIGHT: Final = 1100
"""The patches together are at most so high, in pixels, if the narrowest cells allow it."""
HIGHEST: Final = 3600
"""Higher than this no picture is made: the whole hand says more."""
FEW: Final = 3
"""So many crops have room for a second ring of neighbours."""
GAP: Final = 16
RACK: Final = 150
"""Side of the chosen tile, in pixels."""
CAPTION: Final = 48


class Step(NamedTuple):
    """How far somebody who lays a tile has come: the kind, its cell once it is chosen (else -1), and
    whether they ask where it does not go."""

    kind: int
    cell: int
    why: bool


class Mark(NamedTuple):
    """What stands on a cell: its letter, and the points there or nothing where the tile does not go."""

    letter: str
    points: str


class Patch(NamedTuple):
    """A crop of a board: what is marked on it, the tile that was laid there (else -1), words below."""

    board: Board
    window: Window
    marks: Mapping[int, Mark]
    laid: int = -1
    caption: str = ""


def step_of(way: Sequence[str]) -> Step | None:
    """Where a way through the choices (`tree`) stands; None before a tile was chosen."""
    kind, cell = -1, -1
    for key in way:
        if kind < 0 and (tile := kind_of(key)) is not None:
            kind = tile
        elif kind >= 0 and (place := cell_named(key)) is not None:
            cell = place
    return Step(kind, cell, "why" in way) if kind >= 0 else None


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
        cell: Mark(table.letters[cell], f"+{queries.tile_points(seen, cell, step.kind)}")
        for cell in sorted(turns, key=queries.reading)
    }
    named = {"n": queries.pool(seen).index(step.kind) + 1, "tile": voice.tile(step.kind)}
    if step.why:
        marks = {cell: Mark(name, "") for cell, name in table.letters.items() if cell not in turns}
        said = voice("alt.elsewhere", **named, cells=_told(marks))
        patches = _patches(table, marks)
    elif step.cell in turns:
        patches = _turns(table, step, turns[step.cell])
        letter, points = marks[step.cell]
        ways = "; ".join(patch.caption for patch in patches)
        said = voice("alt.turns", **named, cell=letter, points=points, ways=ways)
    else:
        said = voice("alt.way", **named, cells=_told(marks))
        patches = _patches(table, marks)
    if not patches:
        return None
    top, y = _head(seen, step.kind, voice)
    items, bottom = _laid_out(patches, y)
    if bottom > HIGHEST:
        return None
    return Scene(BASE_WIDTH, bottom + MARGIN, (*top, *items), alt_text(said), look, GROUND)


def _told(marks: Mapping[int, Mark]) -> str:
    return ", ".join(f"{letter} {points}".strip() for letter, points in marks.values())


def _head(seen: Observation, kind: int, voice: Voice) -> tuple[list[Item], int]:
    """Whose hand it is, the tile that was chosen, with its number."""
    items = head_of(seen, voice)
    place = Rect(MARGIN, 92, RACK, RACK)
    number = Rect(place.right + 24, place.y + (RACK - 64) // 2, 72, 64)
    words = Rect(number.right + 24, place.y, BASE_WIDTH - MARGIN - number.right - 24, RACK)
    items += [
        Sprite("molecular.rack", (kind, False), place),
        Panel(number, "accent", 12),
        Text(
            number,
            str(queries.pool(seen).index(kind) + 1),
            Size.BODY,
            Weight.BOLD,
            "accent_ink",
            Align.CENTRE,
        ),
        Text(words, voice.tile(kind), Size.BODY, Weight.BOLD, max_lines=2),
    ]
    return items, place.bottom + GAP


def _patches(table: queries.Table, marks: Mapping[int, Mark]) -> list[Patch]:
    """Crops that together show all marked cells with their neighbours: cells that lie near share one."""
    whole = around(chart.shown_cells(table))
    rings = {cell: around([cell]).wider().within(whole) for cell in sorted(marks, key=queries.reading)}
    windows: list[Window] = []
    for ring in rings.values():
        windows = _with(windows, ring)
    if len(windows) <= FEW:
        larger = [window.wider().within(whole) for window in windows]
        windows = []
        for window in larger:
            windows = _with(windows, window)
    # a cell that two crops show is marked in the first that shows all round it
    owner = {cell: next(w for w in windows if ring.within(w) == ring) for cell, ring in rings.items()}
    return [
        Patch(table.board, window, {cell: marks[cell] for cell in rings if owner[cell] == window})
        for window in windows
    ]


def _with(windows: list[Window], new: Window) -> list[Window]:
    """The windows and a new one, joined with others while that shows little more than both apart."""
    halves, rows = chart.room_for(WIDTHS[-1], INNER, HEIGHT)
    joining = True
    while joining:
        joining = False
        for window in windows:
            both = window.joined(new)
            fits = both.halves <= halves and both.rows <= rows
            if fits and both.halves * both.rows <= window.halves * window.rows + new.halves * new.rows:
                windows = [one for one in windows if one is not window]
                new, joining = both, True
                break
    return [*windows, new]


def _turns(table: queries.Table, step: Step, turns: Iterable[int]) -> list[Patch]:
    """The tile as it would lie, each way round that fits."""
    pattern = table.board.rim[step.cell]
    window = around([step.cell]).wider()
    found = []
    for turn in turns:
        shape = SHAPE_OF[step.kind][turn]
        board = table.board.clone()
        board.lay(step.cell, shape)
        found.append(Patch(board, window, {}, step.cell, open_ways(shape, pattern)))
    return found


def _laid_out(patches: Sequence[Patch], top: int) -> tuple[list[Item], int]:
    """The patches in rows, with the widest cells that keep them in bounds; and where the last row ends."""
    for width in WIDTHS:
        rows, y = list[list[Patch]](), top
        for patch in patches:
            if not rows or sum(_wide(one, width) + GAP for one in (*rows[-1], patch)) - GAP > INNER:
                rows.append([])
            rows[-1].append(patch)
        high = sum(max(_high(one, width) for one in row) + GAP for row in rows) - GAP
        narrow = all(_wide(patch, width) <= INNER for patch in patches)
        if (high <= HEIGHT and narrow) or width == WIDTHS[-1]:
            break
    items: list[Item] = []
    for row in rows:
        x = MARGIN + (INNER - sum(_wide(one, width) + GAP for one in row) + GAP) // 2
        for patch in row:
            items.append(_drawn(patch, x, y, width))
            x += _wide(patch, width) + GAP
        y += max(_high(one, width) for one in row) + GAP
    return items, y - GAP


def _wide(patch: Patch, width: int) -> int:
    return (patch.window.halves + 1) * width // 2 + 2 * chart.PAD


def _high(patch: Patch, width: int) -> int:
    return patch.window.rows * row_height(width) + 2 * chart.PAD + (CAPTION if patch.caption else 0)


def _drawn(patch: Patch, x: int, y: int, width: int) -> Group:
    """A patch: the tiles, the tips of open bonds, and on the marked cells letters and points."""
    area = Rect(x, y, _wide(patch, width), _high(patch, width))
    grid = Grid(patch.window, x + chart.PAD, y + chart.PAD, width)
    items: list[Item] = [Panel(area, "shade", RADIUS_PANEL)]
    items += chart.tiles(patch.board, grid, patch.laid, {})
    opened = {near for _, near in patch.board.open_bonds(patch.laid)} if patch.laid >= 0 else set(patch.marks)
    for cell, pattern in patch.board.rim.items():
        if patch.window.holds(cell):
            box, mark = grid.box(cell), patch.marks.get(cell)
            chip = box.inset(2, box.h // 8) if mark else None
            inside = _from_inside(pattern, cell, patch.window)
            items += chart.tips(box, inside, width, "accent" if cell in opened else "muted", chip)
            if mark and chip:
                items.append(Sprite("molecular.choice", tuple(mark), chip))
    if patch.caption:
        below = Rect(x, area.bottom - CAPTION - 4, area.w, CAPTION)
        items.append(Text(below, patch.caption, Size.BODY, Weight.BOLD, "accent", Align.CENTRE))
    return Group(area, tuple(items))


def _from_inside(pattern: int, cell: int, window: Window) -> int:
    """The rim of a cell without what comes from tiles outside the window: tips of these would be specks."""
    for edge, offset in enumerate(OFFSETS):
        if not window.holds(cell + offset):
            pattern &= ~(7 << 3 * edge)
    return pattern
