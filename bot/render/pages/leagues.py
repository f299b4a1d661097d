"""The standings of a league as a picture: a line per player, readable on a phone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.render import layout
from bot.render import text as letters
from bot.render.blocks import Block, Box, Column, Paragraph, Spaced, frozen
from bot.render.pages.brackets import HEAD, cup_head
from bot.render.pages.leaderboards import medal
from bot.render.parts import alt_text, text_width
from bot.render.scene import Align, Fit, Item, ItemGroup, Look, Panel, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_CARD

ROWS: Final = 8
"""Number of players on a page."""
_ROW: Final = 108
_HIGH: Final = 68
_NOTE: Final = 60
_RIM: Final = 10
"""Height of a line; with a note, the heights of its two parts and the space above and below them."""
_PAD: Final = 20
_APART: Final = 28
_SIGN: Final = 84
_GAP: Final = 8


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """One player: rank, name, record (wins, draws and losses), tie-break and points, as they are written.

    `note` names the next opponent. `plain` replaces a name that our fonts cannot write. `out` means the
    player has left. `said` is the line for the alt text.
    """

    rank: int
    name: str
    record: str
    tie_break: str
    points: str
    said: str
    note: str = ""
    plain: str = "?"
    live: bool = False
    """Whether the player's match is being played."""
    out: bool = False


@dataclass(frozen=True, slots=True)
class LeagueView:
    """A page of the standings: the heading, the column headings, and their explanation."""

    title: str
    """The winner, or the round."""
    subtitle: str
    won: bool
    columns: tuple[str, str, str]
    """Headings of the record (wins, draws and losses), the tie-break and the points."""
    rows: tuple[LeagueRow, ...]
    footer: str


def league_scene(view: LeagueView, look: Look) -> Scene:
    """Return the picture: a tournament's head, a line per player, and an explanation of the tie-break."""
    lines = _Lines(view)
    blocks: list[Block] = [
        Spaced(Box(HEAD, lambda area: cup_head(area, view.title, view.subtitle, won=view.won)), 8),
        Box(64, lines.head),
        *(Spaced(lines.line(row), _GAP) for row in view.rows),
    ]
    said = [f"{view.title} {view.subtitle}." if view.won else f"{view.title}. {view.subtitle}."]
    foot = Paragraph(view.footer, (Size.CLEAR,), colour="muted", lines=3)
    return frozen(Column(blocks), alt_text(*said, *(row.said for row in view.rows)), look, foot=foot)


class _Lines:
    """The lines of the standings. Each column is as wide as its widest entry."""

    def __init__(self, view: LeagueView) -> None:
        self._view = view
        record, tie_break, points = view.columns
        self._widths = (
            _SIGN,
            None,
            _widest([record, *(row.record for row in view.rows)]),
            _widest([tie_break, *(row.tie_break for row in view.rows)]),
            max(
                text_width(points, Size.CLEAR),
                *(text_width(row.points, Size.TITLE, Weight.BOLD) for row in view.rows),
            ),
        )

    def _cells(self, area: Rect) -> tuple[Rect, ...]:
        return layout.across(area.inset(_PAD, 0), self._widths, gap=_APART)

    def head(self, area: Rect) -> list[Item]:
        """Return the column headings."""
        cells = self._cells(area)[2:]
        return [
            Text(cell, words, Size.CLEAR, colour="muted", align=Align.RIGHT)
            for cell, words in zip(cells, self._view.columns, strict=True)
        ]

    def line(self, row: LeagueRow) -> Block:
        """Return a player's line."""
        return Box(_HIGH + _NOTE + 2 * _RIM if row.note else _ROW, lambda area: [self._line(area, row)])

    def _line(self, area: Rect, row: LeagueRow) -> ItemGroup:
        ground, edge, thick = ("panel_high", "accent", 4) if row.live else ("panel", None, 0)
        ink = "muted" if row.out else "text"
        sign, name, record, tie_break, points = self._cells(
            area._replace(y=area.y + _RIM, h=_HIGH) if row.note else area
        )
        items: list[Item] = [Panel(area, ground, RADIUS_CARD, edge, thick)]
        shown = letters.written(row.name) or row.plain
        found = medal(row.rank) if self._view.won and not row.out else None
        if found is not None:
            items.append(Sprite(found.painter, found.args, layout.fitted(sign.inset(0, 4), found.shape)))
        else:
            whole = sign._replace(y=area.y, h=area.h)
            items.append(Text(whole, str(row.rank), Size.CLEAR, Weight.BOLD, "muted", Align.CENTRE))
        items += [
            Text(name, shown, Size.CLEAR, Weight.BOLD, ink, fit=Fit.ELLIPSIS),
            Text(record, row.record, Size.CLEAR, colour=ink, align=Align.RIGHT),
            Text(tie_break, row.tie_break, Size.CLEAR, colour="muted", align=Align.RIGHT),
            Text(points, row.points, Size.TITLE, Weight.BOLD, ink, Align.RIGHT),
        ]
        if row.note:
            below = Rect(name.x, name.bottom, points.right - name.x, _NOTE)
            items.append(Text(below, row.note, Size.CLEAR, colour="muted", fit=Fit.ELLIPSIS))
        return ItemGroup(area, tuple(items))


def _widest(strings: list[str]) -> int:
    return max(text_width(string, Size.CLEAR) for string in strings)
