"""How the cards of a set are shown wherever they lie: one of each kind, with the number of its copies.

In words it is the same: 7♠×2 7♥.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from bot.presenters.atom.painters import ROOMY, spread_of
from bot.presenters.atom.words import Voice
from bot.render.blocks import Flow, Piece
from bot.render.playing_cards import RATIO
from bot.render.scene import Align, Item, Rect, Sprite, SpriteState
from engine.playing_cards import BLACK_JOKER, JOKER, RANK_LABELS, RED_JOKER, SUIT_NAMES

SMALL: Final = 96
"""The width of a card that lies at a seat or in a hand, in pixels: its rank is clear on a phone."""
TALL: Final = round(SMALL / RATIO)
"""How high such a card is."""
_GAP: Final = 8
_NARROW: Final = 44
"""No card is narrower, however many kinds a set has."""


def face(card: int) -> tuple[str, str]:
    """The arguments of the painter of card faces."""
    if card >= BLACK_JOKER:
        return RANK_LABELS[JOKER], "red" if card == RED_JOKER else "black"
    return RANK_LABELS[card >> 2], SUIT_NAMES[card & 3]


def laid(
    area: Rect,
    cards: Sequence[int],
    voice: Voice,
    *states: SpriteState,
    largest: int = SMALL,
    align: Align = Align.CENTRE,
) -> Iterator[Item]:
    """A set in one line, in the middle of the height; its cards get narrower where there are many kinds."""
    found = Counter(cards)
    order = sorted(found, key=lambda card: (card >= BLACK_JOKER, card))

    def wide(width: int) -> int:
        return sum(round(spread_of(width, many)) for many in found.values()) + _GAP * (len(order) - 1)

    fitting = (
        width for width in range(min(largest, round(area.h * RATIO)), _NARROW, -2) if wide(width) <= area.w
    )
    width = next(fitting, _NARROW)
    tall = min(area.h, max(TALL, round(width / RATIO)))
    pieces = [_piece(card, found[card], (width, tall), voice, states) for card in order]
    yield from Flow(pieces, _GAP, align=align).items(area._replace(y=area.y + (area.h - tall) // 2, h=tall))


def _piece(
    card: int, copies: int, size: tuple[int, int], voice: Voice, states: Sequence[SpriteState]
) -> Piece:
    """One kind of card with its copies."""
    width, tall = size
    name: tuple[str, tuple[str | int, ...]] = ("cards.face", face(card))
    if copies > 1 or width < ROOMY:
        number = voice("picture.multiple", n=copies) if copies > 1 else ""
        name = ("atom.copies", (*face(card), number, copies))
    shown = frozenset(states)
    return Piece(round(spread_of(width, copies)), tall, lambda at: (Sprite(*name, at, shown),))
