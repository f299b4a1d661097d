"""PDF files of pictures: sheets of paper on which scenes and lines lie, measured in millimetres.

Each scene is painted and kept once, however often it is laid, in the bytes of the palette and without loss;
the same sheets give the same file.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.render.canvas import paint
from bot.render.encode import THOROUGH
from bot.render.scene import Scene
from bot.render.theme import theme

_POINTS: Final = 72 / 25.4
"""Points of a PDF in a millimetre."""
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
    """The sheets, all of this size, as a file. Blocking: some 0.1 s for each different scene."""
    file = _File()
    pages, resources = file.reserve(), file.reserve()
    scenes = dict.fromkeys(laid.scene for sheet in sheets for laid in sheet.pictures)
    names = {scene: f"/P{number}" for number, scene in enumerate(scenes)}
    kinds = {scene: _picture(file, scene) for scene in scenes}
    shown = " ".join(f"{names[scene]} {number} 0 R" for scene, number in kinds.items())
    file.fill(resources, f"<< /XObject << {shown} >> >>")
    kids = []
    for sheet in sheets:
        drawn = file.stream("", "\n".join(_drawn(sheet, names, height)).encode())
        box = f"[0 0 {_pt(width)} {_pt(height)}]"
        kids.append(
            file.add(
                f"<< /Type /Page /Parent {pages} 0 R /MediaBox {box} /Resources {resources} 0 R "
                f"/Contents {drawn} 0 R >>"
            )
        )
    listed = " ".join(f"{kid} 0 R" for kid in kids)
    file.fill(pages, f"<< /Type /Pages /Count {len(kids)} /Kids [{listed}] >>")
    # one to one and on both sides, where a viewer asks the file
    wishes = "<< /PrintScaling /None /Duplex /DuplexFlipLongEdge >>"
    catalog = file.add(f"<< /Type /Catalog /Pages {pages} 0 R /ViewerPreferences {wishes} >>")
    about = file.add(f"<< /Title <{(chr(0xFEFF) + title).encode('utf-16-be').hex()}> >>")
    return file.written(catalog, about)


def _pt(millimetres: float) -> str:
    return f"{millimetres * _POINTS:.3f}"


def _picture(file: _File, scene: Scene) -> int:
    """The object of a painted scene."""
    image = paint(scene)
    colours = bytes(image.getpalette() or ())
    space = file.add(f"[/Indexed /DeviceRGB {len(colours) // 3 - 1} <{colours.hex()}>]")
    head = (
        f"/Type /XObject /Subtype /Image /Width {image.width} /Height {image.height} "
        f"/BitsPerComponent 8 /ColorSpace {space} 0 R"
    )
    return file.stream(head, image.tobytes())


def _drawn(sheet: Sheet, names: dict[Scene, str], height: float) -> list[str]:
    """What draws a sheet; a PDF counts from its lower left corner."""
    found = []
    if sheet.ground is not None:
        area, colour = sheet.ground
        look = sheet.pictures[0].scene.look
        told = " ".join(f"{part / 255:.4f}" for part in theme(look.palette)[colour])
        lower = _pt(height - area.y - area.height)
        found.append(f"{told} rg {_pt(area.x)} {lower} {_pt(area.width)} {_pt(area.height)} re f")
    for scene, area in sheet.pictures:
        lower = _pt(height - area.y - area.height)
        size = f"{_pt(area.width)} 0 0 {_pt(area.height)} {_pt(area.x)} {lower}"
        found.append(f"q {size} cm {names[scene]} Do Q")
    if sheet.lines:
        found.append(f"{_pt(_THIN)} w")
    for line in sheet.lines:
        start, end = ((_pt(x), _pt(height - y)) for x, y in ((line.x0, line.y0), (line.x1, line.y1)))
        found.append(f"{' '.join(start)} m {' '.join(end)} l S")
    return found


class _File:
    """The numbered objects of a PDF."""

    def __init__(self) -> None:
        self._objects: list[bytes] = []

    def reserve(self) -> int:
        """The number of an object that is filled later."""
        self._objects.append(b"")
        return len(self._objects)

    def fill(self, number: int, told: str) -> None:
        self._objects[number - 1] = told.encode("ascii")

    def add(self, told: str) -> int:
        """The number of a new object."""
        number = self.reserve()
        self.fill(number, told)
        return number

    def stream(self, head: str, data: bytes) -> int:
        """The number of a new object that carries data."""
        packed = zlib.compress(data, THOROUGH)
        number = self.reserve()
        told = f"<< {head} /Filter /FlateDecode /Length {len(packed)} >>\nstream\n".encode("ascii")
        self._objects[number - 1] = told + packed + b"\nendstream"
        return number

    def written(self, catalog: int, about: int) -> bytes:
        """The whole file."""
        # the second line says with bytes beyond ASCII that this is no text
        out, places = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), []
        for number, told in enumerate(self._objects, 1):
            places.append(len(out))
            out += b"%d 0 obj\n" % number + told + b"\nendobj\n"
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
        out += b"".join(b"%010d 00000 n \n" % place for place in places)
        root = f"<< /Size {len(places) + 1} /Root {catalog} 0 R /Info {about} 0 R >>"
        out += f"trailer\n{root}\nstartxref\n{start}\n%%EOF\n".encode("ascii")
        return bytes(out)
