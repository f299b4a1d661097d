"""The end of a game of Atom Duel: who has won and by how much, everybody's points round by round, and the
last hand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from bot.presenters.atom_duel import queries
from bot.presenters.atom_duel.plays import called, cells, champions, earlier, how
from bot.presenters.atom_duel.words import Voice, number
from bot.render.blocks import Block, Box, Column, Paragraph, Spaced
from bot.render.parts import CORNER, header, person, seat_panel, text_width
from bot.render.scene import Align, Fit, Item, Panel, Rect, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_SMALL, seat_colour
from engine.atom_duel.observation import Observation
from engine.atom_duel.position import NONE_YET

_CROWN: Final = 160
_ROW: Final = 100
_NAME: Final = 380
_POINTS: Final = 140
_BAR: Final = 44
_FOOT: Final = 128


def standings(seen: Observation) -> list[int]:
    """All seats, the best first, as ties are decided."""
    return sorted(
        range(seen.seats),
        key=lambda seat: (seen.points[seat], seen.round_points[-1][seat], seen.best2[seat]),
        reverse=True,
    )


def game_over(seen: Observation, voice: Voice) -> Block:
    """The table when the game is over."""
    rows = [Box(_ROW, partial(_row, seen=seen, seat=seat, voice=voice)) for seat in standings(seen)]
    level = voice("picture.level", level=seen.level)
    return Column(
        (
            Spaced(Box(56, lambda area: header(area, voice("picture.over"), level, 480)), 12),
            Spaced(Box(_CROWN, partial(_winner, seen=seen, voice=voice)), 20),
            Spaced(Column(rows, 8), 24),
            Spaced(Paragraph(_last(seen, voice), (Size.BODY, Size.SMALL), Weight.BOLD), 8),
            Spaced(cells(seen, voice), 12),
            earlier(seen, voice),
            Box(_FOOT, partial(_best, seen=seen, voice=voice)),
        )
    )


def _last(seen: Observation, voice: Voice) -> str:
    """Who won the last hand, and with what."""
    last = seen.last_hand
    if last is None:
        return ""
    return voice("picture.last_hand", name=called(last.winner, voice), how=how(last, voice))


def _winner(area: Rect, seen: Observation, voice: Voice) -> Iterator[Item]:
    """The crown, the name of who has won in the largest letters, and with how many points."""
    name, said = champions(seen, voice)
    yield Sprite("elements.sign", ("crown", "accent", "felt"), area._replace(w=_CROWN).inset(12))
    words = Rect(area.x + _CROWN + 28, area.y, area.w - _CROWN - 28, area.h)
    size = Size.LARGE if text_width(name, Size.LARGE, Weight.BOLD) <= words.w else Size.TITLE
    yield Text(words._replace(h=104), name, size, Weight.BOLD, "accent", fit=Fit.ELLIPSIS)
    lower = Rect(words.x, words.y + 104, words.w, 56)
    yield Text(lower, said, Size.CLEAR, Weight.MEDIUM, fit=Fit.ELLIPSIS)


def _row(area: Rect, seen: Observation, seat: int, voice: Voice) -> Iterator[Item]:
    """A player: name, a bar with a part for each round, and the points."""
    won = seat in queries.champions(seen)
    yield seat_panel(area, lit=won)
    inner = area.inset(20, 4)
    yield from person(inner._replace(w=_NAME), seat, voice.drawn(seat), Size.BODY, weight=Weight.BOLD)
    score = Rect(inner.right - _POINTS, inner.y, _POINTS, inner.h)
    colour = "accent" if won else "text"
    yield Text(score, str(seen.points[seat]), Size.LARGE, Weight.DISPLAY, colour, Align.RIGHT)
    bar = Rect(inner.x + _NAME + 16, inner.y + (inner.h - _BAR) // 2, inner.w - _NAME - _POINTS - 32, _BAR)
    yield from _rounds(bar, seen, seat)


def _rounds(bar: Rect, seen: Observation, seat: int) -> Iterator[Item]:
    """The points of each round, as long as they are many; the longest bar is the most points."""
    most = max(1, *seen.points)
    x = bar.x
    for points in (one[seat] for one in seen.round_points if one[seat]):
        wide = bar.w * points // most
        yield Panel(
            Rect(x, bar.y, max(8, min(wide, bar.right - x) - 6), bar.h), seat_colour(seat), RADIUS_SMALL
        )
        x += wide


def _best(area: Rect, seen: Observation, voice: Voice) -> Iterator[Item]:
    """At the right of the foot, whose left stays free: the largest number that has won a hand."""
    best = max(seen.best2)
    if best == NONE_YET:
        return
    seat = seen.best2.index(best)
    said = voice("picture.best", value=number(best), name=voice.drawn(seat))
    line = Rect(area.x + CORNER, area.y + 8, area.w - CORNER, 64)
    yield Text(line, said, Size.BODY, colour="muted", align=Align.RIGHT, fit=Fit.ELLIPSIS)
