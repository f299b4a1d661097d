"""Text as masks: the face that draws each character, the length of a line, and its breaks.

Our own texts use the base faces and Pillow's basic layout, which is the same on every machine. Only names
contain characters the base faces lack: `name_faces` draws them, shaped by Raqm if this Pillow has it, in the
order that `bidi` finds. A line is drawn once as a coverage mask and cached; the colour is applied later.
"""

from __future__ import annotations

import json
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from cachetools import LRUCache, cached
from PIL import Image, ImageDraw, ImageFont

from bot.render.assets import asset
from bot.render.lettering.bidi import mirrored, visual_runs
from bot.render.lettering.graphemes import ELLIPSIS, ISOLATE, POP, ZWJ, ZWNJ, clusters
from bot.render.lettering.name_faces import MISSING, FontFace, face_of, is_invisible, open_face
from bot.render.scene import Fit, Weight

FACES: Final[dict[Weight, tuple[str, ...]]] = {
    Weight.MEDIUM: ("Inter-Medium", "NotoSansSC-Medium", "DejaVuSans"),
    Weight.BOLD: ("Inter-Bold", "DejaVuSans-Bold", "NotoSansSC-Medium"),
    Weight.DISPLAY: ("Inter-Display", "DejaVuSans-Bold", "NotoSansSC-Medium"),
}
LINE: Final = 1.25
"""Height of a line in type sizes."""
CAP: Final = 0.727
"""Height of a capital in type sizes, used for centring."""
_ASCENT, _DESCENT = 1.0, 0.3
_HIGHEST, _LOWEST = 1.35, 0.7
"""Ascent and descent of scripts that stack marks or letters, in type sizes."""
_JOINING: Final = "\u0590"
"""The first character of scripts that may need joiners."""
_INK: Final = 0.92
"""Height of a line from the top of a capital to the foot of a g, in type sizes."""
_TRACKING: Final = {Weight.DISPLAY: 0.02}
"""Extra space after each character, in type sizes. The display face is tight and we have no kerning."""
_CACHE_BYTES: Final = 8 * 2**20
VISIBLE: Final = [0] * 8 + [255] * 248

_lock = threading.RLock()


@dataclass(frozen=True, slots=True)
class Drawn:
    """One text that was drawn, for the audit. `cut` means that it was too long for its box."""

    string: str
    shown: str
    pixels: float
    cut: bool
    allowed: bool


_record: ContextVar[list[Drawn] | None] = ContextVar("drawn_texts", default=None)


@contextmanager
def recording() -> Iterator[list[Drawn]]:
    """Yield a list that collects every text laid out inside the block, in order.

    Nested blocks collect separately.
    """
    found: list[Drawn] = []
    token = _record.set(found)
    try:
        yield found
    finally:
        _record.reset(token)


def note(string: str, shown: str, pixels: float, *, cut: bool, allowed: bool) -> None:
    """Add a text to the current recording, if there is one."""
    found = _record.get()
    if found is not None:
        found.append(Drawn(string, shown, pixels, cut, allowed))


@cache
def coverage(face: str) -> frozenset[int]:
    """Return the characters that one of our faces can draw."""
    with asset("fonts", "coverage.json").open(encoding="utf-8") as file:
        spans: str = json.load(file)[face]
    codes: set[int] = set()
    for span in spans.split(","):
        first, last = span.split("-")
        codes.update(range(int(first, 16), int(last, 16) + 1))
    return frozenset(codes)


@lru_cache(maxsize=64)
def _font(face: str, pixels: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(asset("fonts", f"{face}.ttf"), pixels, layout_engine=ImageFont.Layout.BASIC)


def normal(string: str) -> str:
    """Return the text as it is drawn: composed, without control characters and variation selectors.

    Joiners stay in scripts that use them, and isolates stay because they order the line.
    """
    kept: list[str] = []
    for char in unicodedata.normalize("NFC", string):
        if char in "\t\n\r":
            kept.append(" ")
        elif char in (ZWJ, ZWNJ):
            if kept and kept[-1] >= _JOINING:
                kept.append(char)
        elif char in (ISOLATE, POP) or not (
            unicodedata.category(char) in ("Cc", "Cf") or "\ufe00" <= char <= "\ufe0f"
        ):
            kept.append(char)
    return "".join(kept)


@lru_cache(maxsize=1024)
def written(name: str) -> str:
    """Return a name as pictures write it: fancy letters made plain, a box for characters no font has.

    Empty if nothing of it would be visible.
    """
    parts = [
        one if one in (ISOLATE, POP) else "".join(piece.text for piece in _of_cluster(one, Weight.MEDIUM))
        for one in clusters(normal(name))
    ]
    text = " ".join("".join(parts).split())
    return "" if is_invisible(text) else text


@lru_cache(maxsize=1024)
def is_written_whole(name: str) -> bool:
    """Return whether pictures can write every character of a name."""
    return MISSING not in written(name) or MISSING in name


class _Piece(NamedTuple):
    """Characters that one font draws: a base face by its name, or a face for names."""

    face: str | FontFace
    text: str
    shaped: bool = False
    rtl: bool = False


@lru_cache(maxsize=4096)
def _pieces(text: str, weight: Weight) -> tuple[_Piece, ...]:
    """Return a line as pieces, one font each, from left to right."""
    units = [[(char, _base_face(char, weight))] for char in text]
    if all(face and not unicodedata.combining(char) for ((char, face),) in units):
        return tuple(
            _Piece(face, "".join(char for ((char, _),) in some))
            for face, some in groupby(units, key=lambda unit: unit[0][1] or "")
        )
    found: list[_Piece] = []
    for run in visual_runs(text):
        drawn = [piece for cluster in run.clusters for piece in _of_cluster(cluster, weight)]
        some = [list(same) for _, same in groupby(drawn, key=lambda one: (one.face, one.shaped))]
        found += [_joined(same, rtl=run.rtl) for same in (some[::-1] if run.rtl else some)]
    return tuple(found)


def _joined(clusters: list[_Piece], *, rtl: bool) -> _Piece:
    """Join clusters of one font into a piece. The basic layout ignores direction, so it gets them
    reversed."""
    face, _, shaped, _ = clusters[0]
    if not rtl or shaped:
        return _Piece(face, "".join(one.text for one in clusters), shaped, rtl)
    return _Piece(face, mirrored("".join(one.text for one in clusters[::-1])))


def _base_face(char: str, weight: Weight) -> str | None:
    return next((face for face in FACES[weight] if ord(char) in coverage(face)), None)


@lru_cache(maxsize=4096)
def _of_cluster(cluster: str, weight: Weight) -> tuple[_Piece, ...]:
    """Return the pieces for a grapheme cluster: itself, its plain form, its first character, or a box."""
    bare = cluster.replace(ZWJ, "").replace(ZWNJ, "")
    if len(bare) == 1 and (base := _base_face(bare, weight)):
        return (_Piece(base, bare),)
    if face := face_of(cluster):
        shaped = face.shapes(bare)
        return (_Piece(face, cluster if shaped else bare, shaped),)
    plain = unicodedata.normalize("NFKC", bare)
    if plain != bare:
        pieces = tuple(piece for one in clusters(plain) for piece in _of_cluster(one, weight))
        if all(piece.text != MISSING for piece in pieces):
            return pieces
    if len(bare) > 1:
        return _of_cluster(bare[0], weight)
    if is_invisible(cluster):
        return ()
    return (_Piece(_base_face(MISSING, weight) or FACES[weight][0], MISSING),)


def _length(piece: _Piece, pixels: int, weight: Weight) -> float:
    """Return the advance of a piece, in pixels."""
    face, text, shaped, _ = piece
    if isinstance(face, str):
        return _font(face, pixels).getlength(text) + len(text) * _TRACKING.get(weight, 0) * pixels
    return open_face(face, pixels, shaped=shaped).getlength(text, direction=_direction(piece))


def _direction(piece: _Piece) -> str | None:
    """Return the direction for Raqm. The basic layout accepts none."""
    return ("rtl" if piece.rtl else "ltr") if piece.shaped else None


@lru_cache(maxsize=8192)
def width(string: str, pixels: int, weight: Weight = Weight.MEDIUM) -> float:
    """Return the width of a line, in pixels."""
    pieces = _pieces(normal(string), weight)
    with _lock:
        total = sum(_length(piece, pixels, weight) for piece in pieces)
    return total - (_TRACKING.get(weight, 0) * pixels if pieces and isinstance(pieces[-1].face, str) else 0)


@dataclass(frozen=True, slots=True)
class LineMask:
    """A line as coverage: `mask` is at (`left`, `top`) from the start of the base line.

    `visible` is set for pixels covered enough to be seen.
    """

    mask: Image.Image
    visible: Image.Image
    left: int
    top: int
    advance: float


def _bytes(line: LineMask) -> int:
    return 2 * line.mask.width * line.mask.height + 400


_masks: LRUCache[tuple[str, int, Weight], LineMask] = LRUCache(_CACHE_BYTES, getsizeof=_bytes)


@cached(_masks, key=lambda string, pixels, weight: (string, pixels, weight), lock=_lock)
def line_mask(string: str, pixels: int, weight: Weight) -> LineMask:
    """Return the coverage of one line, cached."""
    with _lock:
        return _draw(string, pixels, weight)


def _draw(string: str, pixels: int, weight: Weight) -> LineMask:
    pad = pixels // 4 + 2
    text = normal(string)
    advance, pieces = width(text, pixels, weight), _pieces(text, weight)
    named = any(isinstance(piece.face, FontFace) for piece in pieces)
    high, low = (_HIGHEST, _LOWEST) if named else (_ASCENT, _DESCENT)
    ascent = round(pixels * high) + 1
    image = Image.new("L", (round(advance) + 2 * pad, ascent + round(pixels * low) + 1))
    pen = ImageDraw.Draw(image)
    x = float(pad)
    for piece in pieces:
        if isinstance(piece.face, str):
            font = _font(piece.face, pixels)
            for part in piece.text if weight in _TRACKING else (piece.text,):
                pen.text((x, ascent), part, fill=255, font=font, anchor="ls")
                x += font.getlength(part) + _TRACKING.get(weight, 0) * pixels
        else:
            face = open_face(piece.face, pixels, shaped=piece.shaped)
            pen.text((x, ascent), piece.text, fill=255, font=face, anchor="ls", direction=_direction(piece))
            x += _length(piece, pixels, weight)
    box = image.getbbox() or (0, 0, 1, 1)
    mask = image.crop(box)
    return LineMask(mask, mask.point(VISIBLE, "1"), box[0] - pad, box[1] - ascent, advance)


def ellipsis(string: str, pixels: int, weight: Weight, room: float) -> str:
    """Return the longest beginning that fits into `room` pixels with an ellipsis, or the text if it fits.

    Grapheme clusters stay whole.
    """
    if width(string, pixels, weight) <= room:
        return string
    units = clusters(string)
    low, high = 0, len(units)
    while low < high:
        middle = (low + high + 1) // 2
        if width("".join(units[:middle]).rstrip() + ELLIPSIS, pixels, weight) <= room:
            low = middle
        else:
            high = middle - 1
    return "".join(units[:low]).rstrip() + ELLIPSIS


_CLOSING: Final = frozenset("，。、；：？！）」』》”’…")
_OPENING: Final = frozenset("（「『《“‘")


def _words(string: str) -> list[str]:
    """Split a text where a line may break: after spaces, around every Han or kana character, and after its
    marks.

    No line begins with a closing mark or ends with an opening one.
    """
    words: list[str] = []
    current = ""
    for char in clusters(string):
        wide = "\u3000" < char < "\ud7ff" or char > "\U0001ffff"
        opening, closing = char in _OPENING, char in _CLOSING
        if closing and not current and words and not words[-1].endswith(" "):
            words[-1] += char
            continue
        after = current[-1:] > "\u3000" and current[-1] in _CLOSING
        if (wide or opening or after) and current and not closing and current[-1] not in _OPENING:
            words.append(current)
            current = ""
        current += char
        if char == " " or (wide and not opening and not closing):
            words.append(current)
            current = ""
    if current:
        words.append(current)
    return words


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Lines that fit a box, and whether the text was cut."""

    lines: tuple[str, ...]
    cut: bool


@lru_cache(maxsize=4096)
def wrap(string: str, pixels: int, weight: Weight, room: int, max_lines: int) -> TextBlock:
    """Break a text into at most `max_lines` lines of `room` pixels. The last one may end in an ellipsis."""
    text = normal(string)
    if max_lines <= 1 or width(text, pixels, weight) <= room:
        short = ellipsis(text, pixels, weight, room)
        return TextBlock((short,), short != text)
    lines: list[str] = []
    current = ""
    for word in _words(text):
        if not current or width((current + word).rstrip(), pixels, weight) <= room:
            current += word
        else:
            lines.append(current.rstrip())
            current = word
    lines.append(current.rstrip())
    cut = len(lines) > max_lines
    if cut:
        rest = " ".join(lines[max_lines - 1 :])
        lines = [*lines[: max_lines - 1], ellipsis(rest, pixels, weight, room)]
    short_lines = tuple(ellipsis(line, pixels, weight, room) for line in lines)
    return TextBlock(short_lines, cut or short_lines != tuple(lines))


def layout(
    string: str,
    pixels: int,
    weight: Weight,
    room: int,
    height: int,
    *,
    max_lines: int = 1,
    fit: Fit = Fit.STRICT,
    scale: int = 1,
) -> tuple[str, ...]:
    """Break or shorten a text for a box and note the result for the audit. Return its lines.

    All lengths are in pixels; `scale` of them make one pixel of the finished picture.
    """
    block = wrap(string, pixels, weight, room, max_lines)
    too_high = (len(block.lines) - 1) * round(pixels * LINE) + pixels * _INK > height
    note(
        string,
        "\n".join(block.lines),
        pixels / scale,
        cut=block.cut or too_high,
        allowed=fit is Fit.ELLIPSIS and not too_high,
    )
    return block.lines
