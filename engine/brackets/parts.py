"""What brackets and leagues are made of: entries of the log, matches, places, and what is refused."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from engine.game import Refusal

LEAST: Final = 3
MOST: Final = 32

Kind: TypeAlias = Literal["single", "double", "swiss", "round_robin", "double_round_robin"]
LEAGUES: Final[frozenset[Kind]] = frozenset({"swiss", "round_robin", "double_round_robin"})
"""The kinds in which everybody plays every round and points decide."""
Player: TypeAlias = str
"""A player's name or number, as text; what it means is up to the caller."""


class BracketError(Refusal):
    """What cannot be done with a bracket: the key of the rule and its facts."""


RULES: Final = frozenset(
    {
        "players",
        "twice",
        "rounds",
        "no_such_match",
        "not_ready",
        "already_played",
        "not_in_match",
        "no_such_player",
        "already_withdrawn",
    }
)
"""The keys of all rules that can refuse."""


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One report: `won` a match by a player, a match `drawn` or `missed` by both, or a player `withdrawn`."""

    what: Literal["won", "drawn", "missed", "withdrawn"]
    match: str = ""
    player: Player = ""


class Match(msgspec.Struct, frozen=True):
    """A match as it stands. `players` holds who is known so far; there are no matches against byes.

    In a match that is `ready` the first player takes the first seat. `draws` counts its drawn games;
    `winner` is "" until it is decided, `walkover` says that nobody had to play for it. In a league a
    match can be decided without a winner: `drawn`, or a walkover that nobody won.
    """

    key: str
    players: tuple[Player, ...]
    ready: bool = False
    draws: int = 0
    winner: Player = ""
    walkover: bool = False
    drawn: bool = False

    @property
    def decided(self) -> bool:
        """Whether it is over."""
        return bool(self.winner) or self.drawn or self.walkover

    def other(self, player: Player) -> Player:
        """Whom this player meets here."""
        return self.players[0] if player == self.players[1] else self.players[1]


class Place(msgspec.Struct, frozen=True):
    """Where a player ended: equal ranks went out in the same round."""

    rank: int
    player: Player


class Score(msgspec.Struct, frozen=True):
    """One line of the standings of a league. A bye of a Swiss tournament counts among the `wins`.

    `left` says that the player has withdrawn and missed a round by it, `annulled` that its results do not
    count.
    """

    rank: int
    player: Player
    points: float
    wins: int
    draws: int
    losses: int
    buchholz: float
    sonneborn: float
    left: bool = False
    annulled: bool = False
