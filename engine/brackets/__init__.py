"""Tournaments: elimination, Swiss and round robin for 3 to 32 players (docs/rules/duel52.md, decision 16).

A bracket consists of its players in seed order and a log of reports. Everything else is derived from these,
so it is small and JSON-compatible. It knows nothing of games or tables: its caller reports who won a match,
or that it was drawn.

`engine.brackets.elimination` implements single and double elimination. `engine.brackets.leagues` implements
leagues (Swiss and round robin), whose matches have keys like `R3.2`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
    BracketEntry,
    BracketError,
    BracketPlace,
    Kind,
    Match,
    Player,
    Score,
    round_of,
)
from engine.fair import shuffled

__all__ = [
    "LEAGUES",
    "LEAST",
    "MOST",
    "RULES",
    "Bracket",
    "BracketEntry",
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
"""The most players in a double round robin, which makes eighteen rounds."""


def most(kind: Kind) -> int:
    """Return the most players allowed in a tournament of this kind."""
    return MOST_TWICE if kind == "double_round_robin" else MOST


def by_rating(ratings: Mapping[Player, float]) -> tuple[Player, ...]:
    """Return the players in seed order: highest rating first, equal ratings in the order given."""
    return tuple(sorted(ratings, key=lambda player: -ratings[player]))


def at_random(players: Sequence[Player], key: bytes) -> tuple[Player, ...]:
    """Return the players in an order derived from a deal key, as verifiable as a shuffle (docs/fair.md)."""
    order = shuffled(key, "bracket", range(len(players)))
    return tuple(players[place] for place in order)


class Bracket(msgspec.Struct, frozen=True):
    """A tournament: `players` from the first seed to the last, and the reports so far, oldest first.

    Immutable: `report`, `miss`, `withdraw`, `correct` and `readmit` return a new one. It can be stored as
    JSON with msgspec. Create one with `start`.
    """

    kind: Kind
    players: tuple[Player, ...]
    log: tuple[BracketEntry, ...] = ()
    rounds: int = 0
    """Rounds of a Swiss tournament; 0 for as many as are needed to find a winner."""
    unplayed_walkovers: bool = False
    """Whether a walkover counts as a bye in the tie-breaks of a Swiss tournament. Tournaments that began
    before this rule keep their standings."""

    @property
    def league(self) -> League | None:
        """The state of a league, or None for an elimination tournament."""
        run = _run(self)
        return run if isinstance(run, League) else None

    def matches(self) -> tuple[Match, ...]:
        """Return all matches played or still to play, as far as they are known, in the order of the
        schedule."""
        return tuple(_run(self).matches.values())

    def match(self, key: str) -> Match:
        """Return one match.

        Raises:
            BracketError: no match has this key, or not yet.
        """
        found = _run(self).matches.get(key)
        if found is None:
            raise BracketError("no_such_match", match=key)
        return found

    def ready(self) -> tuple[Match, ...]:
        """Return the matches that can be played now; several may be in progress at once."""
        return tuple(match for match in _run(self).matches.values() if match.ready)

    @property
    def champion(self) -> Player:
        """The winner of the tournament, or "" until it is over."""
        return _run(self).champion

    @property
    def withdrawn(self) -> frozenset[Player]:
        """The players who have withdrawn."""
        return frozenset(entry.player for entry in self.log if entry.what == "withdrawn")

    def plays_on(self, player: Player) -> bool:
        """Return whether a player has a match to come, as far as is known.

        >>> bracket = start("single", ["ann", "bob", "cat"]).report("W1.2", "bob")
        >>> bracket.plays_on("ann"), bracket.plays_on("cat")
        (True, False)
        """
        if self.champion or player in self.withdrawn:
            return False
        league = self.league
        if league is not None and league.swiss and league.round < league.rounds:
            return player in self.players
        return any(player in match.players and not match.decided for match in self.matches())

    def report(self, key: str, winner: Player | None, *, walkover: bool = False) -> Bracket:
        """Record the winner of a match, or None for a drawn game. In a `walkover` the opponent did not come.

        In an elimination tournament the first drawn game is replayed with seats exchanged; after a second
        draw the higher seed advances. In a league each player gets half a point.

        Raises:
            BracketError: the match is not ready, or the player is not in it.
        """
        match = self._to_decide(key)
        if winner is None:
            return self._with(BracketEntry("drawn", key))
        if winner not in match.players:
            raise BracketError("not_in_match", match=key, player=winner, players=list(match.players))
        return self._with(BracketEntry("won", key, winner, walkover))

    def miss(self, key: str) -> Bracket:
        """Record that neither player came. In an elimination the higher seed advances; in a league both lose.

        Raises:
            BracketError: the match is not ready.
        """
        self._to_decide(key)
        return self._with(BracketEntry("missed", key))

    def _to_decide(self, key: str) -> Match:
        match = self.match(key)
        if match.decided:
            raise BracketError("already_played", match=key, winner=match.winner)
        if not match.ready:
            raise BracketError("not_ready", match=key)
        return match

    def withdraw(self, player: Player, begun: str = "") -> Bracket:
        """Withdraw a player. The current match and all later ones are lost.

        They are lost without being played, except the match with the key `begun`, whose game has begun.

        Raises:
            BracketError: there is no such player, or the player has already withdrawn.
        """
        if player not in self.players:
            raise BracketError("no_such_player", player=player)
        if player in self.withdrawn:
            raise BracketError("already_withdrawn", player=player)
        return self._with(BracketEntry("withdrawn", begun, player))

    def correct(self, key: str, entry: BracketEntry | None, begun: Collection[str] = ()) -> Bracket:
        """Replace the last report of a match, or remove it for None: the match is then played again.

        Matches that follow from it may get other players, so none of them may have been played or be among
        those that have `begun`: in an elimination the later matches of both players, in a Swiss tournament
        all matches of later rounds. A round robin is paired in advance, so only removing a report requires
        that later rounds have not begun.

        >>> bracket = start("single", ["ann", "bob", "cat"]).report("W1.2", "bob")
        >>> bracket.correct("W1.2", BracketEntry("won", "W1.2", "cat")).match("W2.1").players
        ('ann', 'cat')

        Raises:
            BracketError: the match has no report or was decided by a withdrawal, the player is not in it, or
                it is too late.
        """
        match, reports = self.match(key), self._reports(key)
        if not reports:
            raise BracketError("lost_by_withdrawal" if match.decided else "not_ready", match=key)
        last = self.log[reports[-1]]
        if match.decided and last.what == "drawn" and not match.drawn and match.draws < 2:
            raise BracketError("lost_by_withdrawal", match=key)
        if entry is not None and entry.player and entry.player not in match.players:
            raise BracketError("not_in_match", match=key, player=entry.player, players=list(match.players))
        log = (
            *self.log[: reports[-1]],
            *([entry] if entry is not None else []),
            *self.log[reports[-1] + 1 :],
        )
        paired_in_advance = self.kind not in {"single", "double", "swiss"}
        number = 0
        if self.kind in LEAGUES:
            number = MOST if paired_in_advance and entry is not None else round_of(key)
        return self._rewritten(log, begun, key, number)

    def readmit(self, player: Player, begun: Collection[str] = ()) -> Bracket:
        """Take a withdrawal back. The matches lost by it are then played; `begun` as for `correct`.

        >>> bracket = start("single", ["ann", "bob", "cat"]).withdraw("bob")
        >>> [match.key for match in bracket.readmit("bob").ready()]
        ['W1.2']

        Raises:
            BracketError: the player has not withdrawn, or it is too late.
        """
        if player not in self.withdrawn:
            raise BracketError("not_withdrawn", player=player)
        place = next(n for n, e in enumerate(self.log) if e.what == "withdrawn" and e.player == player)
        number = 0
        if (before := msgspec.structs.replace(self, log=self.log[:place]).league) is not None:
            lost = (m for m in self.matches() if player in m.players and m.decided and m.winner != player)
            rounds = [round_of(m.key) for m in lost if not self._reports(m.key)]
            number = before.round if before.swiss else min(rounds, default=MOST)
        return self._rewritten((*self.log[:place], *self.log[place + 1 :]), begun, "", number)

    def _reports(self, key: str) -> list[int]:
        """Return the places in the log of the reports of a match, in order."""
        return [n for n, entry in enumerate(self.log) if entry.match == key and entry.what != "withdrawn"]

    def _rewritten(
        self, log: tuple[BracketEntry, ...], begun: Collection[str], key: str, number: int
    ) -> Bracket:
        """Return the bracket with another log. Only the match with this key may differ.

        In a league, nothing may have been played after the round `number`.

        Raises:
            BracketError: a match that follows from the change was played or has begun.
        """
        later = msgspec.structs.replace(self, log=log)
        played = {entry.match for entry in log if entry.what != "withdrawn"}.union(begun) - {key}
        if self.kind in LEAGUES:
            touched = {each for each in played if round_of(each) > number}
        else:
            now = {match.key: match for match in later.matches()}
            touched = {
                match.key
                for match in self.matches()
                if match.key in played and _differs(match, now.get(match.key))
            }
        if touched:
            first = next(match.key for match in self.matches() if match.key in touched)
            raise BracketError("too_late", later=first)
        return later

    def places(self) -> tuple[BracketPlace, ...]:
        """Return the final ranking, best first; empty until the tournament is over.

        >>> bracket = start("single", ["ann", "bob", "cat"]).report("W1.2", "bob").report("W2.1", "bob")
        >>> [(place.rank, place.player) for place in bracket.places()]
        [(1, 'bob'), (2, 'ann'), (3, 'cat')]
        """
        return _run(self).places()

    def _with(self, entry: BracketEntry) -> Bracket:
        return msgspec.structs.replace(self, log=(*self.log, entry))


def _differs(before: Match, now: Match | None) -> bool:
    """Return whether a match that was played no longer has these players or this winner."""
    return now is None or set(before.players) != set(now.players) or before.winner != now.winner


@lru_cache(maxsize=256)
def _place(_bracket: Bracket) -> list[Elimination | League]:
    """Return the cache entry of a bracket: a list that is empty until the bracket has been evaluated."""
    return []


def _run(bracket: Bracket) -> Elimination | League:
    """Return the evaluated bracket, cached.

    It is used many times between two reports, perhaps from several threads, and never modified. A league
    continues from the state before the last report if that is still cached.
    """
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
    return League(bracket.kind, bracket.players, bracket.rounds, bracket.log, bracket.unplayed_walkovers)


def start(kind: Kind, players: Sequence[Player], rounds: int = 0) -> Bracket:
    """Return a new tournament; `players` are in seed order, and the top seeds get the byes of an elimination.

    `rounds` is the length of a Swiss tournament, less than the number of players; 0 means as many as are
    needed to find a winner.

    >>> bracket = start("single", ["ann", "bob", "cat"])
    >>> [(match.key, match.players) for match in bracket.ready()]
    [('W1.2', ('bob', 'cat'))]
    >>> bracket = bracket.report("W1.2", "cat")
    >>> bracket.match("W2.1").players
    ('ann', 'cat')
    >>> bracket.withdraw("ann").champion
    'cat'

    Raises:
        BracketError: fewer than 3 or more than 32 players (10 in a double round robin), a repeated player, or
            more rounds than a Swiss tournament can have without rematches.
    """
    if not LEAST <= len(players) <= most(kind):
        raise BracketError("players", players=len(players), least=LEAST, most=most(kind))
    if len(set(players)) < len(players):
        twice = next(player for place, player in enumerate(players) if player in players[:place])
        raise BracketError("twice", player=twice)
    if kind == "swiss" and not 0 <= rounds < len(players):
        raise BracketError("rounds", rounds=rounds, players=len(players), most=len(players) - 1)
    rounds = rounds if kind == "swiss" else 0
    return Bracket(kind, tuple(players), rounds=rounds, unplayed_walkovers=True)
