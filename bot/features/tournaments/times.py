"""The times of a tournament in words: its turn clock, and until when players can come or answer."""

from __future__ import annotations

from typing import Final

from bot.features.table import clock_words
from bot.locales import Words
from bot.store.terms import TournamentTerms
from bot.table.turns import RELAXED_SECONDS

_DAY_MINUTES: Final = 1440


def time_words(until: int, terms: TournamentTerms) -> str:
    """Return a time in milliseconds as Discord shows it, with its day if players have a day or more."""
    return f"<t:{until // 1000}:{'t' if terms.no_show < _DAY_MINUTES else 'f'}>"


def time_to_come(minutes: int, say: Words) -> str:
    """Return the time to come to a match in words."""
    for size, key in ((1440, "days"), (60, "hours")):
        if minutes % size == 0:
            return say(f"tournament.time_{key}", n=minutes // size)
    return say("tournament.time_minutes", n=minutes)


def clock_line(terms: TournamentTerms, say: Words) -> str:
    """Return the turn clock of matches, and whether holidays stop it if they can."""
    clock = clock_words(terms.clock, say)
    if 0 < terms.clock < RELAXED_SECONDS:
        return say("tournament.clock_line", clock=clock)
    return say(
        "tournament.clock_line_on" if terms.no_holidays else "tournament.clock_line_holidays", clock=clock
    )
