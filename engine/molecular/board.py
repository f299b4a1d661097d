"""The molecule: tiles on a hexagonal board, where the next one fits, and what is bonded to what.

Source: docs/rules/molecular.md, section 2. A cell is one number made of axial q and r (`cell_of`). Of every
empty cell beside a tile the *rim* keeps what its six edges meet, three bits for each: 0 for an
empty neighbour, else 4 plus the bond order that faces the cell. It is *open* where a bond faces it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Self

from engine.fields import Derived, Loose, Public
from engine.molecular.cards import (
    BOX,
    EDGES,
    ELEMENT,
    SHAPE_EDGES,
    SHAPE_KIND,
    SHAPE_OF,
    SHAPES,
    START,
)

STEPS: Final = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""From a cell to its neighbours, clockwise from north-east, in axial (q, r)."""
REACH: Final = 200
"""No cell is so far from the middle: there are not so many tiles."""
_WIDE: Final = 512


def cell_of(q: int, r: int) -> int:
    """The cell at axial (q, r)."""
    return (q + REACH) * _WIDE + r + REACH


def place_of(cell: int) -> tuple[int, int]:
    """Axial (q, r) of a cell."""
    q, r = divmod(cell, _WIDE)
    return q - REACH, r - REACH


MIDDLE: Final = cell_of(0, 0)
"""Where the start tile lies."""
OFFSETS: Final = tuple(q * _WIDE + r for q, r in STEPS)
_FACING: Final = tuple((edge, OFFSETS[edge], ~(7 << (3 * ((edge + 3) % EDGES)))) for edge in range(EDGES))
"""By edge: the edge, the way to the neighbour, and what the rim of the neighbour keeps without it."""
BONDED: Final = 0o333333
"""A rim entry with one of these bits has at least one bond to satisfy."""

FAMILIES: Final = tuple(sorted({(tile.element, sum(map(bool, tile.edges))) for tile in BOX.tiles}))
"""Tiles that no pattern can tell apart: an element and its number of bonds, whatever lies there."""
FAMILY: Final = tuple(
    FAMILIES.index((ELEMENT[SHAPE_KIND[shape]], sum(map(bool, SHAPE_EDGES[shape]))))
    for shape in range(len(SHAPES))
)
"""By shape: its family."""

_LAID: Final = tuple(
    tuple(
        (OFFSETS[edge], order, (4 | order) << 3 * ((edge + 3) % EDGES), order << 4 | FAMILY[shape])
        for edge, order in enumerate(edges)
    )
    for shape, edges in enumerate(SHAPE_EDGES)
)
"""By shape, then edge: the way to the neighbour, the bond order, what the rim of the neighbour meets there,
and the bond as the neighbour has it."""

KIND_BITS: Final = 21
"""A placement is one number: kind, cell and rotation, in this order from the highest bits."""
_PLACED: Final = tuple(kind << KIND_BITS | turn for kind, turn in SHAPES)
"""By shape: its placement at cell 0."""

Ways = tuple[int, dict[int, tuple[int, ...]]]
_EVERY_SHAPE: Final = (1 << len(SHAPES)) - 1
_WITH: Final = tuple(
    tuple(
        sum(1 << shape for shape, edges in enumerate(SHAPE_EDGES) if edges[edge] == order)
        for order in range(4)
    )
    for edge in range(EDGES)
)
"""By edge and order: a bit for each shape that has it there."""


class _Ways(dict[int, Ways]):
    def __missing__(self, pattern: int) -> Ways:
        shapes = _EVERY_SHAPE
        for edge in range(EDGES):
            faces = pattern >> 3 * edge & 7
            if faces & 4:
                shapes &= _WITH[edge][faces & 3]
        mask, fitting = 0, dict[int, tuple[int, ...]]()
        while shapes:
            lowest = shapes & -shapes
            shapes ^= lowest
            shape = lowest.bit_length() - 1
            kind = SHAPE_KIND[shape]
            mask |= 1 << kind
            fitting[kind] = (*fitting.get(kind, ()), shape)
        found = self[pattern] = mask, fitting
        return found


WAYS: Final[dict[int, Ways]] = _Ways()
"""What fits into a cell whose edges meet a pattern, by `[pattern]`: a bit for each kind that does, and by
kind its shapes, ascending. Worked out once for each."""


def bonds_of(pattern: int) -> tuple[int, ...]:
    """The orders of the bonds that a tile in such a cell satisfies, clockwise."""
    return tuple(order for edge in range(EDGES) if (order := pattern >> 3 * edge & 3))


def unpacked(code: int) -> tuple[int, int, int, int]:
    """Kind, q, r and rotation of a placement."""
    q, r = place_of(code >> 3 & (1 << KIND_BITS - 3) - 1)
    return code >> KIND_BITS, q, r, code & 7


class Board:
    """The molecule on the table. `tiles` gives the shape in a cell, `rim` what an empty cell beside a
    tile meets, `open` those of the rim that a bond faces, `bonds` the satisfied bonds of a cell as (order and
    family of the other, other cell)."""

    tiles: Public[dict[int, int]]
    rim: Derived[dict[int, int]]
    open: Derived[dict[int, int]]
    bonds: Derived[dict[int, Loose[tuple[int, int]]]]

    # written by scripts/positions.py from the fields above
    __slots__ = (
        "bonds",
        "open",
        "rim",
        "tiles",
    )

    def clone(self) -> Self:
        """A copy that shares nothing that changes."""
        kind = type(self)
        twin = kind.__new__(kind)
        twin.tiles = self.tiles.copy()
        twin.rim = self.rim.copy()
        twin.open = self.open.copy()
        twin.bonds = self.bonds.copy()
        return twin

    def parts(self) -> tuple[object, ...]:
        """What it is made of, for fingerprints: equal where the values are."""
        return (sorted(self.tiles.items()),)

    # as far as here

    def __init__(self) -> None:
        self.tiles = {}
        self.rim = {}
        self.open = {}
        self.bonds = {}

    def derive(self) -> None:
        """Find again what follows from the tiles."""
        tiles, self.tiles, self.rim, self.open, self.bonds = self.tiles, {}, {}, {}, {}
        for cell, shape in tiles.items():
            self.lay(cell, shape)

    @classmethod
    def begun(cls) -> Board:
        """Only the start tile."""
        board = cls()
        board.lay(MIDDLE, START)
        return board

    @classmethod
    def of(cls, tiles: Iterable[tuple[int, int]] | Mapping[int, int]) -> Board:
        """A board with these (cell, shape) pairs, in any order; trusts that they fit."""
        board = cls()
        for cell, shape in tiles.items() if isinstance(tiles, Mapping) else tiles:
            board.lay(cell, shape)
        return board

    def lay(self, cell: int, shape: int) -> None:
        """Put a tile into an empty cell; trusts that it fits."""
        tiles, rim, bonds = self.tiles, self.rim, self.bonds
        tiles[cell] = shape
        rim.pop(cell, None)
        self.open.pop(cell, None)
        mine: list[tuple[int, int]] = []
        for offset, order, met, bond in _LAID[shape]:
            near = cell + offset
            other = tiles.get(near)
            if other is None:
                rim[near] = pattern = rim.get(near, 0) | met
                if pattern & BONDED:
                    self.open[near] = pattern
            elif order:
                mine.append((order << 4 | FAMILY[other], near))
                bonds[near] += ((bond, cell),)
        bonds[cell] = tuple(mine)

    def lift(self, cell: int) -> int:
        """Take a tile away; its shape. Edges that it met are open again."""
        tiles, rim, bonds = self.tiles, self.rim, self.bonds
        shape = tiles.pop(cell)
        del bonds[cell]
        pattern = 0
        for edge, offset, keep in _FACING:
            near = cell + offset
            other = tiles.get(near)
            if other is not None:
                pattern |= (4 | SHAPE_EDGES[other][(edge + 3) % EDGES]) << 3 * edge
                bonds[near] = tuple(bond for bond in bonds[near] if bond[1] != cell)
            else:
                self._meets(near, rim[near] & keep)
        self._meets(cell, pattern)
        return shape

    def _meets(self, cell: int, pattern: int) -> None:
        """An empty cell meets this from now on; 0 where it lies beside no tile."""
        for kept, holds in ((self.rim, pattern), (self.open, pattern & BONDED)):
            if holds:
                kept[cell] = pattern
            else:
                kept.pop(cell, None)

    def bond(
        self, cell: int, shape: int, met: Sequence[tuple[int, int]]
    ) -> list[tuple[int, Loose[tuple[int, int]]]]:
        """Lay a tile for groups to be counted, the rim left as it is; `met` are its bonds. What `part` needs
        to take it away again."""
        bonds, own = self.bonds, FAMILY[shape]
        kept = [(near, bonds[near]) for _, near in met]
        self.tiles[cell] = shape
        bonds[cell] = tuple(met)
        for code, near in met:
            bonds[near] += ((code & 48 | own, cell),)
        return kept

    def part(self, cell: int, kept: Iterable[tuple[int, Loose[tuple[int, int]]]]) -> None:
        """Take a tile away that `bond` has laid."""
        del self.tiles[cell], self.bonds[cell]
        self.bonds.update(kept)

    def placements(self, kinds: Iterable[int]) -> list[int]:
        """Where tiles of these kinds (each named once) can be laid, ascending; see `unpacked`."""
        wanted = tuple(kinds)
        found: list[int] = []
        for cell, pattern in self.open.items():
            at, fitting = cell << 3, WAYS[pattern][1]
            for kind in wanted:
                if kind in fitting:
                    found += [_PLACED[shape] + at for shape in fitting[kind]]
        found.sort()
        return found

    def takes(self, mask: int) -> bool:
        """Whether a tile of at least one of these kinds (a bit each) fits anywhere."""
        for pattern in self.open.values():  # noqa: SIM110 - asked in every turn
            if WAYS[pattern][0] & mask:
                return True
        return False

    def ends(self) -> list[int]:
        """The cells of end tiles: bonded to exactly one neighbour, and not the start tile."""
        return sorted(cell for cell, bonds in self.bonds.items() if len(bonds) == 1 and cell != MIDDLE)

    def open_bonds(self, cell: int) -> list[tuple[int, int]]:
        """The bonds of a tile that lead into empty cells, as (order, cell)."""
        edges = SHAPE_EDGES[self.tiles[cell]]
        near = ((edges[edge], cell + OFFSETS[edge]) for edge in range(EDGES))
        return [(order, other) for order, other in near if order and other not in self.tiles]


def board_of(tiles: Iterable[Sequence[int]]) -> Board:
    """The board with these tiles, JSON-able: q, r, kind and rotation of each.

    Raises:
        IndexError, TypeError, ValueError: there is no such tile.
    """
    return Board.of((cell_of(q, r), SHAPE_OF[kind][turn]) for q, r, kind, turn in tiles)
