"""The parts of brackets and leagues: log entries, matches, ranks, scores, and refusals."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from engine.game import Refusal

LEAST: Final = 3
MOST: Final = 32

Kind: TypeAlias = Literal["single", "double", "swiss", "round_robin", "double_round_robin"]
LEAGUES: Final[frozenset[Kind]] = frozenset({"swiss", "round_robin", "double_round_robin"})
"""The kinds in which everyone plays every round and points decide."""
Player: TypeAlias = str
"""A player's name or number, as text. Callers decide what it means."""


class BracketError(Refusal):
    """An operation a bracket refuses: the key of the rule and its facts."""


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
        "lost_by_withdrawal",
        "not_withdrawn",
        "too_late",
    }
)
"""Keys of all rules that can refuse."""


class BracketEntry(msgspec.Struct, frozen=True, array_like=True):
    """One report: a match `won` by a player, `drawn`, or `missed` by both players; or a player
    `withdrawn`.

    A player who withdrew during a game names its match, which counts as played and lost.
    """

    what: Literal["won", "drawn", "missed", "withdrawn"]
    match: str = ""
    player: Player = ""
    walkover: bool = False
    """Whether the match was won because the opponent did not come."""


def round_of(key: str) -> int:
    """Return the round of a league's match.

    >>> round_of("R3.2")
    3
    """
    return int(key[1:].partition(".")[0])


class Match(msgspec.Struct, frozen=True):
    """The current state of a match.

    `players` holds those known so far; a bye never makes a match.

    In a match that is `ready`, the first player takes the first seat. `draws` counts drawn games. `winner` is
    "" until the match is decided, and `walkover` means that it was decided without playing. In a league a
    match can be decided without a winner: `drawn`, or a walkover that both lost.
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
        """Whether the match is over."""
        return bool(self.winner) or self.drawn or self.walkover

    def other(self, player: Player) -> Player:
        """Return this player's opponent in the match."""
        return self.players[0] if player == self.players[1] else self.players[1]


class BracketPlace(msgspec.Struct, frozen=True):
    """A player's final rank. Equal ranks were eliminated in the same round."""

    rank: int
    player: Player


class Score(msgspec.Struct, frozen=True):
    """One line of a league's standings. A bye in a Swiss tournament counts among the `wins`.

    `left` means that the player withdrew and missed a round because of it; `annulled` means that the player's
    results do not count.
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
