"""Stored terms of a table or a tournament: everything agreed on besides the rules.

Every field has a default, so rows from before a field existed can still be read.
"""

from __future__ import annotations

import json
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import ColumnElement, Text, cast, or_

from engine.brackets.parts import Kind

DAY = 86_400
Access = Literal["open", "invited", "private"]
"""Seating access: open to anyone; for people invited or admitted by the host; for invited people only, with
the game hidden from everyone else."""
LONGEST_RULES: Final = 40
"""Maximum number of characters in the name of house rules, which tables store."""
GOING_ON: Final = ("open", "running")
"""Phases of a tournament that has not ended."""


def normalized_name(name: str) -> str:
    """Return a name of house rules in the form used for comparisons.

    >>> normalized_name("Friday Night") == normalized_name("FRIDAY  night ")
    True
    """
    return " ".join(name.casefold().split())


class Knock(msgspec.Struct, frozen=True, kw_only=True):
    """A request to sit down, with the number of the button press that made it."""

    user: int
    name: str
    entropy: int


class ConsentRequest(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A request to everyone else at the table."""

    what: Literal["undo", "pause", "hands"]
    by: int
    """The person who asks."""
    seq: int
    """The number of the last journal entry at the time of the request."""
    seat: int = 0
    """The seat whose move is to be taken back."""
    first: int = 0
    """The number of the first entry to take back."""
    agreed: tuple[int, ...] = ()
    """People who agreed."""
    no: int = 0
    """The person who refused; 0 if no one did."""
    closing: bool = False
    """Whether the table is to be closed; `what` is then a pause, which is how older releases read it."""

    @property
    def kind(self) -> str:
        """What is asked for: undo, pause, hands or close."""
        return "close" if self.closing else self.what

    @property
    def people(self) -> set[int]:
        """Everyone the request names."""
        return {self.by, self.no, *self.agreed} - {0}


class Terms(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The terms of a table."""

    clock: int = 0
    """Seconds per turn, 0 for no limit."""
    thread: bool = False
    """Whether the game is to be played in a thread of its own."""
    in_thread: bool = False
    """Whether the lobby itself is already in a thread."""
    level: str = ""
    """Level of the opponents that fill empty seats at the start, chosen by the host; empty for Steady."""
    hints: bool = True
    """Whether a player alone against opponents may ask for hints."""
    autopass: dict[int, int] = {}
    """Seconds after which seats pass automatically, by user."""
    quiet: tuple[int, ...] = ()
    """People who want no pings at this table."""
    invited: tuple[int, ...] = ()
    """The only people who may sit down, in seat order; empty for anyone."""
    access: Access = "open"
    """Seating access."""
    guests: tuple[int, ...] = ()
    """People who were invited or admitted."""
    knocks: tuple[Knock, ...] = ()
    """People waiting for the host's answer."""
    seeks: bool = False
    """Whether the table is looking for players."""
    held: tuple[int, ...] = ()
    """People with a reserved seat who have not joined yet."""
    waiting: tuple[Knock, ...] = ()
    """People who get a seat that nobody has taken, in order."""
    seats: int = 0
    """Number of seats; 0 for the game's maximum."""
    order: tuple[int, ...] = ()
    """Fixed seats of a rematch or a challenge: a person by their id, an opponent by 0. Cards are dealt once
    the last person has joined."""
    next: int = 0
    """The table of the rematch, 0 for none yet."""
    practice: int = 0
    """The finished table whose position is played again here, 0 for none. Such a game does not count."""
    position: int = -1
    """Number of acts that led to the position; -1 for none or unknown."""
    daily: str = ""
    """The day of the daily deal played here, empty for none. The seed is secret until that day is over."""
    tournament: int = msgspec.field(default=0, name="cup")
    """The tournament this match belongs to, 0 for none."""
    match: str = ""
    """The key of the match in the tournament."""
    missed: dict[int, int] = {}
    """Number of consecutive time-outs, by seat."""
    stand_ins: dict[int, int] = {}
    """When the computer took over on request, in milliseconds since 1970, by seat."""
    left: dict[int, int] = {}
    """People who sat at the start of the game and left it, by seat."""
    forfeit: int = 0
    """The person who lost the match by leaving it."""
    decided: bool = False
    """Whether the results are stored although the game has no outcome: people of one side alone were left, or
    the table was closed."""
    closed_by: int = 0
    """The person who closed the table, 0 if no one did."""
    first: tuple[int, int] | None = None
    """Channel and message where the table was shown first, once it stands elsewhere."""
    peeked: bool = False
    """Whether the only person here may have seen hidden cards: by taking a move back after looking, or by
    letting watchers see all hands. Such a game earns no achievements."""
    hands: bool = False
    """Whether watchers may see all hands, later."""
    guesses: dict[int, int] = {}
    """Number of watchers who predict a win, by side."""
    asked: ConsentRequest | None = None
    """The pending request to the players, if there is one."""
    while_away: dict[int, tuple[str, ...]] = {}
    """Kinds of requests that were granted while a person was away, by user; they are told on their return."""
    house_rules: str = ""
    """The name of the house rules the options came from, empty for none. Later changes to those house rules
    do not matter here."""
    no_holidays: bool = False
    """Whether the turn clock runs during holidays too."""
    friendly: bool = False
    """Whether the game changes no ratings. In a lobby: whether the host chose that."""
    newcomers: tuple[int, ...] = ()
    """People in their first games with others, which are friendly unless everyone agrees that they count.
    After the deal: those who made it friendly by being here."""
    counting: tuple[int, ...] = ()
    """People who agreed that the game counts."""
    hand_only: bool = False
    """Whether the only person here plays in the hand alone, without a message in a channel."""
    barred: tuple[int, ...] = ()
    """People whom the host removed from the lobby, and who can't come back to it."""

    def admits(self, user_id: int) -> bool:
        """Return whether this person may sit down without asking."""
        return self.access == "open" or user_id in (*self.guests, *self.order, *self.invited)


class Notice(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A public notice of a tournament that is still to be posted."""

    what: Literal["result", "no_show", "withdrawn", "removed", "gone", "unanswered", "returned", "hurried"]
    at: int = 0
    """The revision of the tournament before the change, which tells its notices apart."""
    by: int = 0
    """The person who did it; 0 for no one."""
    player: str = ""
    """The player it concerns."""
    name: str = ""
    """The player's name."""
    match: str = ""
    """The match it concerns."""
    result: str = ""
    """The result of the match, as `bot.features.tournaments.corrections` writes it."""
    before: str = ""
    """The result that it replaced."""

    @property
    def people(self) -> set[str]:
        """Everyone the notice names, as text."""
        return {str(self.by), self.player, self.result[1:], self.before[1:]} - {"0", ""}


class TournamentTerms(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The terms of a tournament."""

    kind: Kind = "single"
    rounds: int = 0
    """Rounds of a Swiss tournament, 0 for as many as it takes to find a winner."""
    seeding: Literal["random", "rating"] = "random"
    no_show: int = 15
    """Minutes to show up for a match."""
    clock: int = 0
    """Seconds per turn in a match, 0 for no limit."""
    no_holidays: bool = False
    """Whether the turn clocks of matches run during holidays too."""
    hurried: dict[str, int] = {}
    """The shorter turn clock in seconds that the organiser gave to a match, by match."""
    house_rules: str = ""
    """The name of the house rules the options came from."""
    untold: bool = False
    """Whether the winner is still to be announced."""
    absent: dict[int, int] = {}
    """Players who did not come to their last match, with the time in milliseconds until which they can say
    that they still take part; 0 before they are asked."""
    first: int = 0
    """The first message of the tournament, once another one has taken its place."""
    lost: bool = False
    """Whether its channel was deleted, and its organiser knows."""
    notices: tuple[Notice, ...] = ()
    """Notices that are still to be posted, oldest first."""
    removed: tuple[int, ...] = ()
    """People whom the organiser took out after the start; only an organiser takes that back."""


def terms(stored: object) -> Terms:
    """Read the terms of a row of games."""
    return msgspec.convert(stored, Terms, str_keys=True)


def tournament_terms(stored: object) -> TournamentTerms:
    """Read the terms of a row of tournaments."""
    return msgspec.convert(stored, TournamentTerms, str_keys=True)


def says(column: ColumnElement[Any], key: str, value: str | bool) -> ColumnElement[bool]:
    """Return the condition that stored terms have this value for a key.

    They are searched as text, because a JSON function would fail for all rows if one row is not valid JSON.
    Text typed by people is escaped there, so it cannot be mistaken for a key.
    """
    stored, written = cast(column, Text), json.dumps(value)
    return or_(*(stored.contains(f'"{key}":{gap}{written}', autoescape=True) for gap in ("", " ")))


def says_any(column: ColumnElement[Any], key: str) -> ColumnElement[bool]:
    """Return the condition that stored terms have a key at all; default values are left out when stored.

    They are searched as text, as in `says`.
    """
    return cast(column, Text).contains(f'"{key}":', autoescape=True)


def as_json(agreed: Terms | TournamentTerms) -> dict[str, object]:
    """Return terms in the form in which they are stored."""
    found: dict[str, object] = msgspec.to_builtins(agreed, str_keys=True)
    return found
