"""Painters for pictures of a whole game: curves, and a picture within a picture."""

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
    """Draw curves from left to right in the colours of their seats.

    A horizontal rule marks zero, and a vertical one the point `mark` (-1 for none).
    """
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
    """Return a function from a value to its distance from the top of a plot of this height."""
    low = min(0.0, *(min(line) for line in series))
    high = max(1.0, *(max(line) for line in series))
    return lambda value: _THICK + (tall - 2 * _THICK) * (high - value) / (high - low)


def ends(series: Series, plot: Rect) -> list[int]:
    """Return the height at which each curve ends in a plot, for the label next to it."""
    y = _heights(series, plot.h)
    return [plot.y + round(y(line[-1])) for line in series]


@painter("house.chances")
def draw_chances(pen: Pen, args: tuple[tuple[float, ...], str, tuple[int, ...]]) -> None:
    """Draw a curve of win chances from 0 to 1 over rules at 0, 0.5 and 1.

    Each point in `marks` gets a dot, and a vertical rule from the upper edge to the curve.
    """
    chances, colour, marks = args
    for share in (0.0, 0.5, 1.0):
        y = _chance(share, pen.height)
        pen.stroke([(0, y), (pen.width, y)], "edge", 3, blunt=True)
    path = [(along(at, len(chances), pen.width), _chance(one, pen.height)) for at, one in enumerate(chances)]
    for at in marks:
        x, y = path[at]
        pen.stroke([(x, 0), (x, y)], "accent", 3, blunt=True)
    pen.stroke(path, colour, _THICK)
    for at in marks:
        pen.disc(path[at], 2 * _THICK, "accent")
        pen.disc(path[at], _THICK, "panel")


@painter("house.trend")
def draw_trend(pen: Pen, args: tuple[tuple[float, ...], float, str]) -> None:
    """Draw a curve scaled to its own range, with a rule at `level` if that is in range, and a dot
    at its end."""
    values, level, colour = args
    low, high = min(values), max(values)
    span = max(high - low, 1.0)

    def height(value: float) -> float:
        return 2 * _THICK + (pen.height - 4 * _THICK) * (high + (span - high + low) / 2 - value) / span

    if low <= level <= high:
        pen.stroke([(0, height(level)), (pen.width, height(level))], "edge", 3, blunt=True)
    path = [(along(at, len(values), pen.width), height(value)) for at, value in enumerate(values)]
    pen.stroke(path, colour, _THICK)
    pen.disc(path[-1], 2 * _THICK, colour)


def along(at: int, points: int, wide: float) -> float:
    """Return the distance of a curve's point from the left of a plot of this width."""
    return 2 * _THICK + (wide - 4 * _THICK) * at / max(1, points - 1)


def _chance(share: float, tall: float) -> float:
    return 2 * _THICK + (tall - 4 * _THICK) * (1 - share)


def levels(plot: Rect) -> tuple[int, int, int]:
    """Return the heights of the rules at 1, 0.5 and 0 in a plot."""
    one, half, nought = (plot.y + round(_chance(share, plot.h)) for share in (1.0, 0.5, 0.0))
    return one, half, nought


@painter("house.picture")
def draw_picture(pen: Pen, args: tuple[Scene]) -> None:
    """Draw another picture, scaled down to fill the sprite."""
    whole = Canvas(args[0]).finished().convert("RGB")
    small = whole.resize(pen.image.size, Image.Resampling.LANCZOS)
    pen.image.paste(small)
