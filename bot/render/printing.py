"""Cards on paper: nine of poker size on a sheet, with marks to cut along, backs and a rule sheet.

Fronts and backs touch, so that one straight cut parts two cards. A sheet of backs is the mirror image of its
fronts: printed on both sides and flipped along the long edge, each back comes to lie behind its front. The
ground of the backs goes on beyond the outer cuts, so that a sheet that slipped a little shows no white.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bot.render.blocks import Block, Column
from bot.render.parts import MARGIN
from bot.render.pdf import Area, Laid, Sheet, Stroke
from bot.render.scene import BASE_WIDTH, Item, Look, Panel, Rect, Scene, Sprite

PALETTE: Final = "contrast"
"""Black on white, for paper."""
CARD: Final = (63.0, 88.0)
"""Width and height of a card, in millimetres."""
COLUMNS: Final = 3
ROWS: Final = 3
EACH: Final = COLUMNS * ROWS
"""How many cards a sheet has."""
BLEED: Final = 2.0
"""How far the ground of the backs goes on beyond the cut, in millimetres."""
MARK: Final = (2.5, 3.0)
"""How far from the cards a mark begins, and how long it is, in millimetres."""

TALL: Final = round(BASE_WIDTH * CARD[1] / CARD[0])
"""The height of the picture of a card, BASE_WIDTH wide: 516 pixels an inch."""
EDGE: Final = 64
"""Round what is printed on a card, in pixels: three millimetres, for cuts that miss."""
INNER_WIDE: Final = BASE_WIDTH - 2 * EDGE
INNER_TALL: Final = TALL - 2 * EDGE

_SHEET_EDGE: Final = 15.0
_BETWEEN: Final = 8.0
"""Round the columns of the rule sheet, and between the two, in millimetres."""
PARAGRAPH: Final = 16
"""Between two paragraphs, in pixels."""


class Paper(NamedTuple):
    """A sheet of paper, upright: its width and height in millimetres."""

    width: float
    height: float


PAPERS: Final = {"a4": Paper(210.0, 297.0), "letter": Paper(215.9, 279.4)}


# -- what is on a card ----------------------------------------------------------------------


def front(body: Block, alt: str, look: Look) -> Scene:
    """The front of a card: a block in the room that is surely not cut off."""
    area = Rect(EDGE, EDGE, INNER_WIDE, INNER_TALL)
    return _on_paper(tuple(body.items(area)), TALL, alt, look)


def blank(look: Look) -> Scene:
    """The front of a card to write on."""
    return _on_paper((), TALL, "", look)


def back(look: Look) -> Scene:
    """The back of every card."""
    whole = Rect(0, 0, BASE_WIDTH, TALL)
    sign = Sprite("cards.back", ("",), whole.inset(EDGE))
    return Scene(BASE_WIDTH, TALL, (Panel(whole, "back"), sign), "", look)


def _on_paper(items: tuple[Item, ...], height: int, alt: str, look: Look) -> Scene:
    ground = Panel(Rect(0, 0, BASE_WIDTH, height), "paper")
    return Scene(BASE_WIDTH, height, (ground, *items), alt, look)


# -- where it lies --------------------------------------------------------------------------


def places(paper: Paper) -> tuple[Area, ...]:
    """Where the cards of a sheet lie, in reading order, in the middle of the paper."""
    left, top = (paper.width - COLUMNS * CARD[0]) / 2, (paper.height - ROWS * CARD[1]) / 2
    return tuple(
        Area(left + column * CARD[0], top + row * CARD[1], *CARD)
        for row in range(ROWS)
        for column in range(COLUMNS)
    )


def mirrored(area: Area, paper: Paper) -> Area:
    """Where something lies when the paper is flipped along its long edge."""
    return area._replace(x=paper.width - area.x - area.width)


def marks(paper: Paper) -> tuple[Stroke, ...]:
    """A mark at both ends of every cut."""
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


def card_sheets(fronts: Sequence[Scene], look: Look, paper: Paper, *, backs: bool = True) -> Iterator[Sheet]:
    """Sheets with these cards, each followed by that of its backs; blanks fill the last one."""
    spots, cuts, behind = places(paper), marks(paper), back(look)
    ground = Area(
        spots[0].x - BLEED, spots[0].y - BLEED, COLUMNS * CARD[0] + 2 * BLEED, ROWS * CARD[1] + 2 * BLEED
    )
    for begin in range(0, len(fronts), EACH):
        some = [*fronts[begin : begin + EACH]]
        some += [blank(look)] * (EACH - len(some))
        yield Sheet(tuple(map(Laid, some, spots)), cuts)
        if backs:
            laid = tuple(Laid(behind, mirrored(spot, paper)) for spot in spots)
            yield Sheet(laid, cuts, (ground, "back"))


def rule_sheets(blocks: Sequence[Block], alt: str, look: Look, paper: Paper) -> Iterator[Sheet]:
    """The rules in two columns on as many sheets as they take; no block is torn apart."""
    wide = (paper.width - 2 * _SHEET_EDGE - _BETWEEN) / 2
    tall = paper.height - 2 * _SHEET_EDGE
    height = int(BASE_WIDTH * tall / wide)
    columns = [_on_paper(tuple(items), height, alt, look) for items in _columns(blocks, height)]
    for begin in range(0, len(columns), 2):
        yield Sheet(
            tuple(
                Laid(column, Area(_SHEET_EDGE + at * (wide + _BETWEEN), _SHEET_EDGE, wide, tall))
                for at, column in enumerate(columns[begin : begin + 2])
            )
        )


def _columns(blocks: Sequence[Block], height: int) -> Iterator[list[Item]]:
    """The items of the columns, each filled with as many blocks as it takes."""
    room = BASE_WIDTH - 2 * MARGIN
    waiting, some = list(blocks), list[Block]()
    while waiting or some:
        more = Column((*some, *waiting[:1]), PARAGRAPH)
        if waiting and (not some or more.height(room) <= height):
            some.append(waiting.pop(0))
            continue
        yield list(Column(some, PARAGRAPH).items(Rect(MARGIN, 0, room, height)))
        some = []
