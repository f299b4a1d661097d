"""The log of every game as lines of text, the same for tables, replays and files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from bot.locales import words
from bot.presenters.base import AnyPresenter
from bot.render.scene import Look
from engine.game import Event, Seat, Viewer

LATE_SIGN: Final = "⏰ "


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log, and the seat it is about (-1 for none)."""

    text: str
    seat: Seat


def lines_for(
    presenter: AnyPresenter,
    events: Iterable[Event],
    viewer: Viewer,
    look: Look,
    *,
    late: str = "late",
    undone: str = "undone",
) -> list[str]:
    """Return the texts of `log_lines`."""
    return [line.text for line in log_lines(presenter, events, viewer, look, late=late, undone=undone)]


def log_lines(
    presenter: AnyPresenter,
    events: Iterable[Event],
    viewer: Viewer,
    look: Look,
    *,
    late: str = "late",
    undone: str = "undone",
) -> list[LogLine]:
    """Return the events as lines, as this viewer may know them.

    Two kinds are described here, not by the games: `late`, when a seat took too long and the computer moves
    for it, and `undone`, when a seat took an act back.
    """
    told: list[LogLine] = []
    held: Seat | None = None  # Last seat the computer moved for, reported once.
    away, mark = set[Seat](), ""  # Late seats that have not moved since. The sign alone marks them.
    for event in (cut for event in events if (cut := event.seen_by(viewer)) is not None):
        if event.kind == late:
            mark = ""
            if event.seat in away and event.seat != held:
                mark = LATE_SIGN
            elif event.seat != held:
                text = words(look.locale)("table.late", name=look.name(event.seat))
                told.append(LogLine(text, event.seat))
            held = event.seat
            away.add(event.seat)
            continue
        if event.seat not in (held, -1):
            held, mark = None, ""
            away.discard(event.seat)
        if event.kind == undone:
            text = words(look.locale)("undo.line", name=look.name(event.seat))
            told.append(LogLine(text, event.seat))
            continue
        line = presenter.line(event, viewer, look)
        # The late sign comes before the first line of that seat only.
        again = told and not mark and told[-1].text in (line, f"{LATE_SIGN}{line}")
        if line and again and (both := presenter.twice(event, viewer, look)):
            told[-1] = replace(told[-1], text=told[-1].text.removesuffix(line) + both)
        elif line:
            told.append(LogLine(mark + line, event.seat))
            mark = ""
    return told
