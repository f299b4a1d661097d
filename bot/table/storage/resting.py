"""Tables that do not replay under this version: they rest, and nobody loses anything.

A table rests when its rows cannot be read, its journal has a gap, the rules here refuse what was played,
or its game has no words and pictures here. It is tried again at each start, and when an operator says so.
Many at once mean that the release is at fault, not the tables: then the start stops. Those without words
and pictures do not count there: they cost their game alone.
"""

from __future__ import annotations

from engine import catalog
from engine.game import Refusal, UnknownRules

TRIAL_TABLES = 300
"""How many open tables, those changed last, are tried before the bot connects."""
TRIAL_SECONDS = 0.5
"""After so long a third of them is enough: people wait for the start."""
LEAST_FAILURES = 5
SHARE = 20
"""One in so many may fail."""


class NotOffered(Exception):
    """A game that has no words and pictures here: its tables rest, however many there are."""


class TooManyRest(Exception):
    """Too many of the tables tried do not replay, so the start stops; `why` are the reasons found."""

    def __init__(self, failed: int, tried: int, why: list[str]) -> None:
        super().__init__(failed, tried, why)
        self.failed = failed
        self.tried = tried
        self.why = why

    def __str__(self) -> str:
        reasons = "; ".join(sorted(set(self.why))[:3])
        return (
            f"{self.failed} of {self.tried} open tables cannot be replayed by this version ({reasons}), "
            "so it does not start: nothing was changed. Start the version before, or let them rest until "
            "a later one with `valence run --rest-anyway`; `valence tables list` shows them."
        )


def too_many(failed: int, tried: int) -> bool:
    """Whether so many failures are the fault of the release: over one in twenty, and at least five."""
    return failed >= LEAST_FAILURES and failed * SHARE > tried


def reason_of(error: BaseException) -> str:
    """Why a table rests, in a few words for its row and for the operator. Names no card."""
    if isinstance(error, NotOffered):
        return "its presenter cannot be imported"
    if isinstance(error, UnknownRules):
        return f"its rules of version {error.version} are not played here any more"
    if isinstance(error, Refusal):
        return f"the rules refuse what was played ({error.rule})"
    if isinstance(error, catalog.UnknownGame):
        return "its game is not known here"
    if isinstance(error, ValueError):
        return f"its rows cannot be read ({type(error).__name__})"
    return f"a defect: {type(error).__name__}"


def place_of(error: BaseException) -> str:
    """Where in the code it went wrong."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}" if trace is not None else ""
