"""News of slow games, told once to players who are not looking.

News is stored as a deadline with the change that it is about, and struck out before it is sent, so a stop
neither loses nor doubles it. Games with a short clock have none: their people are there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.store.games import Deadline

ENDED: Final = "ended"
"""The game is over, or the lobby has closed. The seat is that of the person who did it and knows; -1 if none
did."""
MISSED_TURN: Final = "missed"
"""The computer has moved for this seat, because its time was over."""
AWAY: Final = "away"
"""The computer holds this seat from now on, because its time was over again."""
ASKED: Final = "asked"
"""The person of this seat asks the others for their consent."""
DECLINED: Final = "declined"
"""Someone has declined what the person of this seat has asked for."""
PAUSE: Final = "paused"
"""The table is paused. The seat is that of the person who agreed last and knows, or -1."""
STARTED: Final = "started"
"""The cards are dealt, and people who had asked for a seat have none."""
NEWS: Final = (ENDED, MISSED_TURN, AWAY, ASKED, DECLINED, PAUSE, STARTED)
"""All kinds of news."""


def untold(deadlines: Iterable[Deadline]) -> list[Deadline]:
    """Return the news among these deadlines."""
    return [each for each in deadlines if each.kind in NEWS]


def with_news(deadlines: Iterable[Deadline], news: Iterable[Deadline]) -> tuple[Deadline, ...]:
    """Return deadlines with this news added, the next one first. Of news of one kind and seat the first
    stays."""
    every = {(each.kind, each.seat): each for each in (*reversed([*news]), *deadlines)}
    return tuple(sorted(every.values(), key=lambda each: (each.due_at, each.seat, each.kind)))
