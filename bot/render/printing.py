"""Cards on paper: nine of poker size per sheet, with cut marks, backs and a rule sheet.

Fronts and backs touch, so one straight cut separates two cards. A sheet of backs is the mirror image of its
fronts: printed on both sides and flipped along the long edge, each back is behind its front. The background
of the backs extends beyond the outer cuts, so a slightly shifted sheet shows no white.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bot.render.blocks import Block, Column
from bot.render.parts import MARGIN
from bot.render.pdf import Area, LaidPage, PdfSheet, Stroke
from bot.render.scene import BASE_WIDTH, Item, Look, Panel, Rect, Scene, Sprite

PALETTE: Final = "contrast"
"""Black on white, for paper."""
CARD: Final = (63.0, 88.0)
"""Width and height of a card, in millimetres."""
COLUMNS: Final = 3
ROWS: Final = 3
EACH: Final = COLUMNS * ROWS
"""Number of cards on a sheet."""
BLEED: Final = 2.0
"""Distance that the background of the backs extends beyond the cut, in millimetres."""
MARK: Final = (2.5, 3.0)
"""Distance of a cut mark from the cards, and its length, in millimetres."""

TALL: Final = round(BASE_WIDTH * CARD[1] / CARD[0])
"""Height of the picture of a card BASE_WIDTH wide: 516 pixels per inch."""
EDGE: Final = 64
"""Space around the print on a card, in pixels: three millimetres, for imprecise cuts."""
INNER_WIDE: Final = BASE_WIDTH - 2 * EDGE
INNER_TALL: Final = TALL - 2 * EDGE

_SHEET_EDGE: Final = 15.0
_BETWEEN: Final = 8.0
"""Space around the columns of the rule sheet, and between the two, in millimetres."""
PARAGRAPH: Final = 16
"""Space between two paragraphs, in pixels."""


class Paper(NamedTuple):
    """The size of a sheet of paper in portrait format, in millimetres."""

    width: float
    height: float


PAPERS: Final = {"a4": Paper(210.0, 297.0), "letter": Paper(215.9, 279.4)}


# -- contents of a card ---------------------------------------------------------------------


def front(body: Block, alt: str, look: Look) -> Scene:
    """Return the front of a card, with a block in the area that is safe from being cut off."""
    area = Rect(EDGE, EDGE, INNER_WIDE, INNER_TALL)
    return _on_paper(tuple(body.items(area)), TALL, alt, look)


def blank(look: Look) -> Scene:
    """Return the front of a blank card to write on."""
    return _on_paper((), TALL, "", look)


def back(look: Look) -> Scene:
    """Return the back of every card."""
    whole = Rect(0, 0, BASE_WIDTH, TALL)
    sign = Sprite("cards.back", ("",), whole.inset(EDGE))
    return Scene(BASE_WIDTH, TALL, (Panel(whole, "back"), sign), "", look)


def _on_paper(items: tuple[Item, ...], height: int, alt: str, look: Look) -> Scene:
    ground = Panel(Rect(0, 0, BASE_WIDTH, height), "paper")
    return Scene(BASE_WIDTH, height, (ground, *items), alt, look)


# -- positions on a sheet --------------------------------------------------------------------


def places(paper: Paper) -> tuple[Area, ...]:
    """Return the areas of the cards on a sheet, in reading order, centred on the paper."""
    left, top = (paper.width - COLUMNS * CARD[0]) / 2, (paper.height - ROWS * CARD[1]) / 2
    return tuple(
        Area(left + column * CARD[0], top + row * CARD[1], *CARD)
        for row in range(ROWS)
        for column in range(COLUMNS)
    )


def mirrored(area: Area, paper: Paper) -> Area:
    """Return the area after the paper is flipped along its long edge."""
    return area._replace(x=paper.width - area.x - area.width)


def marks(paper: Paper) -> tuple[Stroke, ...]:
    """Return a mark at both ends of every cut."""
    first, last = places(paper)[0], places(paper)[-1]
    right, bottom = last.x + last.width, last.y + last.height
    off, long = MARK
    found: list[Stroke] = []
    for column in range(COLUMNS + 1):
        x = first.x + column * CARD[0]
        found += [
            Stroke(x, first.y - off - long, x, first.y - off),
            Stroke(x, bottom + off, x, bottom + off + long),
        ]
    for row in range(ROWS + 1):
        y = first.y + row * CARD[1]
        found += [
            Stroke(first.x - off - long, y, first.x - off, y),
            Stroke(right + off, y, right + off + long, y),
        ]
    return tuple(found)


def card_sheets(
    fronts: Sequence[Scene], look: Look, paper: Paper, *, backs: bool = True
) -> Iterator[PdfSheet]:
    """Yield sheets with these cards, each followed by the sheet of its backs. Blanks fill the last one."""
    spots, cuts, behind = places(paper), marks(paper), back(look)
    ground = Area(
        spots[0].x - BLEED, spots[0].y - BLEED, COLUMNS * CARD[0] + 2 * BLEED, ROWS * CARD[1] + 2 * BLEED
    )
    for begin in range(0, len(fronts), EACH):
        some = [*fronts[begin : begin + EACH]]
        some += [blank(look)] * (EACH - len(some))
        yield PdfSheet(tuple(map(LaidPage, some, spots)), cuts)
        if backs:
            laid = tuple(LaidPage(behind, mirrored(spot, paper)) for spot in spots)
            yield PdfSheet(laid, cuts, (ground, "back"))


def rule_sheets(blocks: Sequence[Block], alt: str, look: Look, paper: Paper) -> Iterator[PdfSheet]:
    """Yield the rules in two columns, on as many sheets as needed. No block is split."""
    wide = (paper.width - 2 * _SHEET_EDGE - _BETWEEN) / 2
    tall = paper.height - 2 * _SHEET_EDGE
    height = int(BASE_WIDTH * tall / wide)
    columns = [_on_paper(tuple(items), height, alt, look) for items in _columns(blocks, height)]
    for begin in range(0, len(columns), 2):
        yield PdfSheet(
            tuple(
                LaidPage(column, Area(_SHEET_EDGE + at * (wide + _BETWEEN), _SHEET_EDGE, wide, tall))
                for at, column in enumerate(columns[begin : begin + 2])
            )
        )


def _columns(blocks: Sequence[Block], height: int) -> Iterator[list[Item]]:
    """Yield the items of each column, filled with as many blocks as fit."""
    room = BASE_WIDTH - 2 * MARGIN
    waiting, some = list(blocks), list[Block]()
    while waiting or some:
        more = Column((*some, *waiting[:1]), PARAGRAPH)
        if waiting and (not some or more.height(room) <= height):
            some.append(waiting.pop(0))
            continue
        yield list(Column(some, PARAGRAPH).items(Rect(MARGIN, 0, room, height)))
        some = []
