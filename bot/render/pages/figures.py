"""A worked example: a few cards in a row with captions below them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.render.blocks import Column, Paragraph, frozen
from bot.render.pages.poster import PosterTile
from bot.render.parts import BADGE, CORNER, CORNER_SHARE, text_width
from bot.render.scene import Align, Item, Look, Panel, Rect, Scene, Size, Sprite, SpriteState, Text, Weight
from bot.render.theme import RADIUS_CARD

_TALL: Final = 296
"""Maximum height of a card, in pixels."""
_GAP, _RIM, _CAPTION = 36, 8, 60
"""Space between figures, width of the rim around a marked one, and height of a caption, in pixels."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One card of the example, or several that belong together, with a caption.

    `sign` comes before it (+, →). `lit` marks a card that wins or is made, `faint` one that is lost or held
    back. `ground` is a background colour for sprites without one, `beside` the space between cards.
    """

    tiles: tuple[PosterTile, ...]
    caption: str = ""
    sign: str = ""
    lit: bool = False
    faint: bool = False
    ground: str = ""
    beside: int = 10

    def width(self, tall: int) -> int:
        """Return the width of its cards at that height."""
        return sum(round(tall * tile.shape) for tile in self.tiles) + self.beside * (len(self.tiles) - 1)


@dataclass(frozen=True, slots=True)
class _Row:
    """All figures in one row, as tall as the width allows."""

    figures: Sequence[Figure]

    def _signs(self) -> int:
        return sum(text_width(one.sign, Size.LARGE, Weight.BOLD) + _GAP for one in self.figures if one.sign)

    def _tall(self, width: int) -> int:
        free = width - self._signs() - _GAP * (len(self.figures) - 1) - 2 * _RIM
        free -= sum(one.beside * (len(one.tiles) - 1) for one in self.figures)
        return min(_TALL, int(free / sum(tile.shape for one in self.figures for tile in one.tiles)))

    def _captioned(self) -> bool:
        return any(one.caption for one in self.figures)

    def height(self, width: int) -> int:
        return self._tall(width) + 2 * _RIM + (_CAPTION if self._captioned() else 0)

    def items(self, area: Rect) -> Iterator[Item]:
        tall = self._tall(area.w)
        widths = [one.width(tall) for one in self.figures]
        free = area.w - sum(widths) - self._signs()
        # captions are often wider than cards, so spare width is put between the cards
        spare = max(
            text_width(one.caption, Size.CLEAR, Weight.BOLD) + 24 - wide
            for one, wide in zip(self.figures, widths, strict=True)
        )
        gap = min(max(3 * _GAP, spare), free // len(self.figures))
        x = area.x + (free - gap * (len(self.figures) - 1)) // 2
        y = area.y + _RIM
        for one, wide in zip(self.figures, widths, strict=True):
            if one.sign:
                room = text_width(one.sign, Size.LARGE, Weight.BOLD)
                place = Rect(x - gap // 2 + _GAP // 2, y, room, tall)
                yield Text(place, one.sign, Size.LARGE, Weight.BOLD, "muted", Align.CENTRE)
                x += room + _GAP
            yield from self._cards(one, Rect(x, y, wide, tall))
            if one.caption:
                spare = gap // 2 - 4
                below = Rect(x - spare, y + tall + _RIM, wide + 2 * spare, _CAPTION)
                colour = "accent" if one.lit else "text"
                yield Text(below, one.caption, Size.CLEAR, Weight.BOLD, colour, Align.CENTRE)
            x += wide + gap

    @staticmethod
    def _cards(one: Figure, area: Rect) -> Iterator[Item]:
        if one.lit:
            yield Panel(area.inset(-_RIM), None, RADIUS_CARD + _RIM, "accent", _RIM)
        states = frozenset({SpriteState.DIMMED}) if one.faint else frozenset[SpriteState]()
        x = area.x
        for tile in one.tiles:
            place = Rect(x, area.y, round(area.h * tile.shape), area.h)
            if one.ground:
                yield Panel(place, one.ground, RADIUS_CARD)
            yield Sprite(tile.painter, tile.args, place, states)
            x = place.right + one.beside


def figures_scene(head: str, figures: Sequence[Figure], alt: str, look: Look, ground: str = "felt") -> Scene:
    """Return a heading that sums up the example, and its cards."""
    title = Paragraph(head, (Size.TITLE, Size.CLEAR), Weight.BOLD, align=Align.CENTRE, lines=2)
    drawn = frozen(Column((title, _Row(figures)), 16), alt, look, bottom=0, ground=ground)
    free = round(drawn.height * CORNER_SHARE / (1 - CORNER_SHARE))
    if any(item.rect.x < CORNER and item.rect.bottom > drawn.height + free - BADGE for item in drawn.items):
        free = BADGE
    return Scene(drawn.width, drawn.height + free, drawn.items, alt, look, ground)
