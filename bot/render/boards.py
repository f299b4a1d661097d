"""Pictures that all games share: a board of ranks or figures, and a lobby."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.render import layout
from bot.render import text as letters
from bot.render.parts import alt_text, person, text_width
from bot.render.scene import Align, Fit, Group, Item, Look, Panel, Rect, Scene, Size, Text, Weight
from bot.render.theme import GRID, RADIUS_CARD

_WIDTH: Final = 1280
_MARGIN: Final = GRID * 3
_ROW: Final = 72
_PAD: Final = 20


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One line: its rank ("1", "1=", or "" for none), a name, and figures as the reader writes them.

    `plain` stands in for a name that our fonts cannot write. `own` marks the reader's own line; `seat`
    gives the line the letter and colour of a seat.
    """

    rank: str
    name: str
    figures: tuple[str, ...]
    own: bool = False
    seat: int | None = None
    plain: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """A table of names and figures; `columns` are the headings of the figures."""

    title: str
    subtitle: str
    columns: tuple[str, ...]
    rows: tuple[BoardRow, ...]
    empty: str = ""
    footer: str = ""


def _columns(board: Board) -> list[int]:
    widths = [text_width(heading, Size.SMALL) for heading in board.columns]
    for row in board.rows:
        for place, figure in enumerate(row.figures):
            widths[place] = max(widths[place], text_width(figure, Size.BODY, Weight.BOLD))
    return widths


def _row(area: Rect, row: BoardRow, rank_width: int, widths: list[int]) -> Group:
    ground = "panel_high" if row.own else "panel"
    first = row.rank.strip("=") == "1"
    strong = "accent" if first else "text"
    items: list[Item] = [Panel(area, ground, RADIUS_CARD, "accent" if row.own else None, 4 if row.own else 0)]
    inner = area.inset(_PAD, 4)
    rank, name, *figures = layout.across(inner, (rank_width, None, *widths), gap=_PAD)
    if row.rank:
        items.append(Text(rank, row.rank, Size.BODY, Weight.BOLD, strong, Align.RIGHT))
    weight = Weight.BOLD if row.own or first else Weight.MEDIUM
    if row.seat is not None:
        items += person(name, row.seat, row.name, weight=weight)
    else:
        shown = letters.written(row.name) or row.plain
        items.append(Text(name, shown, Size.SMALL, weight, fit=Fit.ELLIPSIS))
    for place, figure in zip(figures, row.figures, strict=True):
        items.append(Text(place, figure, Size.BODY, Weight.BOLD, strong, Align.RIGHT))
    return Group(area, tuple(items))


def board_scene(board: Board, look: Look) -> Scene:
    """A leaderboard or any other table of figures, 1280 wide and as high as it needs.

    Raises ValueError when a line has another number of figures than there are columns.
    """
    for row in board.rows:
        if len(row.figures) != len(board.columns):
            raise ValueError(f"{len(row.figures)} figures for {len(board.columns)} columns")
    inner = Rect(_MARGIN, 0, _WIDTH - 2 * _MARGIN, 0)
    items: list[Item] = []
    if title := letters.written(board.title):  # what our fonts lack stands in the words beside the picture
        items.append(Text(Rect(inner.x, 16, inner.w, 64), title, Size.TITLE, Weight.BOLD, fit=Fit.ELLIPSIS))
    y = 84
    if board.subtitle:
        items.append(Text(Rect(inner.x, y, inner.w, 48), board.subtitle, colour="muted", fit=Fit.ELLIPSIS))
        y += 52
    widths = _columns(board)
    ranks = max([text_width(row.rank, Size.BODY, Weight.BOLD) for row in board.rows], default=0)
    if board.rows:
        heads = layout.across(
            Rect(inner.x + _PAD, y, inner.w - 2 * _PAD, 48), (ranks, None, *widths), gap=_PAD
        )
        for place, heading in zip(heads[2:], board.columns, strict=True):
            items.append(Text(place, heading, colour="muted", align=Align.RIGHT))
        y += 52
    elif board.empty:
        items.append(Text(Rect(inner.x, y, inner.w, 140), board.empty, max_lines=2))
        y += 148
    for row in board.rows:
        items.append(_row(Rect(inner.x, y, inner.w, _ROW), row, ranks, widths))
        y += _ROW + 8
    if board.footer:
        items.append(Text(Rect(inner.x, y + 4, inner.w, 48), board.footer, colour="muted", fit=Fit.ELLIPSIS))
        y += 56
    said = [f"{words}." if words else "" for words in (board.title, board.subtitle)]
    for row in board.rows:
        figures = ", ".join(
            f"{head} {figure}" for head, figure in zip(board.columns, row.figures, strict=True)
        )
        said.append(f"{row.rank} {row.name}: {figures}.".strip())
    said.append(board.empty if not board.rows else board.footer)
    return Scene(_WIDTH, y + 16, tuple(items), alt_text(*said), look)
