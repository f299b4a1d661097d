"""What one move has brought, drawn large for the picture of the end: cards side by side, whose they were
above them and what they came to below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.presenters.voice import drawn_name
from bot.render import layout
from bot.render.blocks import Block, Draw, Flow, Piece, even
from bot.render.parts import person, person_width, seat_panel, text_width
from bot.render.scene import Align, Item, Look, Rect, Size, Text, Weight

WIDTH: Final = 1192
"""How wide the place for it is in the picture of the end, in pixels."""
TALL: Final = 320
"""How high a card is there."""
_IN_A_ROW: Final = 6
_GAP, _PAD = 16, 12
_LINE: Final = 60
"""How high a name or a caption is."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card of a highlight: what draws it, its width for its height, the seat that it belongs to (-1:
    nobody's), what is said below it, and whether it was the best."""

    draw: Draw
    ratio: float
    seat: int = -1
    caption: str = ""
    best: bool = False


def side_by_side(cards: Sequence[Card], look: Look) -> Block:
    """The cards in as few lines as they need; letters alone where a name would be cut."""
    line = even(len(cards), _IN_A_ROW)
    most = (WIDTH - _GAP * (line - 1)) // line
    names = [drawn_name(look, card.seat) if card.seat >= 0 else "" for card in cards]
    if any(_width(name) > most - 2 * _PAD for name in names):
        names = [""] * len(cards)
    named, told = any(card.seat >= 0 for card in cards), any(card.caption for card in cards)
    high = min(TALL, *(round((most - 2 * _PAD) / card.ratio) for card in cards))
    pieces = []
    for card, name in zip(cards, names, strict=True):
        wide = max(round(high * card.ratio), _width(name), text_width(card.caption, *_CAPTION))
        tall = high + _LINE * (named + told) + 2 * _PAD
        draw = partial(_card, card, name, named=named, told=told)
        pieces.append(Piece(min(most, wide + 2 * _PAD), tall, draw))
    return Flow(pieces, _GAP, _GAP, Align.CENTRE, line)


_CAPTION: Final = (Size.TITLE, Weight.BOLD)


def _width(name: str) -> int:
    return person_width(name, Size.CLEAR, weight=Weight.BOLD)


def _card(card: Card, name: str, area: Rect, *, named: bool, told: bool) -> Iterator[Item]:
    if card.best:
        yield seat_panel(area, lit=True)
    above, middle, below = layout.down(area.inset(_PAD, _PAD), (_LINE * named, None, _LINE * told), gap=0)
    if card.seat >= 0:
        wide = min(above.w, _width(name))
        place = Rect(above.x + (above.w - wide) // 2, above.y - 4, wide, above.h)
        yield from person(place, card.seat, name, Size.CLEAR, weight=Weight.BOLD)
    yield from card.draw(layout.fitted(middle, card.ratio))
    if card.caption:
        colour = "accent" if card.best else "text"
        yield Text(below, card.caption, *_CAPTION, colour, Align.CENTRE)
