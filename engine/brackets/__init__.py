"""Tournaments: elimination, Swiss and round robin for 3 to 32 players (docs/rules/duel52.md, decision 16).

A bracket is its players in the order of their seeds and a log of what was reported; everything else
follows from these, so it is small and JSON-able. It knows neither games nor tables: whoever plays a match
reports who won it, or that it was drawn.

How single and double elimination go on stands in `engine.brackets.elimination`, leagues (Swiss and round
robin, whose matches are called `R3.2`) in `engine.brackets.leagues`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from engine.brackets.elimination import Elimination
from engine.brackets.leagues import League, swiss_rounds
from engine.brackets.parts import (
    LEAGUES,
    LEAST,
    MOST,
    RULES,
    BracketError,
    Entry,
    Kind,
    Match,
    Place,
    Player,
    Score,
)
from engine.fair import shuffled

__all__ = [
    "LEAGUES",
    "LEAST",
    "MOST",
    "RULES",
    "Bracket",
    "BracketError",
    "Entry",
    "Kind",
    "League",
    "Match",
    "Place",
    "Player",
    "Score",
    "at_random",
    "by_rating",
    "most",
    "start",
    "swiss_rounds",
]

MOST_TWICE: Final = 10
"""The most players of a double round robin: eighteen rounds."""


def most(kind: Kind) -> int:
    """The most players of a kind."""
    return MOST_TWICE if kind == "double_round_robin" else MOST


def by_rating(ratings: Mapping[Player, float]) -> tuple[Player, ...]:
    """The players in the order of their seeds: the best first, equals in the order given."""
    return tuple(sorted(ratings, key=lambda player: -ratings[player]))


def at_random(players: Sequence[Player], key: bytes) -> tuple[Player, ...]:
    """The players in an order that follows from a deal key, as checkable as a shuffle (docs/fair.md)."""
    order = shuffled(key, "bracket", range(len(players)))
    return tuple(players[place] for place in order)


class Bracket(msgspec.Struct, frozen=True):
    """A tournament: `players` from the first seed to the last, and what was reported, oldest first.

    It never changes; `report` and `withdraw` give a new one. It turns into JSON and back by
    msgspec. Make one by `start`.
    """

    kind: Kind
    players: tuple[Player, ...]
    log: tuple[Entry, ...] = ()
    rounds: int = 0
    """How many rounds a Swiss tournament has, 0 for as many as find a winner."""

    @property
    def league(self) -> League | None:
        """The league played through; None of an elimination."""
        run = _run(self)
        return run if isinstance(run, League) else None

    def matches(self) -> tuple[Match, ...]:
        """All matches that are or will be played, as far as they are known, in the order of the plan."""
        return tuple(_run(self).matches.values())

    def match(self, key: str) -> Match:
        """One match.

        Raises:
            BracketError: there is none of that key, or not yet.
        """
        found = _run(self).matches.get(key)
        if found is None:
            raise BracketError("no_such_match", match=key)
        return found

    def ready(self) -> tuple[Match, ...]:
        """What is to be played next; several matches may go on at the same time."""
        return tuple(match for match in _run(self).matches.values() if match.ready)

    @property
    def champion(self) -> Player:
        """Who has won the tournament, "" while it goes on."""
        return _run(self).champion

    @property
    def withdrawn(self) -> frozenset[Player]:
        """Who has left."""
        return frozenset(entry.player for entry in self.log if entry.what == "withdrawn")

    def report(self, key: str, winner: Player | None) -> Bracket:
        """Note who has won a match, or None for a drawn game of it.

        In an elimination the first drawn game is played again with seats exchanged; after a second one the
        higher seed advances. In a league it is half a point for each.

        Raises:
            BracketError: the match is not ready, or that player is not in it.
        """
        match = self._to_decide(key)
        if winner is None:
            return self._with(Entry("drawn", key))
        if winner not in match.players:
            raise BracketError("not_in_match", match=key, player=winner, players=list(match.players))
        return self._with(Entry("won", key, winner))

    def miss(self, key: str) -> Bracket:
        """Note that neither came: in an elimination the higher seed advances, in a league both lose.

        Raises:
            BracketError: the match is not ready.
        """
        self._to_decide(key)
        return self._with(Entry("missed", key))

    def _to_decide(self, key: str) -> Match:
        match = self.match(key)
        if match.decided:
            raise BracketError("already_played", match=key, winner=match.winner)
        if not match.ready:
            raise BracketError("not_ready", match=key)
        return match

    def withdraw(self, player: Player) -> Bracket:
        """A player leaves: the match it is in and all later ones are lost without being played.

        Raises:
            BracketError: no such player, or one that has left before.
        """
        if player not in self.players:
            raise BracketError("no_such_player", player=player)
        if player in self.withdrawn:
            raise BracketError("already_withdrawn", player=player)
        return self._with(Entry("withdrawn", player=player))

    def places(self) -> tuple[Place, ...]:
        """How everybody ended, best first; empty while the tournament goes on.

        >>> bracket = start("single", ["ann", "bob", "cat"]).report("W1.2", "bob").report("W2.1", "bob")
        >>> [(place.rank, place.player) for place in bracket.places()]
        [(1, 'bob'), (2, 'ann'), (3, 'cat')]
        """
        return _run(self).places()

    def _with(self, entry: Entry) -> Bracket:
        return msgspec.structs.replace(self, log=(*self.log, entry))


@lru_cache(maxsize=256)
def _place(_bracket: Bracket) -> list[Elimination | League]:
    """Where a tournament that was played through is kept; empty until it has been."""
    return []


def _run(bracket: Bracket) -> Elimination | League:
    """A tournament played through. It is asked for many times between two reports, perhaps in threads; nobody
    changes it. A league goes on from the report before, where that is still known."""
    kept = _place(bracket)
    if not kept:
        kept.append(_played(bracket))
    return kept[0]


def _played(bracket: Bracket) -> Elimination | League:
    if bracket.kind not in LEAGUES:
        return Elimination(bracket.kind, bracket.players, bracket.log)
    for before in _place(msgspec.structs.replace(bracket, log=bracket.log[:-1])) if bracket.log else ():
        if isinstance(before, League):
            return before.after(bracket.log[-1])
    return League(bracket.kind, bracket.players, bracket.rounds, bracket.log)


def start(kind: Kind, players: Sequence[Player], rounds: int = 0) -> Bracket:
    """A new tournament of players in the order of their seeds; the top seeds get the byes of an elimination.

    `rounds`: how many a Swiss tournament has, fewer than players; 0 for as many as find a winner.

    >>> bracket = start("single", ["ann", "bob", "cat"])
    >>> [(match.key, match.players) for match in bracket.ready()]
    [('W1.2', ('bob', 'cat'))]
    >>> bracket = bracket.report("W1.2", "cat")
    >>> bracket.match("W2.1").players
    ('ann', 'cat')
    >>> bracket.withdraw("ann").champion
    'cat'

    Raises:
        BracketError: fewer than 3 or more than 32 players (10 of a double round robin), somebody twice, or
            more rounds than a Swiss tournament can have without rematches.
    """
    if not LEAST <= len(players) <= most(kind):
        raise BracketError("players", players=len(players), least=LEAST, most=most(kind))
    if len(set(players)) < len(players):
        twice = next(player for place, player in enumerate(players) if player in players[:place])
        raise BracketError("twice", player=twice)
    if kind == "swiss" and not 0 <= rounds < len(players):
        raise BracketError("rounds", rounds=rounds, players=len(players), most=len(players) - 1)
    return Bracket(kind, tuple(players), rounds=rounds if kind == "swiss" else 0)
