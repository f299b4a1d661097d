"""Two painters for pictures of a whole game: curves, and a picture within a picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PIL import Image

from bot.render.canvas import Canvas
from bot.render.scene import Rect, Scene
from bot.render.sprites import Pen, painter

_THICK: Final = 7.0

Series = tuple[tuple[float, ...], ...]
"""One curve for each seat, all of the same length."""


@painter("house.curves")
def draw_curves(pen: Pen, args: tuple[Series, tuple[str, ...], int]) -> None:
    """Curves from left to right in the colours of their seats; a rule at nought where they cross it, and an
    upright one at the point `mark` (-1: none)."""
    series, colours, mark = args
    wide, last = pen.width - 2 * _THICK, max(1, len(series[0]) - 1)
    y = _heights(series, pen.height)

    def at(place: int, value: float) -> tuple[float, float]:
        return _THICK + wide * place / last, y(value)

    pen.stroke([at(0, 0.0), at(last, 0.0)], "edge", 3)
    if mark >= 0:
        x, _ = at(mark, 0.0)
        pen.stroke([(x, 0), (x, pen.height)], "accent", 3, blunt=True)
    # the first seat on top: it is the winner's
    for line, colour in reversed(list(zip(series, colours, strict=True))):
        pen.stroke([at(place, value) for place, value in enumerate(line)], colour, _THICK)


def _heights(series: Series, tall: float) -> Callable[[float], float]:
    """How far below the top of a plot so high each value lies."""
    low = min(0.0, *(min(line) for line in series))
    high = max(1.0, *(max(line) for line in series))
    return lambda value: _THICK + (tall - 2 * _THICK) * (high - value) / (high - low)


def ends(series: Series, plot: Rect) -> list[int]:
    """At what height each curve ends in such a plot: beside it stands whose it is."""
    y = _heights(series, plot.h)
    return [plot.y + round(y(line[-1])) for line in series]


@painter("house.picture")
def draw_picture(pen: Pen, args: tuple[Scene]) -> None:
    """Another picture, made smaller to fill the sprite."""
    whole = Canvas(args[0]).finished().convert("RGB")
    small = whole.resize(pen.image.size, Image.Resampling.LANCZOS)
    pen.image.paste(small)
