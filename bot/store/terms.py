"""What a table or a tournament agreed on beside the rules, as it is stored.

Every field has a default: a row from before a field was thought of can still be read.
"""

from __future__ import annotations

import json
from typing import Any, Literal

import msgspec
from sqlalchemy import ColumnElement, Text, cast, or_

from engine.brackets import Kind

DAY = 86_400
Access = Literal["open", "invited", "private"]
"""Who may sit down: anybody; who was invited or whom the host lets in; who was invited, and nobody else sees
how it stands."""


class Knock(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who asks to sit down, with the number of the press that asked."""

    user: int
    name: str
    entropy: int


class Asked(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What somebody asks of all others who sit at a table."""

    what: Literal["undo", "pause", "hands"]
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
    level: str = ""
    """The level of the opponents who sit down when it starts, as the host chose it; empty for Steady."""
    hints: bool = True
    """Whether who plays alone against opponents may ask for hints."""
    autopass: dict[int, int] = {}
    """By user: after how many seconds their seats pass by themselves."""
    quiet: tuple[int, ...] = ()
    """Who wants no pings at this table."""
    invited: tuple[int, ...] = ()
    """Who alone may sit down, in the order of the seats; empty for anybody."""
    access: Access = "open"
    """Who may sit down."""
    guests: tuple[int, ...] = ()
    """Who was invited to come, or let in."""
    knocks: tuple[Knock, ...] = ()
    """Who waits for the host's answer."""
    seeks: bool = False
    """Whether people are sought for it."""
    held: tuple[int, ...] = ()
    """For whom a seat is kept, who have not come yet."""
    seats: int = 0
    """How many may sit down; 0 for as many as the game takes."""
    order: tuple[int, ...] = ()
    """The seats at which those of an earlier table sit again, or two of whom one is challenged: a person by
    their id, an opponent by 0. When the last of them has come it is dealt."""
    next: int = 0
    """The table at which those who sat here play again, 0 for none yet."""
    practice: int = 0
    """The finished table of which this one takes up a position again, 0 for none: it counts for nothing."""
    position: int = -1
    """How many acts of that game led to the position; -1 for none, or where nobody wrote that down."""
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
    peeked: bool = False
    """Whether the only person here may have seen what they were not to see: they have taken a move back after
    having looked, or let watchers see all hands. Such a game earns no achievement."""
    hands: bool = False
    """Whether watchers may see all hands, later."""
    guesses: dict[int, int] = {}
    """By side: how many of those who watch say that it wins."""
    asked: Asked | None = None
    """What is asked of those who sit here."""
    house_rules: str = ""
    """The name of the house rules that its options were, empty for none; what became of those does not
    matter here."""

    def admits(self, user_id: int) -> bool:
        """Whether this person may sit down without asking."""
        return self.access == "open" or user_id in (*self.guests, *self.order, *self.invited)


class TournamentTerms(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The terms of a tournament."""

    kind: Kind = "single"
    rounds: int = 0
    """The rounds of a Swiss tournament, 0 for as many as find a winner."""
    seeding: Literal["random", "rating"] = "random"
    no_show: int = 15
    """Minutes to come to a match."""
    clock: int = 0
    """Seconds that a turn of a match may take, 0 for as long as it likes."""
    house_rules: str = ""
    """The name of the house rules that its options are."""
    untold: bool = False
    """Whether it is still to be told who has won."""


def terms(stored: object) -> Terms:
    """The terms of a row of games."""
    return msgspec.convert(stored, Terms, str_keys=True)


def tournament_terms(stored: object) -> TournamentTerms:
    """The terms of a row of tournaments."""
    return msgspec.convert(stored, TournamentTerms)


def says(column: ColumnElement[Any], key: str, value: str | bool) -> ColumnElement[bool]:
    """Whether stored terms have this value of a key, as a condition. They are searched as text: with one row
    that is no JSON any more, a function that reads JSON would refuse them all. What people type is escaped in
    them, so it is taken for no key."""
    stored, written = cast(column, Text), json.dumps(value)
    return or_(*(stored.contains(f'"{key}":{gap}{written}', autoescape=True) for gap in ("", " ")))


def as_json(agreed: Terms | TournamentTerms) -> dict[str, object]:
    """Terms as they are stored."""
    found: dict[str, object] = msgspec.to_builtins(agreed, str_keys=True)
    return found
