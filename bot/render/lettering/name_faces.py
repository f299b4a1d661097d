"""Fonts for the names of players: one per script, opened when a name first needs it.

`tools/fonts.py` writes the files and `names.json`, which lists the characters of each. Raqm shapes letters
that join, reorder or carry marks, and emoji sequences. Pillow's basic layout draws the rest, and looks the
same on every machine. Without Raqm it draws everything, letter after letter.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal

import msgspec
from PIL import ImageFont, features

from bot.render.assets import asset
from bot.render.lettering.graphemes import ZWJ, ZWNJ

MISSING: Final = "□"
"""The character drawn in place of one that no font has."""
_OPEN: Final = 12
"""Maximum number of open faces and sizes."""
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that no font shows: Unicode's Default_Ignorable_Code_Point, and the empty Braille pattern."""


class _Entry(msgspec.Struct):
    shaped: Literal["always", "clusters", "never"]
    characters: str


@dataclass(frozen=True, slots=True)
class FontFace:
    """A font file and its characters, as sorted ranges: sets would take megabytes."""

    file: str
    shaped: str
    """When letters are shaped: "always", "clusters" for those of several characters, or "never"."""
    firsts: tuple[int, ...]
    lasts: tuple[int, ...]

    def has(self, char: str) -> bool:
        """Return whether the font has a glyph for a character."""
        at = bisect_right(self.firsts, ord(char)) - 1
        return at >= 0 and ord(char) <= self.lasts[at]

    def shapes(self, cluster: str) -> bool:
        """Return whether a grapheme cluster of this face is shaped on this machine."""
        needed = self.shaped == "always" or (self.shaped == "clusters" and len(cluster) > 1)
        return needed and can_shape()


@cache
def faces() -> tuple[FontFace, ...]:
    """Return the faces for names, in order of preference."""
    listed = msgspec.json.decode(asset("fonts", "names.json").read_bytes(), type=dict[str, _Entry])
    found = []
    for file, entry in listed.items():
        spans = [span.split("-") for span in entry.characters.split(",")]
        firsts = tuple(int(first, 16) for first, _ in spans)
        found.append(FontFace(file, entry.shaped, firsts, tuple(int(last, 16) for _, last in spans)))
    return tuple(found)


@lru_cache(2048)
def face_of(cluster: str) -> FontFace | None:
    """Return the face that can draw a whole grapheme cluster, or None."""
    needed = cluster.replace(ZWJ, "").replace(ZWNJ, "")
    return next((face for face in faces() if needed and all(map(face.has, needed))), None)


def is_invisible(cluster: str) -> bool:
    """Return whether a cluster would be invisible in any font."""
    return all(
        _INVISIBLE.match(char) or char.isspace() or unicodedata.category(char) in ("Cc", "Cf", "Cs")
        for char in cluster
    )


@cache
def can_shape() -> bool:
    """Return whether this Pillow can join and reorder letters."""
    return bool(features.check("raqm"))


@lru_cache(_OPEN)
def open_face(face: FontFace, pixels: int, *, shaped: bool) -> ImageFont.FreeTypeFont:
    """Open a face at a size. The layout tables are read only if letters are shaped."""
    engine = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
    return ImageFont.truetype(asset("fonts", face.file), pixels, layout_engine=engine)
