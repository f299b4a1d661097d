"""Equal cards of a set as one: the card, the edges of its copies behind it, and how many there are."""

from __future__ import annotations

from typing import Final

from bot.render.playing_cards import JOKER, colour_of, star, suit
from bot.render.scene import Align, Weight
from bot.render.sprites import Pen, painter

STEP: Final = 0.12
"""How far a copy looks out from behind the one before it, in widths of a card."""
ROOMY: Final = 88
"""From this width on, in pixels, the number has room beside the suit."""
_LEAST: Final = 36
"""The smallest type that a phone shows well."""


def spread_of(width: float, copies: int) -> float:
    """How wide so many equal cards of a width are together."""
    return width * (1 + STEP * (copies - 1))


@painter("atom.copies")
def _copies(pen: Pen, args: tuple[str, str, str, int]) -> None:
    """Rank, suit, the number as it is written (or nothing), and how many cards."""
    rank, which, number, copies = args
    w, h = pen.width / spread_of(1, copies), pen.height
    pen.radius = w * 0.09
    line = max(2.0, w * 0.022)
    for copy in range(copies - 1, -1, -1):
        x = copy * STEP * w
        if copy < copies - 1:
            pen.box((x, 0, w + line, h), "ink_soft", pen.radius)
        pen.box((x, 0, w, h), "paper", pen.radius)
    _front(pen.within(0, 0, w, h), rank, which, number)


def _front(pen: Pen, rank: str, which: str, number: str) -> None:
    """The rank above, below it the suit, and the number at its right or, where that is narrow, below it."""
    w, h, colour = pen.width, pen.height, colour_of(which)
    edge = w * 0.07
    roomy = w >= ROOMY
    tall = w * 0.56 if roomy else _LEAST + 8.0
    if rank == JOKER:
        star(pen.within(edge, edge, tall * 0.86, tall * 0.86), colour)
    else:
        size = pen.fitting(rank, w * (0.66 if roomy else 0.94), max(_LEAST, w * 0.5), _LEAST, Weight.DISPLAY)
        pen.text(
            rank, (edge, edge * 0.5, w - edge, tall), size, colour, weight=Weight.DISPLAY, align=Align.LEFT
        )
    side = w * (0.42 if roomy else 0.58)
    foot = h - side - edge * 1.4
    if roomy:
        size = max(_LEAST, w * 0.36)
        pen.text(number, (w * 0.46, foot, w * 0.54, side), size, "ink")
    elif number:
        foot = tall + (h - tall - side - _LEAST) * 0.3
        pen.text(number, (0, h - _LEAST - 10, w, _LEAST + 8), _LEAST, "ink")
    sign = pen.within(edge if roomy else (w - side) / 2, foot, side, side)
    if rank == JOKER:
        star(sign, colour)
    else:
        suit(sign, which, colour)
