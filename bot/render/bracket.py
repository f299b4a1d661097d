"""A tournament's bracket as a picture: up to three rounds side by side, readable on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.render import layout
from bot.render import text as letters
from bot.render.blocks import Block, Box, Column, Spaced, Words, frozen
from bot.render.emblems import TROPHY
from bot.render.parts import INNER, alt_text, text_width
from bot.render.scene import (
    Align,
    Fit,
    Group,
    Item,
    Line,
    Look,
    Panel,
    Rect,
    Scene,
    Size,
    Sprite,
    Text,
    Weight,
)
from bot.render.theme import RADIUS_CARD, RADIUS_SMALL

COLUMNS: Final = 3
"""How many rounds fit beside each other."""
ROWS: Final = 8
"""How many matches fit below each other."""
_GAP: Final = 56
_PAD: Final = 16
_LINE: Final = 64
"""How much a second line of a name adds to the first, in pixels."""
_APART: Final = 28
HEAD: Final = 136
"""How high the head of a tournament's picture is."""
_LEAST: Final = 240
"""The least width of a match, in pixels."""
_TALLEST: Final = 1100
"""Names take two lines where the matches are no higher than this then."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One match: two names ("" for nobody yet), who has won (0, 1, or -1), whether it goes on now, its
    place in the round, from 0, and whether its winner has won the tournament; places of byes stay empty.

    `plain` stands in for names that our fonts cannot write.
    """

    names: tuple[str, str]
    winner: int = -1
    live: bool = False
    place: int = 0
    path: bool = False
    plain: tuple[str, str] = ("?", "?")

    def written(self, place: int) -> str:
        """A name as the picture shows it."""
        name = self.names[place]
        return letters.written(name) or (name and self.plain[place])


@dataclass(frozen=True, slots=True)
class Round:
    """A round of the bracket with its heading, and how many places it has."""

    title: str
    pairs: tuple[Pair, ...]
    size: int


@dataclass(frozen=True, slots=True)
class BracketView:
    """What is to be seen: who has won or how it stands, at most three rounds, words for an empty place and
    for the marks."""

    title: str
    """The champion, or what is still to be played."""
    subtitle: str
    won: bool
    rounds: tuple[Round, ...]
    nobody: str
    marks: str
    beats: str
    """A sentence with `{winner}` and `{loser}`, for the alt text."""
    meets: str
    """A sentence with `{one}` and `{two}`."""


def bracket_scene(view: BracketView, look: Look) -> Scene:
    """The picture: a column for each round, matches level with those that lead to them.

    Raises:
        ValueError: more than three rounds.
    """
    if len(view.rounds) > COLUMNS:
        raise ValueError(f"{len(view.rounds)} rounds, {COLUMNS} fit")
    blocks: list[Block] = [
        Spaced(Box(HEAD, lambda area: cup_head(area, view.title, view.subtitle, won=view.won)), 16)
    ]
    if view.rounds:
        tree = _Tree(view)
        blocks += [Spaced(Box(_LINE, tree.headings), 8), Box(tree.tall, tree.items)]
    foot = Words(view.marks, (Size.CLEAR,), colour="muted", lines=2)
    return frozen(Column(blocks), _told(view), look, foot=foot)


def cup_head(area: Rect, title: str, subtitle: str, *, won: bool) -> list[Item]:
    """The trophy; beside it who has it, or how many matches are left on the way to it."""
    cup, words = layout.across(area, (HEAD, None), gap=24)
    top, below = layout.down(words, (80, None), gap=0)
    colour = "accent" if won else "text"
    words_above = Words(letters.written(title), (Size.LARGE, Size.TITLE, Size.CLEAR), Weight.BOLD, colour)
    return [
        Sprite(TROPHY, (), cup),
        *words_above.items(top),
        Text(below, subtitle, Size.CLEAR, colour="muted", fit=Fit.ELLIPSIS),
    ]


class _Tree:
    """The matches in columns. Each takes a row of its own unless others lead to it: then it stands level with
    the middle of those, so that byes leave no holes."""

    def __init__(self, view: BracketView) -> None:
        self._view = view
        self._widths = _shared([self._wanted(each) for each in view.rounds])
        self._levels = _levels(view.rounds)
        rows = 1 + max((level for column in self._levels for level in column.values()), default=0)
        long = any(
            _width(pair, place) > width
            for each, width in zip(view.rounds, self._widths, strict=True)
            for pair in each.pairs
            for place in (0, 1)
        )
        self._lines_each = 2 if long and rows * self._step(2) <= _TALLEST else 1
        self.tall = round(rows * self._step(self._lines_each)) - _APART

    @staticmethod
    def _wanted(each: Round) -> int:
        """How wide a round would like to be."""
        names = [_width(pair, place) for pair in each.pairs for place in (0, 1)]
        return max(_LEAST, text_width(each.title, Size.CLEAR), *names)

    def _cells(self, area: Rect) -> tuple[Rect, ...]:
        return layout.across(area, self._widths, _GAP)

    def headings(self, area: Rect) -> Iterator[Item]:
        """The names of the rounds."""
        for each, cell in zip(self._view.rounds, self._cells(area), strict=True):
            words = Words(each.title, (Size.CLEAR, Size.SMALL), colour="muted", align=Align.CENTRE)
            yield from words.items(cell)

    @staticmethod
    def _step(lines: int) -> int:
        """How high a match is, and the room to the next."""
        return 2 * (16 + _LINE * lines) + _APART

    def _middle(self, top: int, column: int, place: int) -> int:
        step = self._step(self._lines_each)
        return top + round((self._levels[column][place] + 0.5) * step) - _APART // 2

    def items(self, area: Rect) -> Iterator[Item]:
        """The matches, and rules from each to the one that its winner goes to; those of the champion last."""
        cells = self._cells(area)
        links = sorted(self._links(area, cells), key=lambda link: link[0])
        for _, rules in links:
            yield from rules
        for column, (each, cell) in enumerate(zip(self._view.rounds, cells, strict=True)):
            high = self._step(self._lines_each) - _APART
            for pair in each.pairs:
                middle = self._middle(area.y, column, pair.place)
                yield self._pair(Rect(cell.x, middle - high // 2, cell.w, high), pair)

    def _links(self, area: Rect, cells: tuple[Rect, ...]) -> Iterator[tuple[bool, list[Item]]]:
        for column, (here, there) in enumerate(pairwise(self._view.rounds)):
            right, left = cells[column].right, cells[column + 1].x
            middle = (right + left) // 2
            for pair in here.pairs:
                goal = following(pair.place, here, there)
                if goal not in self._levels[column + 1]:
                    continue
                start, end = (
                    self._middle(area.y, at, n) for at, n in ((column, pair.place), (column + 1, goal))
                )
                colour, thick = ("accent", 12) if pair.path else ("muted", 4)
                half = thick // 2
                rules: list[Item] = [Line((right, start), (middle + half, start), colour, thick)]
                if start != end:
                    rules.append(Line((middle, min(start, end)), (middle, max(start, end)), colour, thick))
                rules.append(Line((middle - half, end), (left, end), colour, thick))
                yield pair.path, rules

    def _pair(self, area: Rect, pair: Pair) -> Group:
        outline = ("accent", 6) if pair.live else (None, 0)
        items: list[Item] = [Panel(area, "panel_high" if pair.live else "panel", RADIUS_CARD, *outline)]
        for place, (name, line) in enumerate(zip(pair.names, layout.column(area, 2, 0), strict=True)):
            won, shown = pair.winner == place, pair.written(place)
            if won and pair.path:
                items.append(Panel(line.inset(6, 4), "accent", RADIUS_SMALL))
                colour = "accent_ink"
            else:
                colour = "text" if won or (name and pair.winner < 0) else "muted"
            weight = Weight.BOLD if won else Weight.MEDIUM
            words = f"{'✓ ' if won else ''}{shown or self._view.nobody}"
            inner = line.inset(_PAD, 6)
            lines = self._lines_each
            items.append(Text(inner, words, Size.CLEAR, weight, colour, max_lines=lines, fit=Fit.ELLIPSIS))
        return Group(area, tuple(items))


def _width(pair: Pair, place: int) -> int:
    """How wide a match must be for one of its names."""
    return text_width(f"✓ {pair.written(place)}", Size.CLEAR, Weight.BOLD) + 2 * _PAD


def _shared(wanted: list[int]) -> list[int]:
    """The width of the picture for columns that would like to be so wide: those that want least get it, the
    others share the rest; what nobody wants is for all."""
    widths, free = [0] * len(wanted), INNER - _GAP * (len(wanted) - 1)
    if sum(wanted) <= free:
        return [width + (free - sum(wanted)) // len(wanted) for width in wanted]
    for left, column in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        widths[column] = min(wanted[column], free // (len(wanted) - left))
        free -= widths[column]
    return widths


def following(place: int, here: Round, there: Round) -> int:
    """The place in the next round to which a winner goes."""
    return place // 2 if here.size == 2 * there.size else place


def _levels(rounds: tuple[Round, ...]) -> list[dict[int, float]]:
    """How far down each match stands, in rows, by round and place."""
    found: list[dict[int, float]] = [{} for _ in rounds]
    rows = 0

    def visit(column: int, place: int) -> float:
        nonlocal rows
        before = [
            visit(column - 1, pair.place)
            for pair in (rounds[column - 1].pairs if column else ())
            if following(pair.place, rounds[column - 1], rounds[column]) == place
        ]
        if not before:
            rows += 1
        found[column][place] = sum(before) / len(before) if before else float(rows - 1)
        return found[column][place]

    for column in reversed(range(len(rounds))):
        for pair in rounds[column].pairs:
            if pair.place not in found[column]:
                visit(column, pair.place)
    return found


def _told(view: BracketView) -> str:
    said = [f"{view.title} {view.subtitle}." if view.won else f"{view.title}. {view.subtitle}."]
    for each in view.rounds:
        said.append(f"{each.title}:")
        for pair in each.pairs:
            one, two = (name or view.nobody for name in pair.names)
            if pair.winner >= 0:
                winner, loser = (one, two) if pair.winner == 0 else (two, one)
                said.append(view.beats.format(winner=winner, loser=loser))
            else:
                said.append(view.meets.format(one=one, two=two))
    return alt_text(*said)
