"""A player's statistics: totals, the last games, and a line for each game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.render.blocks import Block, Box, Column, Flow, Grid, Paragraph, Piece, Spaced, frozen
from bot.render.pages.leaderboards import BoardLine, Columns, Lines, heading, nothing
from bot.render.parts import alt_text, text_width
from bot.render.scene import Align, Fit, Item, ItemGroup, Look, Panel, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_CARD, RADIUS_SMALL

_TILE: Final = 184
_TREND: Final = 260
_START: Final = 1500.0
"""Initial rating, in points."""
_MARK: Final = 68
"""Side of the square of one game, in pixels."""


@dataclass(frozen=True, slots=True)
class StatFigure:
    """One statistic: a number, and what it counts."""

    number: str
    label: str


@dataclass(frozen=True, slots=True)
class Trend:
    """The course of a rating: its points, the oldest first, its label, and its description for
    the alt text."""

    label: str
    points: tuple[int, ...]
    now: str
    said: str


@dataclass(frozen=True, slots=True)
class Stats:
    """The contents of a player's statistics. `last` says which of the last games were won, the oldest first.

    `against` are the most frequent opponents; `chance` is a sentence on the reader and this player.
    """

    name: str
    subtitle: str
    figures: tuple[StatFigure, ...]
    last_label: str
    last: tuple[bool, ...]
    last_said: str
    columns: Columns
    tallies: tuple[BoardLine, ...]
    empty: str
    footer: str
    trend: Trend | None = None
    against: tuple[BoardLine, ...] = ()
    against_columns: Columns | None = None
    against_label: str = ""
    chance: str = ""
    luck: tuple[StatFigure, ...] = ()
    roles: tuple[BoardLine, ...] = ()
    roles_label: str = ""
    favourite: str = ""


def _tile(figure: StatFigure) -> Block:
    def draw(area: Rect) -> list[Item]:
        number = Rect(area.x + 8, area.y + 10, area.w - 16, 100)
        label = Rect(area.x + 8, number.bottom, area.w - 16, 64)
        return [
            ItemGroup(
                area,
                (
                    Panel(area, "panel", RADIUS_CARD),
                    Text(number, figure.number, Size.LARGE, Weight.BOLD, "accent", Align.CENTRE),
                    Text(
                        label, figure.label, Size.CLEAR, colour="muted", align=Align.CENTRE, fit=Fit.ELLIPSIS
                    ),
                ),
            )
        ]

    return Box(_TILE, draw)


def _mark(won: bool) -> Piece:
    """Return the mark of one game: a tick on gold for a win, otherwise a dash in a frame."""

    def draw(area: Rect) -> list[Item]:
        if won:
            ground = Panel(area, "accent", RADIUS_SMALL)
            return [ground, Text(area, "✓", Size.CLEAR, Weight.BOLD, "accent_ink", Align.CENTRE)]
        ground = Panel(area, "panel", RADIUS_SMALL, "edge", 4)
        return [ground, Text(area, "–", Size.CLEAR, Weight.BOLD, "muted", Align.CENTRE)]

    return Piece(_MARK, _MARK, draw)


def _last(stats: Stats) -> Block:
    """Return the last games as a row of marks, the newest at the right."""
    wide = text_width(stats.last_label, Size.CLEAR)
    label = Piece(wide, _MARK, lambda area: [Text(area, stats.last_label, Size.CLEAR, colour="muted")])
    return Flow((label, *map(_mark, stats.last)) if stats.last else (), gap=16)


def _trend(trend: Trend) -> Block:
    """Return a rating as a curve, with its label above, its range at the left and its current value at the
    right."""
    low, high = min(trend.points), max(trend.points)
    scale = max(text_width(str(each), Size.CLEAR) for each in (low, high))
    now = text_width(trend.now, Size.LARGE, Weight.BOLD)

    def draw(area: Rect) -> list[Item]:
        inner = area.inset(24, 16)
        label = inner._replace(h=60)
        plot = Rect(inner.x + scale + 20, label.bottom + 8, inner.w - scale - now - 48, inner.h - 68)
        figure = Rect(inner.right - now, plot.y, now, plot.h)
        items: list[Item] = [
            Panel(area, "panel", RADIUS_CARD),
            Text(label, trend.label, Size.CLEAR, colour="muted", fit=Fit.ELLIPSIS),
            Sprite("house.trend", (trend.points, _START, "accent"), plot),
            Text(figure, trend.now, Size.LARGE, Weight.BOLD, "accent", Align.RIGHT),
        ]
        ends = (
            ((high, plot.y), (low, plot.bottom - 56)) if low < high else ((low, plot.y + plot.h // 2 - 28),)
        )
        items += [
            Text(Rect(inner.x, y, scale, 56), str(each), Size.CLEAR, colour="muted", align=Align.RIGHT)
            for each, y in ends
        ]
        return [ItemGroup(area, tuple(items))]

    return Box(_TREND, draw)


def _group(tallies: tuple[BoardLine, ...], columns: Columns, label: str) -> list[Block]:
    """Return lines below their column headings."""
    lines = Lines(tallies, columns, share=True)
    return [lines.head(label), *(Spaced(lines.line(tally), 8) for tally in tallies)]


def stats_scene(stats: Stats, look: Look) -> Scene:
    """Return a player's totals and games, as tall as needed, with an explanation of the terms at the foot."""
    lines = Lines(stats.tallies, stats.columns, share=True)
    blocks: list[Block] = [heading(stats.name, stats.subtitle)]
    if stats.tallies:
        blocks.append(Spaced(Grid([_tile(figure) for figure in stats.figures], 3), 24))
        blocks.append(Spaced(_last(stats), 16))
        if any(tally.games for tally in stats.tallies):
            blocks.append(lines.head())
        blocks += [Spaced(lines.line(tally), 8) for tally in stats.tallies]
    else:
        blocks.append(nothing(stats.empty))
    said = [f"{figure.label}: {figure.number}." for figure in stats.figures]
    said += [stats.last_said, *(tally.said for tally in stats.tallies)]
    return _page(stats, blocks, said, look)


def rivals_scene(stats: Stats, look: Look) -> Scene | None:
    """Return the second page: the course of the rating, luck, the favourite card, and the opponents.

    Return None if none of this is known.
    """
    blocks: list[Block] = [heading(stats.name, stats.subtitle)]
    if stats.trend:
        blocks.append(Spaced(_trend(stats.trend), 16))
    if stats.luck:
        blocks.append(Spaced(Grid([_tile(figure) for figure in stats.luck], 3), 24))
    if stats.favourite:
        blocks.append(Spaced(Paragraph(stats.favourite, (Size.CLEAR,), Weight.BOLD, lines=2), 16))
    if stats.roles and stats.against_columns:
        blocks += _group(stats.roles, stats.against_columns, stats.roles_label)
    if stats.chance:
        blocks.append(Spaced(Paragraph(stats.chance, (Size.CLEAR,), Weight.BOLD, lines=2), 16))
    if stats.against and stats.against_columns:
        blocks += _group(stats.against, stats.against_columns, stats.against_label)
    if len(blocks) == 1:
        return None
    said = [stats.trend.said if stats.trend else ""]
    said += [f"{figure.label}: {figure.number}." for figure in stats.luck]
    said += [stats.favourite, *(tally.said for tally in stats.roles), stats.chance]
    said += [tally.said for tally in stats.against]
    return _page(stats, blocks, said, look)


def _page(stats: Stats, blocks: list[Block], said: list[str], look: Look) -> Scene:
    footer = stats.footer if stats.tallies else stats.empty
    foot = Paragraph(footer, (Size.CLEAR,), colour="muted", lines=3) if stats.tallies else None
    named = [f"{words}." if words else "" for words in (stats.name, stats.subtitle)]
    return frozen(Column(blocks), alt_text(*named, *said, footer), look, foot=foot)
