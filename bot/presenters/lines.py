"""What happened, in lines: the log of every game, the same for tables, replays and files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.locales import words
from bot.presenters.base import AnyPresenter
from bot.render.scene import Look
from engine.game import Event, Seat, Viewer

LATE_SIGN: Final = "⏰ "


def lines_for(
    presenter: AnyPresenter,
    events: Iterable[Event],
    viewer: Viewer,
    look: Look,
    *,
    late: str = "late",
    undone: str = "undone",
) -> list[str]:
    """Events in words, as this viewer may know them. No game tells those of the kinds `late`, that its seat
    took too long, so the computer moves for it, and `undone`, that it has taken something back."""
    told: list[str] = []
    held: Seat | None = None  # for whom the computer moved last: it is said once, whatever it did
    away, mark = set[Seat](), ""  # of whom it was said and who has not moved since: the sign alone recalls it
    for event in (cut for event in events if (cut := event.seen_by(viewer)) is not None):
        if event.kind == late:
            mark = ""
            if event.seat in away and event.seat != held:
                mark = LATE_SIGN
            elif event.seat != held:
                told.append(words(look.locale)("table.late", name=look.name(event.seat)))
            held = event.seat
            away.add(event.seat)
            continue
        if event.seat not in (held, -1):
            held, mark = None, ""
            away.discard(event.seat)
        if event.kind == undone:
            told.append(words(look.locale)("undo.line", name=look.name(event.seat)))
            continue
        line = presenter.line(event, viewer, look)
        # the sign of who is late stands before the first of their lines
        again = told and not mark and told[-1] in (line, f"{LATE_SIGN}{line}")
        if line and again and (both := presenter.twice(event, viewer, look)):
            told[-1] = told[-1].removesuffix(line) + both
        elif line:
            told.append(mark + line)
            mark = ""
    return told
