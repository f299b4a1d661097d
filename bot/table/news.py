"""News of slow games, sent once to players who are not looking.

News is stored as a deadline together with the change that it reports, and deleted before it is sent, so a
stop neither loses nor repeats it. Games with a short clock have no news, because their players are present.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.store.games import Deadline

ENDED: Final = "ended"
"""The game is over, or the lobby has closed. The seat is that of the person who did it and needs no message;
-1 if no one did."""
MISSED_TURN: Final = "missed"
"""The computer has moved for this seat, because its time ran out."""
AWAY: Final = "away"
"""The computer holds this seat from now on, because its time ran out again."""
ASKED: Final = "asked"
"""The person of this seat asks the others for their consent."""
DECLINED: Final = "declined"
"""Someone has declined the request of the person of this seat."""
PAUSE: Final = "paused"
"""The table is paused. The seat is that of the person who agreed last and needs no message, or -1."""
STARTED: Final = "started"
"""The cards are dealt, and people who had asked for a seat did not get one."""
NEWS: Final = (ENDED, MISSED_TURN, AWAY, ASKED, DECLINED, PAUSE, STARTED)
"""All kinds of news."""


def untold(deadlines: Iterable[Deadline]) -> list[Deadline]:
    """Return the news among these deadlines."""
    return [each for each in deadlines if each.kind in NEWS]


def with_news(deadlines: Iterable[Deadline], news: Iterable[Deadline]) -> tuple[Deadline, ...]:
    """Return these deadlines and this news, the next one first.

    Only the first news of each kind and seat is kept, and pending deadlines take precedence.
    """
    unique = {(each.kind, each.seat): each for each in (*reversed([*news]), *deadlines)}
    return tuple(sorted(unique.values(), key=lambda each: (each.due_at, each.seat, each.kind)))
