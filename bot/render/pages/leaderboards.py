"""The leaderboard of a game, in lines that player statistics share."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.render import layout
from bot.render import text as letters
from bot.render.blocks import Block, Box, Column, Paragraph, Spaced, frozen
from bot.render.pages.emblems import METALS, TROPHY
from bot.render.parts import CORNER, INNER, MARGIN, alt_text, text_width
from bot.render.scene import Align, Fit, Item, ItemGroup, Look, Panel, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_CARD, RADIUS_SMALL

_ROW: Final = 124
_PAD: Final = 20
_APART: Final = 28
"""Space between two columns, in pixels."""
_SIGN: Final = 96
"""Height and width of the sign at the left of a line, in pixels."""
_NOTE: Final = 60
_BAR: Final = 20
_GAP: Final = 8
"""Space between two lines, in pixels."""


class Sign(NamedTuple):
    """A sprite at the left of a line: its painter and args, and its width divided by its height."""

    painter: str
    args: tuple[Hashable, ...]
    shape: float


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One line of a board: the results of a player, or a player's results in one game.

    `sign`, or else `rank`, is shown at the left. `plain` replaces a name that our fonts cannot write. `tag`
    marks the reader's own line, `note` is below it, and `said` is the line for the alt text.
    """

    name: str
    wins: int
    games: int
    said: str
    rank: str = ""
    sign: Sign | None = None
    rating: str = ""
    rated: bool = False
    """Whether the rating is a number."""
    streak: int = 0
    """Number of games won in a row up to now."""
    tag: str = ""
    plain: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Columns:
    """Column headings: wins, the template `of` with `{n}` for the number of games, and the rating."""

    won: str
    of: str
    rating: str


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A page of a leaderboard. `own` is the reader's line if it is on another page."""

    title: str
    subtitle: str
    columns: Columns
    tallies: tuple[BoardLine, ...]
    own: BoardLine | None = None
    empty: str = ""
    footer: str = ""


def medal(place: int) -> Sign | None:
    """Return the sign of a place: a medal for the first three, or None."""
    return Sign("emblems.medal", (place,), 0.84) if 1 <= place <= len(METALS) else None


def emblem(painter: str, args: tuple[Hashable, ...], shape: float) -> Sign:
    """Return the sign of a game: its emblem, made small."""
    return Sign("emblems.small", (painter, args, shape), shape)


def heading(title: str, subtitle: str) -> Block:
    """Return the head of a board. Characters our fonts lack are only in the alt text."""
    return Column(
        (
            Spaced(Paragraph(letters.written(title), (Size.LARGE, Size.TITLE, Size.CLEAR), Weight.BOLD), 8),
            Spaced(Paragraph(subtitle, (Size.CLEAR,), colour="muted", lines=2), 16),
        )
    )


def nothing(words: str) -> Block:
    """Return the placeholder of an empty page: a trophy to be won, and a sentence below it.

    The sentence keeps as far from both sides as the ALT badge reaches.
    """
    said, aside = (
        Paragraph(words, (Size.CLEAR,), colour="muted", align=Align.CENTRE, lines=3),
        CORNER - MARGIN,
    )
    trophy = Box(200, lambda area: [Sprite(TROPHY, (), layout.centred(area, 180, 180))])
    below = Box(said.height(INNER - 2 * aside), lambda area: said.items(area.inset(aside, 0)))
    return Column((trophy, below))


class Lines:
    """The lines of a board. Each column is as wide as its widest figure.

    A bar shows the wins within the games. Its length is the number of games, or with `share` the same for
    all.
    """

    def __init__(self, tallies: Sequence[BoardLine], columns: Columns, *, share: bool = False) -> None:
        self._columns, self._share = columns, share
        self._sign = _SIGN if any(tally.sign or tally.rank for tally in tallies) else 0
        self._most = max((tally.games for tally in tallies), default=0)
        self._wins = max((text_width(str(each.wins), Size.TITLE, Weight.BOLD) for each in tallies), default=0)
        of = max((text_width(self._of(tally), Size.CLEAR) for tally in tallies), default=0)
        self._of_width = max(of, text_width(columns.won, Size.CLEAR) - self._wins - 12)
        ratings = [text_width(each.rating, *_figure(each)) for each in tallies]
        self._rating = max([text_width(columns.rating, Size.CLEAR), *ratings]) if any(ratings) else 0

    def _of(self, tally: BoardLine) -> str:
        return self._columns.of.format(n=tally.games)

    def _cells(self, area: Rect) -> tuple[Rect, ...]:
        """Return the areas of the sign, the name, the figures of wins, and the rating."""
        figures = self._wins + 12 + self._of_width
        return layout.across(area.inset(_PAD, 0), (self._sign, None, figures, self._rating), gap=_APART)

    def head(self, label: str = "") -> Block:
        """Return the column headings, with `label` above the names."""

        def draw(area: Rect) -> list[Item]:
            sign, name, figures, rating = self._cells(area)
            names = Rect(sign.x, area.y, name.right - sign.x, area.h)
            words = [Text(names, label, Size.CLEAR, colour="muted", fit=Fit.ELLIPSIS)] if label else []
            words += [Text(figures, self._columns.won, Size.CLEAR, colour="muted")]
            if self._rating:
                words.append(
                    Text(rating, self._columns.rating, Size.CLEAR, colour="muted", align=Align.RIGHT)
                )
            return list[Item](words)

        return Box(64, draw)

    def line(self, tally: BoardLine) -> Block:
        """Return one line: its sign, name, bar and figures."""
        below = _NOTE if tally.note and tally.games else 0
        return Box(_ROW + below, lambda area: [self._line(area, tally)])

    def _line(self, area: Rect, tally: BoardLine) -> ItemGroup:
        ground = Panel(
            area,
            "panel_high" if tally.tag else "panel",
            RADIUS_CARD,
            "accent" if tally.tag else None,
            6 if tally.tag else 0,
        )
        sign, name, figures, rating = self._cells(area._replace(h=_ROW))
        items: list[Item] = [ground, *_sign(sign, tally), *self._named(name, tally)]
        if tally.note:
            top = name.bottom if tally.games else name.y + 70
            note = Rect(name.x, top, rating.right - name.x, _NOTE - 12)
            items.append(Text(note, tally.note, Size.CLEAR, colour="muted", fit=Fit.ELLIPSIS))
        if not tally.games:
            return ItemGroup(area, tuple(items))
        wins = Rect(figures.x, figures.y, self._wins, figures.h)
        of = Rect(wins.right + 12, figures.y + 4, self._of_width, figures.h - 4)
        items.append(Text(wins, str(tally.wins), Size.TITLE, Weight.BOLD, align=Align.RIGHT))
        items.append(Text(of, self._of(tally), Size.CLEAR, colour="muted"))
        if tally.rating:
            colour = "text" if tally.rated else "muted"
            items.append(Text(rating, tally.rating, *_figure(tally), colour, Align.RIGHT))
        return ItemGroup(area, tuple(items))

    def _named(self, area: Rect, tally: BoardLine) -> list[Item]:
        """Return the name, the tag and the winning streak, with the bar below them."""
        top, below = area.y + 10, area.bottom - _BAR - 18
        right, items = area.right, list[Item]()
        if tally.streak > 1:
            run = f"▲{tally.streak}"
            wide = text_width(run, Size.CLEAR, Weight.BOLD)
            right -= wide
            place = Rect(right, top, wide, 60)
            items.append(Text(place, run, Size.CLEAR, Weight.BOLD, "good", Align.RIGHT))
            right -= 16
        shown = letters.written(tally.name) or tally.plain
        room = right - area.x
        chip = text_width(tally.tag, Size.CLEAR, Weight.BOLD) + 24 if tally.tag else 0
        if chip:
            room -= chip + 16
        size, weight = Size.CLEAR, Weight.BOLD
        wide = min(room, text_width(shown, size, weight))
        items.append(Text(Rect(area.x, top, wide, 60), shown, size, weight, fit=Fit.ELLIPSIS))
        if chip:
            place = Rect(area.x + wide + 16, top + 3, chip, 54)
            items.append(Panel(place, "accent", RADIUS_SMALL))
            items.append(Text(place, tally.tag, size, weight, "accent_ink", Align.CENTRE))
        return [*items, *self._bar(Rect(area.x, below, area.w, _BAR), tally)]

    def _bar(self, area: Rect, tally: BoardLine) -> list[Item]:
        if not tally.games:
            return []
        whole = max(_BAR, area.w if self._share else area.w * tally.games // self._most)
        won = whole * tally.wins // tally.games
        items: list[Item] = [Panel(area._replace(w=whole), "edge", _BAR // 2)]
        if won:
            items.append(Panel(area._replace(w=max(won, _BAR)), "accent", _BAR // 2))
        return items


def _figure(tally: BoardLine) -> tuple[Size, Weight]:
    return (Size.TITLE, Weight.BOLD) if tally.rated else (Size.CLEAR, Weight.MEDIUM)


def _sign(area: Rect, tally: BoardLine) -> list[Item]:
    if tally.sign:
        painter, args, shape = tally.sign
        return [Sprite(painter, args, layout.fitted(area.inset(0, 12), shape))]
    colour = "text" if tally.tag else "muted"
    rank = Paragraph(tally.rank, (Size.CLEAR, Size.SMALL), Weight.BOLD, colour, Align.CENTRE)
    return list(rank.items(area))


def board_scene(board: BoardPicture, look: Look) -> Scene:
    """Return a page of a leaderboard, as tall as needed, with the scale of its figures at the foot."""
    shown = [*board.tallies, *([board.own] if board.own else [])]
    lines = Lines(shown, board.columns)
    blocks: list[Block] = [heading(board.title, board.subtitle)]
    if shown:
        blocks += [lines.head(), *(Spaced(lines.line(tally), _GAP) for tally in board.tallies)]
    else:
        blocks.append(nothing(board.empty))
    if board.own:
        dots = Paragraph("· · ·", (Size.CLEAR,), Weight.BOLD, "muted", Align.CENTRE)
        blocks += [*([dots] if board.tallies else []), Spaced(lines.line(board.own), _GAP)]
    foot = Paragraph(board.footer, (Size.CLEAR,), colour="muted", lines=3) if shown else None
    said = [f"{words}." if words else "" for words in (board.title, board.subtitle)]
    said += [tally.said for tally in shown] or [board.empty]
    return frozen(Column(blocks), alt_text(*said, board.footer if shown else ""), look, foot=foot)
