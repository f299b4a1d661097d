"""A tournament's bracket as a picture: up to three rounds side by side, readable on a phone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.render import text as letters
from bot.render.parts import alt_text
from bot.render.scene import Align, Fit, Group, Item, Line, Look, Panel, Rect, Scene, Size, Text, Weight
from bot.render.theme import GRID, RADIUS_SMALL

COLUMNS: Final = 3
"""How many rounds fit beside each other."""
_WIDTH: Final = 1280
_MARGIN: Final = GRID * 3
_GAP: Final = 64
_LINE: Final = 56
_PAIR: Final = 2 * _LINE + 8
_STEP: Final = _PAIR + 24


@dataclass(frozen=True, slots=True)
class Pair:
    """One match: two names ("" for nobody yet), who has won (0, 1, or -1), whether it goes on now, and
    its place in the round, from 0; places of byes stay empty."""

    names: tuple[str, str]
    winner: int = -1
    live: bool = False
    place: int = 0


@dataclass(frozen=True, slots=True)
class Round:
    """A round of the bracket with its heading, and how many places it has."""

    title: str
    pairs: tuple[Pair, ...]
    size: int


@dataclass(frozen=True, slots=True)
class BracketView:
    """What is to be seen: title, at most three rounds, and words for an empty place."""

    title: str
    subtitle: str
    rounds: tuple[Round, ...]
    nobody: str
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
    most = max((each.size for each in view.rounds), default=0)
    top, height = 172, max(_STEP, most * _STEP)
    # what our fonts lack stays in the words beside the picture
    title = letters.written(view.title)
    items: list[Item] = [
        Text(
            Rect(_MARGIN, 16, _WIDTH - 2 * _MARGIN, 64),
            title.strip(),
            Size.TITLE,
            Weight.BOLD,
            fit=Fit.ELLIPSIS,
        )
    ]
    width = (_WIDTH - 2 * _MARGIN - (COLUMNS - 1) * _GAP) // COLUMNS
    if view.subtitle:
        place = Rect(_MARGIN, 80, _WIDTH - 2 * _MARGIN, 44)
        items.append(Text(place, view.subtitle, colour="muted", fit=Fit.ELLIPSIS))
    middles: list[dict[int, int]] = []
    for column, each in enumerate(view.rounds):
        x = _MARGIN + column * (width + _GAP)
        heading = Rect(x, 126, width, 44)
        items.append(Text(heading, each.title, colour="muted", align=Align.CENTRE, fit=Fit.ELLIPSIS))
        step = height / max(1, each.size)
        middles.append({pair.place: top + round((pair.place + 0.5) * step) for pair in each.pairs})
        items += [
            _pair(Rect(x, middles[-1][pair.place] - _PAIR // 2, width, _PAIR), pair, view.nobody)
            for pair in each.pairs
        ]
    items += _links(view.rounds, middles, width)
    return Scene(_WIDTH, top + height + _MARGIN, tuple(items), _told(view), look)


def _pair(area: Rect, pair: Pair, nobody: str) -> Group:
    outline = "accent" if pair.live else None
    items: list[Item] = [Panel(area, "panel", RADIUS_SMALL, outline, 4 if pair.live else 0)]
    for place, name in enumerate(pair.names):
        line = Rect(area.x + 16, area.y + 4 + place * _LINE, area.w - 32, _LINE)
        won = pair.winner == place
        shown = letters.written(name) or (name and "?")
        mark = "✓ " if won else ""
        items.append(
            Text(
                line,
                f"{mark}{shown or nobody}",
                Size.SMALL,
                Weight.BOLD if won else Weight.MEDIUM,
                "accent" if won else "muted" if pair.winner >= 0 or not name else "text",
                fit=Fit.ELLIPSIS,
            )
        )
    return Group(area, tuple(items))


def _links(rounds: tuple[Round, ...], middles: list[dict[int, int]], width: int) -> list[Item]:
    """Rules from each match to the one that its winner goes to."""
    items: list[Item] = []
    for column, (here, there) in enumerate(pairwise(rounds)):
        right = _MARGIN + column * (width + _GAP) + width
        middle, left = right + _GAP // 2, right + _GAP
        fold = 2 if here.size == 2 * there.size else 1
        reached: dict[int, list[int]] = {}
        for place, y in middles[column].items():
            if place // fold in middles[column + 1]:
                items.append(Line((right + 4, y), (middle, y), "muted", 4))
                reached.setdefault(place // fold, []).append(y)
        for place, ys in reached.items():
            goal = middles[column + 1][place]
            if min(*ys, goal) != max(*ys, goal):
                items.append(Line((middle, min(*ys, goal)), (middle, max(*ys, goal)), "muted", 4))
            items.append(Line((middle, goal), (left - 4, goal), "muted", 4))
    return items


def _told(view: BracketView) -> str:
    said = [f"{view.title}.", view.subtitle]
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
