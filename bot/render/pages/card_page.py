"""The page of a card, the same in every game: its drawing, name, effects and kind."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.render.blocks import Block, Column, Flow, Paragraph, Piece, frozen
from bot.render.parts import CORNER, CORNER_SHARE, MARGIN
from bot.render.scene import Align, Item, Look, Panel, Rect, Scene, Size, Sprite, Weight
from bot.render.theme import RADIUS_CARD, RADIUS_PANEL, RADIUS_SMALL, theme

RIM: Final = 12
"""Width of the rim in the card's colour around its paper, in pixels."""
PAD: Final = 40
"""Space around the contents of the paper, in pixels."""
GAP: Final = 28
FOOT: Final = 104
"""Minimum height of the foot with the kind, in pixels."""
WIDE: Final = 680
"""Maximum width of a drawing with the name at its side, in pixels. A wider one is below the name."""
TABLE: Final = 24
"""Width of the visible table around cards that lie on it, in pixels."""
SIGN: Final = 72
"""Side of a sign next to its fact, in pixels."""


class Mark(NamedTuple):
    """A sign: its painter and args."""

    painter: str
    args: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """One effect of a card: its sign on its colour, its name, and its description.

    The sign is pale if the effect does not apply now.
    """

    mark: Mark
    colour: str
    title: str
    text: str
    active: bool = True


class CardKind(NamedTuple):
    """The kind of a card: its name, colour and signs."""

    name: str
    colour: str
    marks: tuple[Mark, ...] = ()


def on_table(art: Piece) -> Piece:
    """Return a drawing of cards on the colour of a table. On the page they would be paper on paper."""

    def draw(area: Rect) -> Iterator[Item]:
        yield Panel(area, "panel", RADIUS_CARD)
        yield from art.draw(area.inset(TABLE))

    return Piece(art.width + 2 * TABLE, art.tall + 2 * TABLE, draw)


class _Beside(NamedTuple):
    """A drawing with a block to its right, both vertically centred."""

    art: Piece
    block: Block

    def height(self, width: int) -> int:
        return max(self.art.tall, self.block.height(width - self.art.width - PAD))

    def items(self, area: Rect) -> Iterator[Item]:
        art, x = self.art, area.x + self.art.width + PAD
        yield from art.draw(Rect(area.x, area.y + (area.h - art.tall) // 2, art.width, art.tall))
        tall = self.block.height(area.right - x)
        yield from self.block.items(Rect(x, area.y + (area.h - tall) // 2, area.right - x, tall))


class _Told(NamedTuple):
    """A fact: its sign at the left, its words to the right."""

    fact: Fact

    def height(self, width: int) -> int:
        return max(SIGN, self._words().height(width - SIGN - GAP))

    def items(self, area: Rect) -> Iterator[Item]:
        fact, box = self.fact, Rect(area.x, area.y + 4, SIGN, SIGN)
        yield Panel(box, fact.colour if fact.active else "paper_low", RADIUS_SMALL)
        yield Sprite(*fact.mark, box.inset(10))
        yield from self._words().items(Rect(area.x + SIGN + GAP, area.y, area.w - SIGN - GAP, area.h))

    def _words(self) -> Column:
        # someone may have looked the card up for an effect that does not apply now
        ink = "ink" if self.fact.active else "ink_soft"
        title = Paragraph(self.fact.title, (Size.CLEAR,), Weight.BOLD, ink, lines=2)
        return Column((title, Paragraph(self.fact.text, (Size.CLEAR,), colour="ink_soft", lines=9)))


class _Card(NamedTuple):
    """Paper with a rim, and a foot with the kind in its right half, in this ink."""

    body: Block
    kind: CardKind
    ink: str

    def height(self, width: int) -> int:
        paper = self._paper(width)
        return paper + self._foot(paper)

    def items(self, area: Rect) -> Iterator[Item]:
        tall = self._paper(area.w)
        paper = Rect(area.x + RIM, area.y + RIM, area.w - 2 * RIM, tall - RIM)
        foot = Rect(area.x, area.y + tall, area.w, area.h - tall)
        yield Panel(area, self.kind.colour, RADIUS_PANEL)
        yield Panel(paper, "paper", RADIUS_PANEL - RIM)
        yield from self.body.items(paper.inset(PAD))
        x = foot.right - PAD
        for mark in reversed(self.kind.marks):
            x -= SIGN
            yield Sprite(*mark, Rect(x, foot.y + (foot.h - SIGN) // 2, SIGN, SIGN))
            x -= GAP
        yield from Paragraph(
            self.kind.name, (Size.TITLE, Size.CLEAR), Weight.BOLD, self.ink, Align.RIGHT
        ).items(Rect(CORNER, foot.y, x - CORNER, foot.h))

    def _paper(self, width: int) -> int:
        return self.body.height(width - 2 * (RIM + PAD)) + RIM + 2 * PAD

    def _foot(self, paper: int) -> int:
        """Return the height at which the picture's covered corner fits into the foot."""
        covered = CORNER_SHARE * (paper + 2 * MARGIN)
        return max(FOOT, math.ceil((covered - MARGIN) / (1 - CORNER_SHARE)))


def card_page(
    title: str,
    kind: CardKind,
    alt: str,
    look: Look,
    *,
    art: Piece | None = None,
    number: str = "",
    note: str = "",
    text: str = "",
    facts: Iterable[Fact] = (),
    ground: str = "felt",
) -> Scene:
    """Return one large card: its drawing with number, name and note, its effects below, and its kind at the
    foot.

    The left end of the foot stays free for the ALT badge.
    """
    head = Column(
        (
            Paragraph(number, (Size.HUGE,), Weight.DISPLAY, "ink"),
            Paragraph(title, (Size.LARGE, Size.TITLE), Weight.BOLD, "ink", lines=2),
            Paragraph(note, (Size.CLEAR,), colour="ink_soft", lines=3),
        ),
        gap=8,
    )
    words = Paragraph(text, (Size.TITLE, Size.CLEAR), colour="ink", lines=9)
    body = Column((_headed(head, art), words, *map(_Told, facts)), GAP)
    card = _Card(body, kind, theme(look.palette).on(kind.colour))
    return frozen(card, alt, look, top=MARGIN, ground=ground)


def _headed(head: Block, art: Piece | None) -> Block:
    """Return the drawing with the name at its side, or below the name if the drawing is wide."""
    if art is None:
        return head
    if art.width > WIDE:
        return Column((head, Flow([art], align=Align.CENTRE)), GAP)
    return _Beside(art, head)
