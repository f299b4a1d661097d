"""A tournament's bracket as a picture: up to three rounds next to each other, readable on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.render import layout
from bot.render import text as letters
from bot.render.blocks import Block, Box, Column, Paragraph, Spaced, frozen
from bot.render.pages.emblems import TROPHY
from bot.render.parts import INNER, alt_text, text_width
from bot.render.scene import (
    Align,
    Fit,
    Item,
    ItemGroup,
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
"""Number of rounds that fit next to each other."""
ROWS: Final = 8
"""Number of matches that fit one below another."""
_GAP: Final = 56
_PAD: Final = 16
_LINE: Final = 64
"""Extra height of a second line of a name, in pixels."""
_APART: Final = 28
HEAD: Final = 136
"""Height of the head of a tournament's picture, in pixels."""
_LEAST: Final = 240
"""Minimum width of a match, in pixels."""
_TALLEST: Final = 1100
"""Maximum total height of the matches at which names may take two lines, in pixels."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One match: two names ("" while unknown), the winner (0, 1 or -1), whether it is being played, and its
    place.

    `place` counts from 0 within the round; places of byes stay empty. `path` is set if the winner won the
    tournament. `plain` replaces names that our fonts cannot write. `absent` is the mark of a loser who lost
    by walkover, empty in a match that was played.
    """

    names: tuple[str, str]
    winner: int = -1
    live: bool = False
    place: int = 0
    path: bool = False
    plain: tuple[str, str] = ("?", "?")
    absent: str = ""

    def written(self, place: int) -> str:
        """Return a name as the picture shows it."""
        name = self.names[place]
        written = letters.written(name) or (name and self.plain[place])
        return f"{written} · {self.absent}" if self.absent and self.winner == 1 - place else written


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of the bracket: its heading, its matches, and its number of places."""

    title: str
    pairs: tuple[Pair, ...]
    size: int


@dataclass(frozen=True, slots=True)
class BracketView:
    """The contents of the picture: the champion or current state, at most three rounds, and the wording for
    an empty place and for the marks."""

    title: str
    """The champion, or the matches still to be played."""
    subtitle: str
    won: bool
    rounds: tuple[BracketRound, ...]
    nobody: str
    marks: str
    beats: str
    """A sentence with `{winner}` and `{loser}`, for the alt text."""
    meets: str
    """A sentence with `{one}` and `{two}`, for the alt text."""
    walkover: str = ""
    """A sentence with `{winner}` and `{loser}` for a match that was not played, for the alt text."""


def bracket_scene(view: BracketView, look: Look) -> Scene:
    """Return the picture: a column per round, each match level with those that lead to it.

    Raises:
        ValueError: there are more than three rounds.
    """
    if len(view.rounds) > COLUMNS:
        raise ValueError(f"{len(view.rounds)} rounds, {COLUMNS} fit")
    blocks: list[Block] = [
        Spaced(Box(HEAD, lambda area: cup_head(area, view.title, view.subtitle, won=view.won)), 16)
    ]
    if view.rounds:
        tree = _Tree(view)
        blocks += [Spaced(Box(_LINE, tree.headings), 8), Box(tree.tall, tree.items)]
    foot = Paragraph(view.marks, (Size.CLEAR,), colour="muted", lines=2)
    return frozen(Column(blocks), _told(view), look, foot=foot)


def cup_head(area: Rect, title: str, subtitle: str, *, won: bool) -> list[Item]:
    """The trophy, next to its winner or the number of matches left."""
    cup, words = layout.across(area, (HEAD, None), gap=24)
    top, below = layout.down(words, (80, None), gap=0)
    colour = "accent" if won else "text"
    words_above = Paragraph(letters.written(title), (Size.LARGE, Size.TITLE, Size.CLEAR), Weight.BOLD, colour)
    return [
        Sprite(TROPHY, (), cup),
        *words_above.items(top),
        Text(below, subtitle, Size.CLEAR, colour="muted", fit=Fit.ELLIPSIS),
    ]


class _Tree:
    """The matches in columns.

    A match takes a row of its own unless others lead to it. Then it is level with the middle of those, so
    that byes leave no holes.
    """

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
    def _wanted(each: BracketRound) -> int:
        """Return the width a round would like to have."""
        names = [_width(pair, place) for pair in each.pairs for place in (0, 1)]
        return max(_LEAST, text_width(each.title, Size.CLEAR), *names)

    def _cells(self, area: Rect) -> tuple[Rect, ...]:
        return layout.across(area, self._widths, _GAP)

    def headings(self, area: Rect) -> Iterator[Item]:
        """Yield the names of the rounds."""
        for each, cell in zip(self._view.rounds, self._cells(area), strict=True):
            words = Paragraph(each.title, (Size.CLEAR, Size.SMALL), colour="muted", align=Align.CENTRE)
            yield from words.items(cell)

    @staticmethod
    def _step(lines: int) -> int:
        """Return the height of a match and the space to the next."""
        return 2 * (16 + _LINE * lines) + _APART

    def _middle(self, top: int, column: int, place: int) -> int:
        step = self._step(self._lines_each)
        return top + round((self._levels[column][place] + 0.5) * step) - _APART // 2

    def items(self, area: Rect) -> Iterator[Item]:
        """Yield the matches, and a rule from each to its winner's next match. The champion's
        rules come last."""
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

    def _pair(self, area: Rect, pair: Pair) -> ItemGroup:
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
        return ItemGroup(area, tuple(items))


def _width(pair: Pair, place: int) -> int:
    """Return the width of a match that fits one of its names."""
    return text_width(f"✓ {pair.written(place)}", Size.CLEAR, Weight.BOLD) + 2 * _PAD


def _shared(wanted: list[int]) -> list[int]:
    """Return column widths that fill the picture.

    Columns that need least get their wish, and the others share the remaining width. Spare width is divided
    equally.
    """
    widths, free = [0] * len(wanted), INNER - _GAP * (len(wanted) - 1)
    if sum(wanted) <= free:
        return [width + (free - sum(wanted)) // len(wanted) for width in wanted]
    for left, column in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        widths[column] = min(wanted[column], free // (len(wanted) - left))
        free -= widths[column]
    return widths


def following(place: int, here: BracketRound, there: BracketRound) -> int:
    """Return a winner's place in the next round."""
    return place // 2 if here.size == 2 * there.size else place


def _levels(rounds: tuple[BracketRound, ...]) -> list[dict[int, float]]:
    """Return the vertical position of each match in rows, by round and place."""
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
                sentence = view.walkover if pair.absent else view.beats
                said.append(sentence.format(winner=winner, loser=loser))
            else:
                said.append(view.meets.format(one=one, two=two))
    return alt_text(*said)
