"""The description of a picture, in plain values.

A `Scene` lists boxes in paint order. It is frozen and hashable, so it is the key of the picture cache, and
tests can compare and audit it without drawing. Lengths are pixels of the finished picture. Colours are names
of the theme, so a scene works in every palette.

Items are msgspec structs, like positions: a picture has hundreds of them, and they are created, hashed and
sent to a painter's process on each press (`research/press.md`).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from enum import Enum, IntEnum, StrEnum
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec.structs import force_setattr

from bot.chinese import SIGN

BASE_WIDTH = 1280
"""The width for which the type scale is given. Other widths scale it, so phones see the same size."""


class Rect(NamedTuple):
    """A box: left, top, width, height."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The first column to the right of the box."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The first row below the box."""
        return self.y + self.h

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the box."""
        return self.x + self.w / 2, self.y + self.h / 2

    def inset(self, dx: int, dy: int | None = None) -> Rect:
        """Return the box with `dx` removed left and right, and `dy` (or `dx`) at the top and bottom."""
        dy = dx if dy is None else dy
        return Rect(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def moved(self, dx: int, dy: int) -> Rect:
        """Return the same box at another place."""
        return Rect(self.x + dx, self.y + dy, self.w, self.h)

    def overlaps(self, other: Rect) -> bool:
        """Return whether the two boxes share at least one pixel."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )

    def holds(self, other: Rect) -> bool:
        """Return whether `other` is completely inside."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.right <= self.right
            and other.bottom <= self.bottom
        )


class Size(IntEnum):
    """The type scale: pixels in a picture BASE_WIDTH wide.

    SMALL is 11 px when the picture is shown 400 px wide. CLEAR is 11 px when it is shown 294 px wide, as on a
    phone inside a container.
    """

    SMALL = 36
    BODY = 44
    CLEAR = 48
    TITLE = 56
    LARGE = 80
    HUGE = 128


class Weight(StrEnum):
    """The three faces of the type."""

    MEDIUM = "medium"
    BOLD = "bold"
    DISPLAY = "display"


class Align(StrEnum):
    """The horizontal position of a line in its box."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class Fit(StrEnum):
    """The treatment of text that is too long."""

    STRICT = "strict"
    """Must fit. Otherwise the audit of a scene reports it."""
    ELLIPSIS = "ellipsis"
    """Shortened with an ellipsis: for names and other people's words."""


class SpriteState(Enum):
    """The way a card lies, as at a real table."""

    SIDEWAYS = "sideways"
    RAISED = "raised"
    HATCHED = "hatched"
    OUTLINED = "outlined"
    DIMMED = "dimmed"
    NEW = "new"


class Anchor(StrEnum):
    """The vertical position of a text in its box."""

    TOP = "top"
    MIDDLE = "middle"


class Panel(msgspec.Struct, frozen=True):
    """A flat box with round corners. A panel is a ground: other items may lie on it."""

    rect: Rect
    fill: str | None
    radius: int = 0
    outline: str | None = None
    thickness: int = 0


class Sprite(msgspec.Struct, frozen=True):
    """A thing drawn by a painter: a card, a back, an icon. It is drawn once, then copied from the cache."""

    painter: str
    args: tuple[Hashable, ...]
    rect: Rect
    states: frozenset[SpriteState] = frozenset()


class Text(msgspec.Struct, frozen=True):
    """Words in a box. `size` comes from the type scale and is scaled with the width of the picture."""

    rect: Rect
    string: str
    size: Size = Size.SMALL
    weight: Weight = Weight.MEDIUM
    colour: str = "text"
    align: Align = Align.LEFT
    spot: Anchor = Anchor.MIDDLE
    max_lines: int = 1
    fit: Fit = Fit.STRICT


class Line(msgspec.Struct, frozen=True):
    """A straight horizontal or vertical rule between two points, with dashes and gaps of `dash` px, 0 for
    solid."""

    start: tuple[int, int]
    end: tuple[int, int]
    colour: str
    thickness: int = 4
    dash: int = 0

    @property
    def rect(self) -> Rect:
        """The box that the rule fills."""
        (x0, y0), (x1, y1) = self.start, self.end
        half = self.thickness // 2
        if x0 == x1:
            return Rect(x0 - half, min(y0, y1), self.thickness, abs(y1 - y0))
        return Rect(min(x0, x1), y0 - half, abs(x1 - x0), self.thickness)


class ItemGroup(msgspec.Struct, frozen=True):
    """Items that belong together. Their positions are absolute and must stay inside `rect`.

    `tag` names a place where a motion may happen (see `places`), or that a decision is about (see
    `bot.render.parts.ringed`).
    """

    rect: Rect
    items: tuple[Item, ...]
    tag: str = ""


Item: TypeAlias = Panel | Sprite | Text | Line | ItemGroup


class Look(msgspec.Struct, frozen=True):
    """A person's display preferences: language and palette, and the names of the seats in order.

    Presenters receive a Look. It is part of every cache key.
    """

    locale: str = "en"
    palette: str = "default"
    names: tuple[str, ...] = ()

    def name(self, seat: int) -> str:
        """Return the name of a seat, or "" if it has none."""
        return self.names[seat] if 0 <= seat < len(self.names) else ""


class Frame(msgspec.Struct, frozen=True):
    """The items over a moving picture, and the milliseconds they are shown."""

    items: tuple[Item, ...]
    milliseconds: int


class Scene(msgspec.Struct, frozen=True, cache_hash=True):
    """A whole picture: its size, its items in paint order, and a description in words (`alt`).

    A scene with `motion` is shown as it is, then under each of the frames, then as it is again.

    Raises ValueError for impossible sizes, or an alt text longer than Discord allows.
    """

    width: int
    height: int
    items: tuple[Item, ...]
    alt: str
    look: Look = Look()
    ground: str = "felt"
    """The table background: one of `theme.GROUNDS`."""
    motion: tuple[Frame, ...] = ()

    def __post_init__(self) -> None:
        if not (0 < self.width <= 4096 and 0 < self.height <= 4096):
            raise ValueError(f"no picture is {self.width}x{self.height}")
        if len(self.alt) > 1024:
            raise ValueError(f"the alt text has {len(self.alt)} characters, 1024 are allowed")
        if self.look.locale.startswith("zh"):
            # sentences were joined with English punctuation
            force_setattr(self, "alt", in_chinese_marks(self.alt))

    def points(self, size: Size) -> int:
        """Return the type size in pixels for a picture of this width, rounded up to stay legible
        on phones."""
        return -(-size * self.width // BASE_WIDTH)


_MARK = re.compile(r"(?:^|(?<=[。.] )|(?<=。))\d+\. |(?<=\S)[.:,;](?= |$)")
"""Matches a rank before a name, which stays, or a mark after a word."""
_BRACKETS = re.compile(r" ?\(((?:[^()]|\([^()]*\))*)\)")
"""Matches text in brackets, which may contain the brackets of a formula."""
_WIDE = str.maketrans(".:,;", "。：，；")


def in_chinese_marks(text: str) -> str:
    """Return a Chinese text with full-width punctuation and no spaces after it.

    >>> in_chinese_marks("领先: 43. B Ann: +2. 1. Ann, 3 张.")
    '领先：43。B Ann：+2。1. Ann，3 张。'
    >>> in_chinese_marks("领先：43。1. Ann (第 3 步). 氖 (激光), Ca(OH)2")
    '领先：43。1. Ann（第 3 步）。氖（激光），Ca(OH)2'
    >>> in_chinese_marks("Ann (小明) 获胜, Db (𬭊), 剩下 (3 张, Ca(OH)2), (Bo (小红), 2)")
    'Ann（小明）获胜，Db（𬭊），剩下（3 张，Ca(OH)2），（Bo（小红），2）'
    """
    wide = _MARK.sub(lambda found: found[0] if found[0][0].isdigit() else found[0].translate(_WIDE), text)
    wide = _BRACKETS.sub(_in_wide_brackets, wide)
    return re.sub("(?<=[。：，；！？）]) ", "", wide)


def _in_wide_brackets(found: re.Match[str]) -> str:
    """Return bracketed text, in full-width brackets if it contains Chinese. A formula contains none."""
    if not SIGN.search(found[1]):
        return found[0]
    return f"（{_BRACKETS.sub(_in_wide_brackets, found[1])}）"


def places(items: Iterable[Item]) -> dict[str, Rect]:
    """Return the tagged places in a picture."""
    found: dict[str, Rect] = {}
    for item in items:
        if isinstance(item, ItemGroup):
            if item.tag:
                found[item.tag] = item.rect
            found.update(places(item.items))
    return found
