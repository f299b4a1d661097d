"""Colour arithmetic: mixing, contrast, and simulated colour blindness."""

from __future__ import annotations

import math
from typing import Final, TypeAlias

RGB: TypeAlias = tuple[int, int, int]
_Row: TypeAlias = tuple[float, float, float]

# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear light.
DEFICIENCIES: Final[dict[str, tuple[_Row, _Row, _Row]]] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def rgb(text: str) -> RGB:
    """Parse a colour such as `"#17332E"` into three numbers. Raises ValueError for anything else."""
    if len(text) != 7 or text[0] != "#":
        raise ValueError(f"not a colour: {text!r}")
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mix(low: RGB, high: RGB, share: float) -> RGB:
    """Return the colour `share` (0 to 1) of the way from `low` to `high`, as on a blended edge."""
    return (
        round(low[0] + (high[0] - low[0]) * share),
        round(low[1] + (high[1] - low[1]) * share),
        round(low[2] + (high[2] - low[2]) * share),
    )


def _linear(channel: float) -> float:
    part = channel / 255
    return part / 12.92 if part <= 0.04045 else math.pow((part + 0.055) / 1.055, 2.4)


def _display(part: float) -> int:
    part = min(1.0, max(0.0, part))
    return round(255 * (part * 12.92 if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055))


def luminance(colour: RGB) -> float:
    """Return the relative luminance, 0 (black) to 1 (white)."""
    red, green, blue = (_linear(channel) for channel in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: RGB, other: RGB) -> float:
    """Return the contrast ratio of two colours, 1 to 21. Text needs at least 4.5, large signs at least 3."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def simulate(colour: RGB, deficiency: str) -> RGB:
    """Return the appearance of `colour` with `deficiency` (a key of DEFICIENCIES)."""
    light = [_linear(channel) for channel in colour]
    red, green, blue = (
        _display(sum(weight * part for weight, part in zip(row, light, strict=True)))
        for row in DEFICIENCIES[deficiency]
    )
    return red, green, blue


def lab(colour: RGB) -> tuple[float, float, float]:
    """Return a display colour in CIE L*a*b* (D65)."""
    red, green, blue = (_linear(channel) for channel in colour)
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: RGB, other: RGB) -> float:
    """Return the perceived difference of two colours (CIE76): 2 is barely visible, about 10 is clear."""
    return math.dist(lab(one), lab(other))
