"""The score of every seat in one line, for the pictures of hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.render.blocks import Flow, Piece
from bot.render.parts import CHIP, person, person_width, text_width
from bot.render.scene import Align, Item, Rect, Size, Text, Weight

LINE: Final = 56
"""Height of the line, in pixels."""
_GAP: Final = 10
_BETWEEN: Final = 28
_LONGEST: Final = 300
"""Maximum width of a name, in pixels. A seat with a longer one shows only its letter."""


@dataclass(frozen=True, slots=True)
class SeatScore:
    """One seat's score: its name as pictures write it, and the score in words."""

    seat: int
    name: str
    score: str


@dataclass(frozen=True, slots=True)
class Standings:
    """The scores of all seats next to each other.

    If not all names fit, the other seats lose theirs first. Letters and scores always stay. `label` says what
    the scores count.
    """

    scores: Sequence[SeatScore]
    own: int = -1
    label: str = ""
    align: Align = Align.LEFT

    def height(self, width: int) -> int:
        """Return the height of one line, or more if not even letters and scores fit into one."""
        return self._flow(width).height(width) if self.scores else 0

    def items(self, area: Rect) -> Iterator[Item]:
        """Yield the letter, the name and the score of each seat."""
        yield from self._flow(area.w).items(area)

    def _flow(self, width: int) -> Flow:
        written = [
            one if text_width(one.name, Size.CLEAR) <= _LONGEST else _unnamed(one) for one in self.scores
        ]
        own = [one if one.seat == self.own else _unnamed(one) for one in written]
        tries = (written, own, [_unnamed(one) for one in self.scores])
        laid = [self._laid(scores) for scores in tries]
        return next((flow for flow in laid if len(flow.lines(width)) == 1), laid[-1])

    def _laid(self, scores: Sequence[SeatScore]) -> Flow:
        pieces = [Piece(_width(one), LINE, partial(_drawn, one=one)) for one in scores]
        if self.label:
            pieces.append(Piece(text_width(self.label, Size.CLEAR), LINE, partial(_label, label=self.label)))
        return Flow(pieces, _BETWEEN, align=self.align)


def _unnamed(one: SeatScore) -> SeatScore:
    return SeatScore(one.seat, "", one.score)


def _name_width(one: SeatScore) -> int:
    return person_width(one.name, Size.CLEAR) if one.name else CHIP


def _width(one: SeatScore) -> int:
    return _name_width(one) + _GAP + text_width(one.score, Size.CLEAR, Weight.BOLD)


def _drawn(area: Rect, one: SeatScore) -> Iterator[Item]:
    wide = _name_width(one)
    yield from person(area._replace(w=wide), one.seat, one.name, Size.CLEAR)
    score = Rect(area.x + wide + _GAP, area.y, area.w - wide - _GAP, area.h)
    yield Text(score, one.score, Size.CLEAR, Weight.BOLD)


def _label(area: Rect, label: str) -> Iterator[Item]:
    yield Text(area, label, Size.CLEAR, colour="muted")
