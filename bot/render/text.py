"""Words as masks: which face draws which sign, how long a line is, where it breaks.

One layout engine for everyone (Pillow's basic one): the other needs a system library and silently
gives way without it, so pictures would differ from machine to machine. A line is drawn once as a
coverage mask and kept; the colour comes later.
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
from typing import Final

from cachetools import LRUCache, cached
from PIL import Image, ImageDraw, ImageFont

from bot.render.assets import asset
from bot.render.scene import Fit, Weight

FACES: Final[dict[Weight, tuple[str, ...]]] = {
    Weight.MEDIUM: ("Inter-Medium", "NotoSansSC-Medium", "DejaVuSans"),
    Weight.BOLD: ("Inter-Bold", "DejaVuSans-Bold", "NotoSansSC-Medium"),
    Weight.DISPLAY: ("Inter-Display", "DejaVuSans-Bold", "NotoSansSC-Medium"),
}
ELLIPSIS: Final = "…"
LINE: Final = 1.25
"""Height of a line in type sizes."""
CAP: Final = 0.727
"""Height of a capital in type sizes: what the eye centres on."""
_ASCENT, _DESCENT = 1.0, 0.3
_INK: Final = 0.92
"""Height of a line from the top of a capital to the foot of a g, in type sizes."""
_TRACKING: Final = {Weight.DISPLAY: 0.02}
"""Extra room after each sign, in type sizes: the display face is cut tight and we have no kerning."""
_CACHE_BYTES: Final = 8 * 2**20
VISIBLE: Final = [0] * 8 + [255] * 248

_lock = threading.RLock()


@dataclass(frozen=True, slots=True)
class Drawn:
    """One text that was drawn, for the audit. `cut` says that it was too long for its box."""

    string: str
    shown: str
    pixels: float
    cut: bool
    allowed: bool


_record: ContextVar[list[Drawn] | None] = ContextVar("drawn_texts", default=None)


@contextmanager
def recording() -> Iterator[list[Drawn]]:
    """Collect every text laid out inside the block, in order. Nested blocks keep to themselves."""
    found: list[Drawn] = []
    token = _record.set(found)
    try:
        yield found
    finally:
        _record.reset(token)


def note(string: str, shown: str, pixels: float, *, cut: bool, allowed: bool) -> None:
    """Tell the recording that is under way, if any, about a text."""
    found = _record.get()
    if found is not None:
        found.append(Drawn(string, shown, pixels, cut, allowed))


@cache
def coverage(face: str) -> frozenset[int]:
    """The characters that a face of ours can draw."""
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
    """The text as it is drawn: composed, without control signs and variation selectors."""
    composed = unicodedata.normalize("NFC", string)
    return "".join(
        " " if char in "\t\n\r" else char
        for char in composed
        if char in "\t\n\r"
        or (unicodedata.category(char) not in ("Cc", "Cf") and not "\ufe00" <= char <= "\ufe0f")
    )


@lru_cache(maxsize=1024)
def written(name: str) -> str:
    """What our faces can write of a name: without emoji and ornaments, letters in fancy dress made plain.

    Empty where that would not be the name any more: it has a letter that we lack, it runs from right to
    left or joins its letters (the basic layout would write them backwards), or nothing but signs is in it.
    """
    known = [coverage(face) for face in FACES[Weight.MEDIUM]]
    kept: list[str] = []
    for char in normal(name):
        if unicodedata.bidirectional(char) in ("R", "AL", "AN"):
            return ""
        plain = char if any(ord(char) in codes for codes in known) else unicodedata.normalize("NFKC", char)
        if unicodedata.combining(char):
            continue
        if all(any(ord(one) in codes for codes in known) for one in plain):
            kept.append(plain)
        elif unicodedata.category(char)[0] in "LNM":
            return ""
    text = " ".join("".join(kept).split())
    return text if any(char.isalnum() for char in text) else ""


@lru_cache(maxsize=4096)
def _runs(string: str, weight: Weight) -> tuple[tuple[str, str], ...]:
    """The text in pieces that one face each can draw; a sign that nobody has becomes U+FFFD."""
    pieces: list[list[str]] = []
    for char in string:
        face = next((name for name in FACES[weight] if ord(char) in coverage(name)), None)
        if face is None:
            char, face = "\ufffd", "DejaVuSans"  # noqa: PLW2901 - from here on it is the sign that stands for it
        if pieces and pieces[-1][0] == face:
            pieces[-1][1] += char
        else:
            pieces.append([face, char])
    return tuple((face, piece) for face, piece in pieces)


@lru_cache(maxsize=8192)
def width(string: str, pixels: int, weight: Weight = Weight.MEDIUM) -> float:
    """How wide a line is, in pixels."""
    text = normal(string)
    with _lock:
        total = sum(_font(face, pixels).getlength(piece) for face, piece in _runs(text, weight))
    return total + max(0, len(text) - 1) * _TRACKING.get(weight, 0) * pixels


@dataclass(frozen=True, slots=True)
class LineMask:
    """A line as coverage: `mask` stands at (`left`, `top`) from the start of the base line.

    `visible` is set where so much of a pixel is covered that it is seen.
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
    """The coverage of one line, from the cache when it was drawn before."""
    with _lock:
        return _draw(string, pixels, weight)


def _draw(string: str, pixels: int, weight: Weight) -> LineMask:
    pad = pixels // 4 + 2
    text = normal(string)
    advance = width(text, pixels, weight)
    ascent = round(pixels * _ASCENT) + 1
    image = Image.new("L", (round(advance) + 2 * pad, ascent + round(pixels * _DESCENT) + 1))
    pen = ImageDraw.Draw(image)
    x = float(pad)
    for face, piece in _runs(text, weight):
        font = _font(face, pixels)
        for part in piece if weight in _TRACKING else (piece,):
            pen.text((x, ascent), part, fill=255, font=font, anchor="ls")
            x += font.getlength(part) + _TRACKING.get(weight, 0) * pixels
    box = image.getbbox() or (0, 0, 1, 1)
    mask = image.crop(box)
    return LineMask(mask, mask.point(VISIBLE, "1"), box[0] - pad, box[1] - ascent, advance)


def ellipsis(string: str, pixels: int, weight: Weight, room: float) -> str:
    """The longest beginning that fits into `room` pixels with an ellipsis, or the text itself if it fits."""
    if width(string, pixels, weight) <= room:
        return string
    low, high = 0, len(string)
    while low < high:
        middle = (low + high + 1) // 2
        if width(string[:middle].rstrip() + ELLIPSIS, pixels, weight) <= room:
            low = middle
        else:
            high = middle - 1
    return string[:low].rstrip() + ELLIPSIS


_CLOSING: Final = frozenset("，。、；：？！）」』》”’…")
_OPENING: Final = frozenset("（「『《“‘")


def _words(string: str) -> list[str]:
    """Where a line may break: after spaces, around every Han or kana sign and after its marks; but no line
    begins with a mark that closes or ends with one that opens."""
    words: list[str] = []
    current = ""
    for char in string:
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
class Block:
    """Lines that fit a box, and whether something had to go."""

    lines: tuple[str, ...]
    cut: bool


@lru_cache(maxsize=4096)
def wrap(string: str, pixels: int, weight: Weight, room: int, max_lines: int) -> Block:
    """Break a text into at most `max_lines` lines of `room` pixels; the last one may end in an ellipsis."""
    text = normal(string)
    if max_lines <= 1 or width(text, pixels, weight) <= room:
        short = ellipsis(text, pixels, weight, room)
        return Block((short,), short != text)
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
    return Block(short_lines, cut or short_lines != tuple(lines))


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
    """Break or shorten a text for a box and note the result for the audit. Returns its lines.

    All lengths are in pixels; `scale` says how many of them make one pixel of the finished picture.
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
