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
    """The cards in as few lines as they need; letters alone where a name would be cut.

    The captions are all of one size, the largest at which none is cut. Where even the smallest would cut one,
    fewer cards stand in a line.
    """
    line, size = _line(cards)
    most = _room(line)
    names = [drawn_name(look, card.seat) if card.seat >= 0 else "" for card in cards]
    if any(_width(name) > most - 2 * _PAD for name in names):
        names = [""] * len(cards)
    named, told = any(card.seat >= 0 for card in cards), any(card.caption for card in cards)
    high = min(TALL, *(round((most - 2 * _PAD) / card.ratio) for card in cards))
    pieces = []
    for card, name in zip(cards, names, strict=True):
        wide = max(round(high * card.ratio), _width(name), text_width(card.caption, size, Weight.BOLD))
        tall = high + _LINE * (named + told) + 2 * _PAD
        draw = partial(_card, card, name, size, named=named, told=told)
        pieces.append(Piece(min(most, wide + 2 * _PAD), tall, draw))
    return Flow(pieces, _GAP, _GAP, Align.CENTRE, line)


_CAPTIONS: Final = (Size.TITLE, Size.CLEAR, Size.BODY)


def _line(cards: Sequence[Card]) -> tuple[int, Size]:
    """How many cards stand in a line, and the size of what is said below them."""
    captions = [card.caption for card in cards]
    for most in range(_IN_A_ROW, 0, -1):
        line = even(len(cards), most)
        size = fitting(captions, _CAPTIONS, _room(line) - 2 * _PAD)
        if size is not None:
            return line, size
    return 1, _CAPTIONS[-1]


def fitting(strings: Sequence[str], sizes: Sequence[Size], wide: int) -> Size | None:
    """The first size at which none of the bold strings is wider than that; None where there is none.

    Each is measured: of two strings the one with more letters may be the narrower one.
    """
    fits = (
        size for size in sizes if all(text_width(string, size, Weight.BOLD) <= wide for string in strings)
    )
    return next(fits, None)


def _room(line: int) -> int:
    """How wide a card may be where so many stand in a line."""
    return (WIDTH - _GAP * (line - 1)) // line


def _width(name: str) -> int:
    return person_width(name, Size.CLEAR, weight=Weight.BOLD)


def _card(card: Card, name: str, size: Size, area: Rect, *, named: bool, told: bool) -> Iterator[Item]:
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
        yield Text(below, card.caption, size, Weight.BOLD, colour, Align.CENTRE)
