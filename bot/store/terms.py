"""What a table or a tournament agreed on beside the rules, as it is stored.

Every field has a default: a row from before a field was thought of can still be read.
"""

from __future__ import annotations

from typing import Literal

import msgspec

DAY = 86_400


class Asked(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What somebody asks of all others who sit at a table."""

    what: Literal["undo", "pause"]
    by: int
    """Who asks."""
    seq: int
    """The number of the last entry of the journal then."""
    seat: int = 0
    """Whose move is to be taken back."""
    first: int = 0
    """The number of the entry from which on."""
    agreed: tuple[int, ...] = ()
    """Who has agreed."""
    no: int = 0
    """Who has not; 0 for nobody."""

    @property
    def people(self) -> set[int]:
        """All whom it names."""
        return {self.by, self.no, *self.agreed} - {0}


class Terms(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The terms of a table."""

    clock: int = 0
    """Seconds that a turn may take, 0 for as long as it likes."""
    thread: bool = False
    """Whether the game is to be played in a thread of its own."""
    in_thread: bool = False
    """Whether the lobby stands in a thread already."""
    hints: bool = True
    """Whether who plays alone against opponents may ask for hints."""
    autopass: dict[int, int] = {}
    """By user: after how many seconds their seats pass by themselves."""
    quiet: tuple[int, ...] = ()
    """Who wants no pings at this table."""
    invited: tuple[int, ...] = ()
    """Who alone may sit down, in the order of the seats; empty for anybody."""
    order: tuple[int, ...] = ()
    """The seats at which those of an earlier table sit again: a person by their id, an opponent by 0."""
    next: int = 0
    """The table at which those who sat here play again, 0 for none yet."""
    practice: int = 0
    """The finished table of which this one takes up a position again, 0 for none: it counts for nothing."""
    daily: str = ""
    """The day whose deal is played here, empty for none: its seed is secret until that day is over."""
    tournament: int = msgspec.field(default=0, name="cup")
    """The tournament of which this is a match, 0 for none."""
    match: str = ""
    """Which match of it."""
    missed: dict[int, int] = {}
    """By seat: how many time-outs in a row its person has missed."""
    left: dict[int, int] = {}
    """By seat: who sat there when the game began, and left it."""
    forfeit: int = 0
    """Who lost the match by leaving it."""
    asked: Asked | None = None
    """What is asked of those who sit here."""


class TournamentTerms(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The terms of a tournament."""

    kind: Literal["single", "double"] = "single"
    seeding: Literal["random", "rating"] = "random"
    no_show: int = 15
    """Minutes to come to a match."""
    clock: int = 0
    """Seconds that a turn of a match may take, 0 for as long as it likes."""


def terms(stored: object) -> Terms:
    """The terms of a row of games."""
    return msgspec.convert(stored, Terms, str_keys=True)


def tournament_terms(stored: object) -> TournamentTerms:
    """The terms of a row of tournaments."""
    return msgspec.convert(stored, TournamentTerms)


def as_json(agreed: Terms | TournamentTerms) -> dict[str, object]:
    """Terms as they are stored."""
    found: dict[str, object] = msgspec.to_builtins(agreed, str_keys=True)
    return found
