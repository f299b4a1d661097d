"""Small signs shared by all games: medals for three places, a trophy, and small versions of a game's emblem.

Painters: `emblems.medal` (the place, 1 to 3), `emblems.trophy` (nothing), `emblems.small` (painter, args and
shape of the original). A medal shows its place, so its metal is not needed to recognise it.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from PIL import Image

from bot.render import sprites
from bot.render import text as letters
from bot.render.scene import Weight
from bot.render.sprites import Pen, painter

TROPHY: Final = "emblems.trophy"
METALS: Final = ("accent", "ink_faint", "seat1")
"""Gold, silver, bronze."""
_DRAWN: Final = 280
"""Height at which an emblem is drawn before it is scaled down. Many cards cannot be drawn at 100 px."""


@painter("emblems.medal", printed=True)
def _medal(pen: Pen, args: tuple[int]) -> None:
    """Draw a disc on a ribbon with the place on it."""
    (place,) = args
    metal, (w, h) = METALS[place - 1], (pen.width, pen.height)
    for side, colour in ((-1, "suit_red"), (1, "back_line")):
        outer, inner = w / 2 + side * w * 0.34, w / 2 + side * w * 0.06
        pen.polygon([(outer, 0), (inner, 0), (w / 2, h * 0.5), (w / 2 + side * w * 0.24, h * 0.5)], colour)
    radius = min(w, h * 0.74) / 2
    centre = w / 2, h - radius
    pen.disc(centre, radius, pen.blend(metal, "ink", 0.35))
    pen.disc(centre, radius * 0.92, metal)
    pen.ring(centre, radius * 0.76, pen.blend(metal, "paper", 0.6), thickness=radius * 0.09)
    area = (centre[0] - radius, centre[1] - radius, 2 * radius, 2 * radius)
    pen.text(str(place), area, radius * 1.12, "ink", weight=Weight.DISPLAY)


@painter(TROPHY, printed=True)
def _trophy(pen: Pen, args: tuple[()]) -> None:  # noqa: ARG001 - there is one trophy
    """Draw a cup with two handles on a foot."""
    side = min(pen.width, pen.height)
    cup = pen.within((pen.width - side) / 2, (pen.height - side) / 2, side, side)
    unit = side / 100
    dark = pen.blend("accent", "ink", 0.35)
    for middle in (24, 76):
        cup.ring((middle * unit, 27 * unit), 15 * unit, dark, thickness=7 * unit)
    left = [(24, 6), (26, 30), (32, 46), (40, 56), (46, 60), (46, 74)]
    outline = [*left, *((100 - x, y) for x, y in reversed(left))]
    cup.polygon([(x * unit, y * unit) for x, y in outline], "accent")
    shine = [(32, 12), (38, 12), (39, 32), (45, 46), (38, 44), (33, 30)]
    cup.polygon([(x * unit, y * unit) for x, y in shine], pen.blend("accent", "paper", 0.7))
    cup.box((20 * unit, 4 * unit, 60 * unit, 8 * unit), pen.blend("accent", "paper", 0.35), 4 * unit)
    cup.box((34 * unit, 74 * unit, 32 * unit, 9 * unit), dark, 3 * unit)
    cup.box((26 * unit, 83 * unit, 48 * unit, 13 * unit), pen.blend("accent", "ink", 0.6), 4 * unit)


@painter("emblems.small", printed=True)
def _small(pen: Pen, args: tuple[str, tuple[Hashable, ...], float]) -> None:
    """Draw a card as a mere sign. Its text is not meant to be read, so the audit does not see it."""
    key, drawn_with, shape = args
    with letters.recording():
        drawn, _ = sprites.draw(key, drawn_with, round(_DRAWN * shape), _DRAWN, pen.theme)
    pen.radius = 8
    pen.image.paste(drawn.resize(pen.image.size, Image.Resampling.LANCZOS))
