"""The page of a card, the same in every game: what it looks like, its name, what it does, its kind."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.render.blocks import Block, Column, Flow, Piece, Words, frozen
from bot.render.parts import CORNER, CORNER_SHARE, MARGIN
from bot.render.scene import Align, Item, Look, Panel, Rect, Scene, Size, Sprite, Weight
from bot.render.theme import RADIUS_CARD, RADIUS_PANEL, RADIUS_SMALL, theme

RIM: Final = 12
"""Of the card's colour round its paper, in pixels."""
PAD: Final = 40
"""Round what stands on the paper, in pixels."""
GAP: Final = 28
FOOT: Final = 104
"""The least height of the foot with the kind, in pixels."""
WIDE: Final = 680
"""Of a wider drawing the name stands above, not beside, in pixels."""
TABLE: Final = 24
"""Of the table round cards that lie on it, in pixels."""
SIGN: Final = 72
"""Side of a sign beside what it stands for, in pixels."""


class Mark(NamedTuple):
    """A sign: its painter and what that draws."""

    painter: str
    args: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """One of several things that a card does: its sign on its colour, its name, and what it is; the sign
    is pale where it does not count now."""

    mark: Mark
    colour: str
    title: str
    text: str
    active: bool = True


class Kind(NamedTuple):
    """What kind of card it is: in words, its colour, and its signs."""

    name: str
    colour: str
    marks: tuple[Mark, ...] = ()


def on_table(art: Piece) -> Piece:
    """A drawing of cards, which would be paper on paper, on the colour of a table."""

    def draw(area: Rect) -> Iterator[Item]:
        yield Panel(area, "panel", RADIUS_CARD)
        yield from art.draw(area.inset(TABLE))

    return Piece(art.width + 2 * TABLE, art.tall + 2 * TABLE, draw)


class _Beside(NamedTuple):
    """A drawing with a block at its right, both in the middle of the height."""

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
    """A fact: its sign at the left, its words beside it."""

    fact: Fact

    def height(self, width: int) -> int:
        return max(SIGN, self._words().height(width - SIGN - GAP))

    def items(self, area: Rect) -> Iterator[Item]:
        fact, box = self.fact, Rect(area.x, area.y + 4, SIGN, SIGN)
        yield Panel(box, fact.colour if fact.active else "paper_low", RADIUS_SMALL)
        yield Sprite(*fact.mark, box.inset(10))
        yield from self._words().items(Rect(area.x + SIGN + GAP, area.y, area.w - SIGN - GAP, area.h))

    def _words(self) -> Column:
        # what does not count now is still what somebody has looked the card up for
        ink = "ink" if self.fact.active else "ink_soft"
        title = Words(self.fact.title, (Size.CLEAR,), Weight.BOLD, ink, lines=2)
        return Column((title, Words(self.fact.text, (Size.CLEAR,), colour="ink_soft", lines=9)))


class _Card(NamedTuple):
    """Paper with a rim, and the foot in whose right half the kind stands, in this ink."""

    body: Block
    kind: Kind
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
        yield from Words(self.kind.name, (Size.TITLE, Size.CLEAR), Weight.BOLD, self.ink, Align.RIGHT).items(
            Rect(CORNER, foot.y, x - CORNER, foot.h)
        )

    def _paper(self, width: int) -> int:
        return self.body.height(width - 2 * (RIM + PAD)) + RIM + 2 * PAD

    def _foot(self, paper: int) -> int:
        """The height at which the corner of the whole picture, which others may cover, lies in the foot."""
        covered = CORNER_SHARE * (paper + 2 * MARGIN)
        return max(FOOT, math.ceil((covered - MARGIN) / (1 - CORNER_SHARE)))


def card_page(
    title: str,
    kind: Kind,
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
    """One card, large: its drawing with number, name and a note, below them what it does, at the foot its
    kind.

    The left end of the foot stays free for the ALT badge.
    """
    head = Column(
        (
            Words(number, (Size.HUGE,), Weight.DISPLAY, "ink"),
            Words(title, (Size.LARGE, Size.TITLE), Weight.BOLD, "ink", lines=2),
            Words(note, (Size.CLEAR,), colour="ink_soft", lines=3),
        ),
        gap=8,
    )
    words = Words(text, (Size.TITLE, Size.CLEAR), colour="ink", lines=9)
    body = Column((_headed(head, art), words, *map(_Told, facts)), GAP)
    card = _Card(body, kind, theme(look.palette).on(kind.colour))
    return frozen(card, alt, look, top=MARGIN, ground=ground)


def _headed(head: Block, art: Piece | None) -> Block:
    """The drawing with the name beside it, or below the name where it is wide."""
    if art is None:
        return head
    if art.width > WIDE:
        return Column((head, Flow([art], align=Align.CENTRE)), GAP)
    return _Beside(art, head)
