"""Small plots as inline SVG: shares with their intervals, and histograms.

Two kinds of plots need no library: plotting libraries bring scripts, fonts or a hundred megabytes.
The page sets the colours of the classes `a` and `b`, for light and dark themes. Shapes differ as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor
from typing import Final, NamedTuple

WIDTH: Final = 360
"""The width of a phone. On larger screens everything grows."""
LEFT, RIGHT, ROW, TOP, FOOT = 96, 14, 13, 10, 36
SERIES: Final = ("a", "b")
LONGEST: Final = 14
"""The maximum number of characters of a label, which the left margin limits."""


class PlotMark(NamedTuple):
    """A value with its interval."""

    value: float
    low: float
    high: float


class PlotRow(NamedTuple):
    """One line of a plot: its label, and a mark for each series. None leaves a mark out."""

    label: str
    marks: Sequence[PlotMark | None]


def whiskers(title: str, axis: str, rows: Sequence[PlotRow], even: float | None) -> str:
    """Plot shares (0 to 1) with their intervals, one line each. `even` is the share of the dashed line."""
    found = [end for row in rows for mark in row.marks if mark for end in (mark.low, mark.high)]
    low, high = min([*found, *_given(even)], default=0.0), max([*found, *_given(even)], default=1.0)
    low, high = max(0.0, floor(low * 20) / 20), min(1.0, ceil(high * 20) / 20)
    span, width = (high - low) or 1.0, WIDTH - LEFT - RIGHT

    def across(value: float) -> float:
        return round(LEFT + width * (value - low) / span, 1)

    tall = [ROW * sum(mark is not None for mark in row.marks) + 7 for row in rows]
    bottom = TOP + sum(tall)
    step = next((each for each in (0.05, 0.1, 0.2) if span / each <= 6), 0.25)
    parts = []
    for n in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1):
        parts += _tick(across(n * step), bottom, f"{round(100 * n * step)} %")
    if even is not None:
        x = across(even)
        parts.append(f'<line class="even" x1="{x}" y1="{TOP}" x2="{x}" y2="{bottom}"/>')
    top = float(TOP)
    for row, height in zip(rows, tall, strict=True):
        parts.append(_label(row.label, top + height / 2 + 1))
        y = top + ROW / 2
        for series, mark in zip(SERIES, row.marks, strict=False):
            if mark is not None:
                parts += _mark(series, across(mark.value), across(mark.low), across(mark.high), y)
                y += ROW
        top += height
    return _svg(title, axis, bottom, parts)


def _given(value: float | None) -> list[float]:
    return [] if value is None else [value]


def _label(words: str, y: float) -> str:
    short = words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…"
    return f'<text class="label" x="{LEFT - 8}" y="{y:g}">{escape(short)}</text>'


def _mark(series: str, x: float, low: float, high: float, y: float) -> list[str]:
    """Draw a mark: round in the first series, square in the second."""
    bar = f'<path class="bar {series}" d="M{low} {y}H{high}M{low} {y - 3}V{y + 3}M{high} {y - 3}V{y + 3}"/>'
    if series == "a":
        return [bar, f'<circle class="dot {series}" cx="{x}" cy="{y}" r="4"/>']
    return [bar, f'<rect class="dot {series}" x="{x - 3.5}" y="{y - 3.5}" width="7" height="7"/>']


def _tick(x: float, bottom: float, words: str) -> list[str]:
    return [
        f'<line class="grid" x1="{x}" y1="{TOP}" x2="{x}" y2="{bottom}"/>',
        f'<text class="tick" x="{x}" y="{bottom + 14}">{words}</text>',
    ]


def spreads(title: str, axis: str, series: Sequence[tuple[str, Sequence[float]]]) -> str:
    """Plot a histogram of each series, one below the other, on a common axis."""
    every = [value for _, values in series for value in values]
    low, high = floor(min(every, default=0)), ceil(max(every, default=1))
    step = _round_step(high - low, 24)
    low, high = floor(low / step) * step, (floor(high / step) + 1) * step
    bins, width, panel = (high - low) // step, WIDTH - LEFT - RIGHT, 64
    parts = []
    bottom = TOP + len(series) * (panel + 12)
    marked = _round_step(high - low, 5)
    # a bin of one number is centred on its tick, a wider bin starts at it
    half = 0.5 if step == 1 else 0
    for at in range(ceil(low / marked) * marked, high + (step > 1), marked):
        parts += _tick(round(LEFT + width * (at - low + half) / (high - low), 1), bottom, f"{at:,}")
    for place, (name, values) in enumerate(series):
        base = TOP + (place + 1) * (panel + 12) - 6
        counts = [0] * bins
        for value in values:
            counts[int((value - low) // step)] += 1
        most = max(counts, default=0) or 1
        key = SERIES[place]
        label_y = base - panel / 2
        parts.append(_label(name, label_y))
        top_share = 100 * most / max(1, len(values))
        parts.append(
            f'<text class="tick end" x="{LEFT - 8}" y="{label_y + 14}">highest {top_share:.0f} %</text>'
        )
        for at, count in enumerate(counts):
            if count:
                tall = round(panel * count / most, 1)
                x, wide = LEFT + width * at / bins, width / bins
                parts.append(
                    f'<rect class="column {key}" x="{x:.1f}" y="{base - tall}"'
                    f' width="{max(1.0, wide - 1):.1f}" height="{tall}"/>'
                )
        parts.append(f'<line class="axis" x1="{LEFT}" y1="{base}" x2="{WIDTH - RIGHT}" y2="{base}"/>')
    return _svg(title, axis, bottom, parts)


def _round_step(span: int, most: int) -> int:
    """Return the smallest of 1, 2, 5, 10 … that divides the span into at most `most` steps."""
    every = (size * int(10**power) for power in range(12) for size in (1, 2, 5))
    return next(step for step in every if span <= most * step)


def _svg(title: str, axis: str, bottom: float, parts: Sequence[str]) -> str:
    height = bottom + FOOT
    middle = (LEFT + WIDTH - RIGHT) / 2
    name = f'<text class="name" x="{middle}" y="{bottom + 30}">{escape(axis)}</text>'
    told = escape(title)
    drawn = "".join(parts)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{told}">'
        f"<title>{told}</title>{drawn}{name}</svg>"
    )
