"""The cards of one move, drawn large side by side for the end-of-game picture.

Each card shows its owner above it and its value below.
"""

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
"""Width of a highlight in the end-of-game picture, in pixels."""
TALL: Final = 320
"""Maximum height of a card, in pixels."""
_IN_A_ROW: Final = 6
_GAP, _PAD = 16, 12
_LINE: Final = 60
"""Height of a name or a caption, in pixels."""


@dataclass(frozen=True, slots=True)
class HighlightCard:
    """One card of a highlight: its drawing, width-to-height ratio, seat (-1 for none) and caption, and
    whether it was the best."""

    draw: Draw
    ratio: float
    seat: int = -1
    caption: str = ""
    best: bool = False


def side_by_side(cards: Sequence[HighlightCard], look: Look) -> Block:
    """Lay out the cards in as few rows as possible. If a name would be cut, show seat letters only.

    All captions have the same size, the largest at which none is cut. If even the smallest size would cut a
    caption, a row holds fewer cards.
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


def _line(cards: Sequence[HighlightCard]) -> tuple[int, Size]:
    """Return how many cards fit in a row, and the size of their captions."""
    captions = [card.caption for card in cards]
    for most in range(_IN_A_ROW, 0, -1):
        line = even(len(cards), most)
        size = fitting(captions, _CAPTIONS, _room(line) - 2 * _PAD)
        if size is not None:
            return line, size
    return 1, _CAPTIONS[-1]


def fitting(strings: Sequence[str], sizes: Sequence[Size], wide: int) -> Size | None:
    """Return the first size at which none of the bold strings is wider than `wide`, or None.

    Every string is measured: the one with more letters may be narrower.
    """
    fits = (
        size for size in sizes if all(text_width(string, size, Weight.BOLD) <= wide for string in strings)
    )
    return next(fits, None)


def _room(line: int) -> int:
    """Return the maximum width of a card if a row holds `line` cards."""
    return (WIDTH - _GAP * (line - 1)) // line


def _width(name: str) -> int:
    return person_width(name, Size.CLEAR, weight=Weight.BOLD)


def _card(
    card: HighlightCard, name: str, size: Size, area: Rect, *, named: bool, told: bool
) -> Iterator[Item]:
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
