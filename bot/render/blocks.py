"""Pictures built from layout blocks that know their height, put together and frozen into a scene.

    frozen(Column((Words("Round 1"), Grid(seats, columns=4), Flow(cards))), alt, look)

A block is measured at a width, then asked for its items in an area of that width and height, so positions
follow from the structure. An empty block has height 0 and no space around it. Sizes are data: anything too
wide wraps, and words step down through their sizes to the last one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from bot.render import layout
from bot.render import text as letters
from bot.render.parts import BADGE, CORNER, CORNER_SHARE, INNER, MARGIN, band
from bot.render.scene import BASE_WIDTH, Align, Fit, Item, ItemGroup, Look, Rect, Scene, Size, Text, Weight
from bot.render.theme import GRID

Draw = Callable[[Rect], Iterable[Item]]
"""A function that fills an area with items."""


class Block(Protocol):
    """A part of a picture that knows its height."""

    def height(self, width: int) -> int:
        """Return the height in pixels at that width, or 0 if there is nothing to show."""
        ...

    def items(self, area: Rect) -> Iterable[Item]:
        """Return the items in an area of the measured height."""
        ...


@dataclass(frozen=True, slots=True)
class Box:
    """Something of a fixed height, drawn into any area."""

    tall: int
    draw: Draw

    def height(self, width: int) -> int:  # noqa: ARG002 - the contract of a block
        """Return the fixed height."""
        return self.tall

    def items(self, area: Rect) -> Iterable[Item]:
        """Return the items that the function draws."""
        return self.draw(area) if self.tall else ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A sentence in the first of its sizes at which it fits. In the last size it is shortened.

    The sizes are those of a picture BASE_WIDTH wide.
    """

    string: str
    sizes: tuple[Size, ...] = (Size.SMALL,)
    weight: Weight = Weight.MEDIUM
    colour: str = "text"
    align: Align = Align.LEFT
    lines: int = 1

    def height(self, width: int) -> int:
        """Return the height of the lines the sentence needs."""
        size, lines, _ = self._set(width)
        return lines and size + GRID + (lines - 1) * round(size * letters.LINE)

    def items(self, area: Rect) -> Iterator[Item]:
        """Yield one text."""
        size, lines, fit = self._set(area.w)
        if lines:
            yield Text(
                area, self.string, size, self.weight, self.colour, self.align, max_lines=lines, fit=fit
            )

    def _set(self, width: int) -> tuple[Size, int, Fit]:
        return _set(self.string, self.sizes, self.weight, width, self.lines)


def _set(
    string: str, sizes: tuple[Size, ...], weight: Weight, width: int, lines: int
) -> tuple[Size, int, Fit]:
    """Return the size, the number of lines, and the fit: whether the sentence is shortened."""
    if not string:
        return sizes[0], 0, Fit.STRICT
    for size in sizes:
        block = letters.wrap(string, size, weight, width, lines)
        if not block.cut:
            return size, len(block.lines), Fit.STRICT
    return size, len(block.lines), Fit.ELLIPSIS


@dataclass(frozen=True, slots=True)
class Tagged:
    """A block at a tagged place where a motion may happen, see `scene.places`."""

    block: Block
    tag: str

    def height(self, width: int) -> int:
        """Return the height of the block."""
        return self.block.height(width)

    def items(self, area: Rect) -> Iterator[Item]:
        """Yield one group."""
        if area.h:
            yield ItemGroup(area, tuple(self.block.items(area)), self.tag)


@dataclass(frozen=True, slots=True)
class Spaced:
    """A block with space below it, or nothing at all if the block is empty."""

    block: Block
    below: int

    def height(self, width: int) -> int:
        """Return the height of the block and its space."""
        tall = self.block.height(width)
        return tall and tall + self.below

    def items(self, area: Rect) -> Iterable[Item]:
        """Return the items of the block."""
        return self.block.items(area._replace(h=max(0, area.h - self.below)))


@dataclass(frozen=True, slots=True)
class RightOfCorner:
    """A block to the right of the corner that the ALT badge covers, for the foot of a picture."""

    block: Block

    def height(self, width: int) -> int:
        """Return the height of the block in the remaining width."""
        return self.block.height(width - CORNER)

    def items(self, area: Rect) -> Iterable[Item]:
        """Return the items of the block."""
        return self.block.items(area._replace(x=area.x + CORNER, w=area.w - CORNER))


@dataclass(frozen=True, slots=True)
class Column:
    """Blocks one below another. Empty ones take no space."""

    blocks: Sequence[Block]
    gap: int = 0

    def height(self, width: int) -> int:
        """Return the heights of all blocks and the gaps between them."""
        tall = [high for block in self.blocks if (high := block.height(width))]
        return sum(tall) + self.gap * max(0, len(tall) - 1)

    def items(self, area: Rect) -> Iterator[Item]:
        """Yield the items of each block from top to bottom."""
        y = area.y
        for block in self.blocks:
            tall = block.height(area.w)
            if tall:
                yield from block.items(Rect(area.x, y, area.w, tall))
                y += tall + self.gap


@dataclass(frozen=True, slots=True)
class Grid:
    """Blocks in columns of equal width, in reading order. A row is as tall as its tallest block."""

    blocks: Sequence[Block]
    columns: int
    gap: int = 12

    def height(self, width: int) -> int:
        """Return the heights of the rows and the gaps between them."""
        return Column(self._rows(), self.gap).height(width)

    def items(self, area: Rect) -> Iterator[Item]:
        """Yield the items of each block in reading order."""
        return Column(self._rows(), self.gap).items(area)

    def _rows(self) -> list[_Row]:
        cells = range(0, len(self.blocks), self.columns)
        return [_Row(self.blocks[first : first + self.columns], self.columns, self.gap) for first in cells]


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a grid."""

    blocks: Sequence[Block]
    columns: int
    gap: int

    def height(self, width: int) -> int:
        cells = layout.row(Rect(0, 0, width, 0), self.columns, self.gap)
        return max((block.height(cells[0].w) for block in self.blocks), default=0)

    def items(self, area: Rect) -> Iterator[Item]:
        cells = layout.row(area, self.columns, self.gap)
        for block, cell in zip(self.blocks, cells, strict=False):
            yield from block.items(cell)


class Piece(NamedTuple):
    """Something of a fixed size, such as a card or a chip, that flows in lines with others."""

    width: int
    tall: int
    draw: Draw


def tagged_piece(piece: Piece, tag: str) -> Piece:
    """Return the piece as one group with a tag."""
    return piece._replace(draw=lambda area: (ItemGroup(area, tuple(piece.draw(area)), tag),))


@dataclass(frozen=True, slots=True)
class Flow:
    """Pieces next to each other, in as many lines as needed. A line is as tall as its tallest piece.

    A line holds at most `most` pieces. A single piece that is too wide is narrowed to the area.
    """

    pieces: Sequence[Piece]
    gap: int = 12
    line_gap: int = GRID
    align: Align = Align.LEFT
    most: int = 1_000

    def height(self, width: int) -> int:
        """Return the heights of the lines and the gaps between them."""
        tall = [max(piece.tall for piece in line) for line in self.lines(width)]
        return sum(tall) + self.line_gap * max(0, len(tall) - 1)

    def items(self, area: Rect) -> Iterator[Item]:
        """Yield the items of each piece in reading order."""
        y = area.y
        for line in self.lines(area.w):
            free = area.w - sum(piece.width for piece in line) - self.gap * (len(line) - 1)
            x = area.x + {Align.LEFT: 0, Align.CENTRE: free // 2, Align.RIGHT: free}[self.align]
            for piece in line:
                yield from piece.draw(Rect(x, y, piece.width, piece.tall))
                x += piece.width + self.gap
            y += max(piece.tall for piece in line) + self.line_gap

    def lines(self, width: int) -> list[list[Piece]]:
        """Return the pieces of each line at that width."""
        found: list[list[Piece]] = []
        free = -1
        for whole in self.pieces:
            piece = whole._replace(width=min(whole.width, width))
            if free < piece.width or len(found[-1]) == self.most:
                found.append([])
                free = width
            found[-1].append(piece)
            free -= piece.width + self.gap
        return found


def even(count: int, most: int) -> int:
    """Return the number of pieces per line, at most `most`, that makes all lines about equally long.

    This looks tidier than full lines and a remainder.
    """
    lines = -(-count // most)
    return -(-count // lines) if lines else 1


TOP: Final = 16
"""Top of a table's head, in pixels."""
_FOOT: Final = 12
"""Minimum space above a foot, in pixels."""


def frozen(
    block: Block,
    alt: str,
    look: Look,
    *,
    top: int = TOP,
    bottom: int = MARGIN,
    ground: str = "felt",
    foot: Block | None = None,
) -> Scene:
    """Return a block between the margins as a picture BASE_WIDTH wide, as tall as needed.

    With a `foot`, the picture ends in a strip whose left corner stays free for the ALT badge. The foot is to
    the right of that corner.
    """
    area = band(top, block.height(INNER))
    items, height = tuple(block.items(area)), area.bottom + bottom
    if foot is not None:
        room = BASE_WIDTH - CORNER - MARGIN
        tall = foot.height(room)
        covered = max(area.bottom + BADGE, math.ceil(area.bottom / (1 - CORNER_SHARE)))
        height = max(area.bottom + _FOOT + tall + bottom, covered)
        y = area.bottom + (height - area.bottom - tall) // 2
        items += tuple(foot.items(Rect(CORNER, y, room, tall)))
    return Scene(BASE_WIDTH, height, items, alt, look, ground)
