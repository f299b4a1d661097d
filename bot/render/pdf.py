"""PDF files of pictures: sheets of paper with scenes and lines, measured in millimetres.

Each scene is painted and stored only once, losslessly and with its palette. Equal sheets give an equal file.
The file is written by fpdf2, an optional package.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from bot.render.encode import encode
from bot.render.scene import Scene
from bot.render.theme import theme

_MADE: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""The creation date of every file, fixed so that equal sheets give an equal file."""
_THIN: Final = 0.2
"""Thickness of a line, in millimetres."""


class Area(NamedTuple):
    """A part of a sheet, in millimetres from its upper left corner."""

    x: float
    y: float
    width: float
    height: float


class Stroke(NamedTuple):
    """A thin black line from one point to another, in millimetres."""

    x0: float
    y0: float
    x1: float
    y1: float


class LaidPage(NamedTuple):
    """A picture and its area on a sheet."""

    scene: Scene
    area: Area


class PdfSheet(NamedTuple):
    """One side of a sheet of paper. `ground` is an area filled with a colour of the theme first."""

    pictures: tuple[LaidPage, ...] = ()
    lines: tuple[Stroke, ...] = ()
    ground: tuple[Area, str] | None = None


def pdf(sheets: Sequence[PdfSheet], width: float, height: float, title: str) -> bytes:
    """Return the sheets, all of this size, as a PDF file. Blocking: about 0.1 s for each different scene.

    Requires the extra `presenters.extras.FPDF`.
    """
    from fpdf import FPDF, ViewerPreferences

    file = FPDF(unit="mm", format=(width, height))
    file.set_auto_page_break(False)
    file.set_title(title)
    file.set_creation_date(_MADE)
    # ask viewers to print at actual size and on both sides
    file.viewer_preferences = ViewerPreferences(print_scaling="None", duplex="DuplexFlipLongEdge")
    file.set_line_width(_THIN)
    # encoded here, because fpdf2 identifies pictures by their bytes, and images have no palette
    scenes = dict.fromkeys(laid.scene for sheet in sheets for laid in sheet.pictures)
    painted = {scene: encode(scene) for scene in scenes}
    for sheet in sheets:
        file.add_page()
        if sheet.ground is not None:
            area, colour = sheet.ground
            file.set_fill_color(*theme(sheet.pictures[0].scene.look.palette)[colour])
            file.rect(*area, style="F")
        for scene, area in sheet.pictures:
            file.image(painted[scene], *area)
        for line in sheet.lines:
            file.line(*line)
    return bytes(file.output())
