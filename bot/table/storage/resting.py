"""Tables that do not replay under this version. They rest, and no one loses anything.

A table rests if its rows cannot be read, its journal has a gap, the rules here refuse what was played, or its
game has no texts and pictures here. It is tried again at each start, and when an operator says so. If many
rest at once, the release is at fault and not the tables, so the bot does not start. Games without texts and
pictures do not count there, because only these games are affected.
"""

from __future__ import annotations

from engine import catalog
from engine.game import Refusal, UnknownRules

TRIAL_TABLES = 300
"""Maximum number of open tables, those changed last, that are tried before the bot connects."""
TRIAL_SECONDS = 0.5
"""Seconds after which a third of them is enough, because people wait for the start."""
LEAST_FAILURES = 5
SHARE = 20
"""At most one table in this many may fail."""


class NotOffered(Exception):
    """A game without texts and pictures here. Its tables rest, no matter how many there are."""


class TooManyRest(Exception):
    """Too many of the tables tried do not replay, so the bot does not start. `why` lists the reasons."""

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
    """Return whether this many failures are the fault of the release.

    They are if there are at least five, and over one in twenty.
    """
    return failed >= LEAST_FAILURES and failed * SHARE > tried


def reason_of(error: BaseException) -> str:
    """Return a short reason why a table rests, for its row and for the operator. It names no card."""
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
    """Return where in the code an error was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}" if trace is not None else ""
