"""PDF files of pictures: sheets of paper on which scenes and lines lie, measured in millimetres.

Each scene is painted and kept once, however often it is laid, in the bytes of the palette and without loss;
the same sheets give the same file. fpdf2 writes it, an extra of the package.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from bot.render.encode import encode
from bot.render.scene import Scene
from bot.render.theme import theme

_MADE: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""When every file says that it was made: the same sheets give the same file."""
_THIN: Final = 0.2
"""How thick a line is, in millimetres."""


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


class Laid(NamedTuple):
    """A picture, and where it lies."""

    scene: Scene
    area: Area


class Sheet(NamedTuple):
    """One side of a sheet of paper. `ground` is filled with a colour of the theme before all else."""

    pictures: tuple[Laid, ...] = ()
    lines: tuple[Stroke, ...] = ()
    ground: tuple[Area, str] | None = None


def pdf(sheets: Sequence[Sheet], width: float, height: float, title: str) -> bytes:
    """The sheets, all of this size, as a file. Blocking: some 0.1 s for each different scene. Needs the extra
    `presenters.extras.FPDF`."""
    from fpdf import FPDF, ViewerPreferences

    file = FPDF(unit="mm", format=(width, height))
    file.set_auto_page_break(False)
    file.set_title(title)
    file.set_creation_date(_MADE)
    # one to one and on both sides, where a viewer asks the file
    file.viewer_preferences = ViewerPreferences(print_scaling="None", duplex="DuplexFlipLongEdge")
    file.set_line_width(_THIN)
    # encoded here, since the file tells pictures apart by their bytes, and those of an image have no palette
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
