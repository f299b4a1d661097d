"""Leagues: Swiss tournaments and round robins, round by round.

The words are those of the FIDE Handbook (Swiss rules C.04, tie-breaks C.07). A win counts one point, a draw
half of one. A league goes on when all matches of its round are decided; they may be reported in any order.

Swiss: the bye is worth a win. Equal points are told apart by Buchholz (the points of all opponents), then by
Sonneborn-Berger (the points of those beaten, and half of those drawn with), then by the direct encounter
where all of them have met, then by seed. A round without an opponent (a bye, or after withdrawing) counts
in both as one against somebody with as many points as the player itself. Who withdraws is not paired any
more.

Round robin: a bye is worth nothing, as everybody has it equally often. Equal points are told apart by
Sonneborn-Berger, direct encounter, wins, seed. Who withdraws before half of its matches are decided is
annulled: its results count for nobody; later on, what is left is lost by walkover.

Other than with FIDE, whoever has missed a round by withdrawing stands behind all who stayed: the winner of a
league is somebody who was there to the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from itertools import combinations, groupby
from typing import Final

from msgspec.structs import replace

from engine.brackets import pairing
from engine.brackets.parts import Entry, Kind, Match, Place, Player, Score

_BOTH: Final = ""
"""Who wins a match that both players have missed."""


def swiss_rounds(players: int) -> int:
    """How many rounds find a winner: the binary logarithm, rounded up.

    >>> [swiss_rounds(players) for players in (3, 4, 5, 8, 9, 32)]
    [2, 2, 3, 3, 4, 5]
    """
    return (players - 1).bit_length()


class League:
    """A league played through: its rounds as far as they are known, and how it stands."""

    def __init__(self, kind: Kind, players: Sequence[Player], rounds: int, log: Sequence[Entry]) -> None:
        self._players = players
        self._seed = {player: place for place, player in enumerate(players)}
        self.swiss = kind == "swiss"
        self._schedule = [] if self.swiss else pairing.circle(players)
        if kind == "double_round_robin":
            self._schedule += [[pair[::-1] for pair in pairs] for pairs in self._schedule]
        self.rounds = (rounds or swiss_rounds(len(players))) if self.swiss else len(self._schedule)
        self.matches: dict[str, Match] = {}
        self.round = 0
        """The round that is being played, or the last one; from 1."""
        self.byes: Counter[Player] = Counter()
        self.bye: Player = ""
        """Who has a bye in this round."""
        self._alone: Counter[Player] = Counter()
        """How many rounds a player was without an opponent in a Swiss tournament, byes among them."""
        self.gone: set[Player] = set()
        self._left: set[Player] = set()
        self._annulled: set[Player] = set()
        self.over = False
        self.standings: tuple[Score, ...] = ()
        self.champion: Player = ""
        self._open_round()
        self._go_on(log)

    def after(self, entry: Entry) -> League:
        """The same league with one more report; this one stays what it is.

        Most reports change a single match, so this costs a hundredth of playing a long league anew.
        """
        later = copy(self)
        # those that are only announced may never be played
        later.matches = {key: match for key, match in self.matches.items() if match.ready or match.decided}
        later.byes, later._alone = Counter(self.byes), Counter(self._alone)
        later.gone, later._left, later._annulled = set(self.gone), set(self._left), set(self._annulled)
        later._go_on([entry])
        return later

    def _go_on(self, log: Sequence[Entry]) -> None:
        """Take these reports, open the rounds to which they lead, and see how the league stands then."""
        for entry in log:
            self._take(entry)
            while not self.over and all(match.decided for match in self.of_round(self.round)):
                self._open_round()
        if not self.swiss:
            self._announce()
        self.standings = tuple(self._standings())
        self.champion = self.standings[0].player if self.over else ""

    # -- round by round -----------------------------------------------------------------------

    def of_round(self, number: int) -> list[Match]:
        """The matches of a round, as far as they are known."""
        return [match for match in self.matches.values() if match.key.startswith(f"R{number}.")]

    def _open_round(self) -> None:
        """Pair the next round, or end: after the last one, or where nobody is left to meet."""
        staying = [player for player in self._players if player not in self.gone]
        if self.round == self.rounds or len(staying) < 2:
            self.over = True
            self.bye = ""
            return
        self.round += 1
        if self.swiss:
            pairs = self._pair(staying)
            self.byes.update([self.bye] if self.bye else [])
            paired = {player for pair in pairs for player in pair}
            self._alone.update(player for player in self._players if player not in paired)
        else:
            pairs = self._schedule[self.round - 1]
            paired = {player for pair in pairs for player in pair}
            self.bye = next((player for player in staying if player not in paired), "")
        for number, pair in enumerate(pairs, 1):
            self._put(Match(f"R{self.round}.{number}", pair, ready=True))

    def _pair(self, staying: list[Player]) -> pairing.Pairs:
        """A round of a Swiss tournament; the first seat goes to who had it less often."""
        points = {score.player: score.points for score in self._scores()}
        order = sorted(staying, key=lambda player: (-points[player], self._seed[player]))
        met = {frozenset(match.players) for match in self.matches.values()}
        pairs, self.bye = pairing.swiss(order, points, met, self.byes)
        began = Counter(match.players[0] for match in self.matches.values())
        return [(one, two) if began[one] <= began[two] else (two, one) for one, two in pairs]

    def _put(self, match: Match) -> None:
        """Note a match, with a walkover where somebody who plays it has gone."""
        staying = [player for player in match.players if player not in self.gone]
        if len(staying) < 2 and not match.decided:
            self._left |= self.gone.intersection(match.players)
            winner = staying[0] if staying else _BOTH
            match = Match(match.key, match.players, winner=winner, walkover=True)
        self.matches[match.key] = match

    def _take(self, entry: Entry) -> None:
        if self.over:
            return
        if entry.what == "withdrawn":
            self._withdraw(entry.player)
            return
        players = self.matches[entry.match].players
        self.matches[entry.match] = Match(
            entry.match,
            players,
            draws=int(entry.what == "drawn"),
            winner=entry.player,
            walkover=entry.what == "missed",
            drawn=entry.what == "drawn",
        )

    def _withdraw(self, player: Player) -> None:
        self.gone.add(player)
        if not self.swiss:
            decided = sum(match.decided and player in match.players for match in self.matches.values())
            scheduled = sum(player in pair for pairs in self._schedule for pair in pairs)
            if 2 * decided < scheduled:
                self._annulled.add(player)
        coming = [pair for pairs in self._schedule[self.round :] for pair in pairs]
        if self.round < self.rounds if self.swiss else any(player in pair for pair in coming):
            self._left.add(player)
        for match in self.of_round(self.round):
            self._put(match)

    def _announce(self) -> None:
        """The matches of a round robin that are still to come."""
        if self.over:
            return
        for number, pairs in enumerate(self._schedule[self.round :], self.round + 1):
            for place, pair in enumerate(pairs, 1):
                self.matches[f"R{number}.{place}"] = Match(f"R{number}.{place}", pair)

    # -- standings ----------------------------------------------------------------------------

    def places(self) -> tuple[Place, ...]:
        """How everybody ended, best first; empty while it goes on."""
        return tuple(Place(score.rank, score.player) for score in self.standings) if self.over else ()

    def counted(self) -> Iterator[Match]:
        """The matches that are decided and count."""
        for match in self.matches.values():
            if match.decided and not self._annulled.intersection(match.players):
                yield match

    def _scores(self) -> list[Score]:
        """How everybody stands, in the order of the seeds."""
        wins, draws, losses = Counter(self.byes), Counter[Player](), Counter[Player]()
        for match in self.counted():
            for player in match.players:
                count = draws if match.drawn else wins if player == match.winner else losses
                count[player] += 1
        points = {player: wins[player] + draws[player] / 2 for player in self._players}
        buchholz = {player: self._alone[player] * points[player] for player in self._players}
        sonneborn = {player: self.byes[player] * points[player] for player in self._players}
        for match in self.counted():
            for player in match.players:
                against = points[match.other(player)]
                buchholz[player] += against
                sonneborn[player] += against * ((player == match.winner) + match.drawn / 2)
        return [
            Score(
                rank=0,
                player=player,
                points=points[player],
                wins=wins[player],
                draws=draws[player],
                losses=losses[player],
                buchholz=buchholz[player],
                sonneborn=sonneborn[player],
                left=player in self._left,
                annulled=player in self._annulled,
            )
            for player in self._players
        ]

    def _standings(self) -> Iterator[Score]:
        """How everybody stands, best first: a total order."""

        def key(score: Score) -> tuple[float, ...]:
            behind = (score.annulled, score.left)
            first = score.buchholz if self.swiss else 0.0
            return (*behind, -score.points, -first, -score.sonneborn)

        rank = 0
        for _, tied in groupby(sorted(self._scores(), key=key), key=key):
            group = list(tied)
            met = self._encounters({score.player for score in group})
            order = {
                s.player: (-met[s.player], 0 if self.swiss else -s.wins, self._seed[s.player]) for s in group
            }
            for score in sorted(group, key=lambda score: order[score.player]):
                rank += 1
                yield replace(score, rank=rank)

    def _encounters(self, group: set[Player]) -> Counter[Player]:
        """The points of these players against each other, in halves; nothing unless all of them have met."""
        if len(group) == 1:
            return Counter()
        among = [match for match in self.counted() if group.issuperset(match.players)]
        if {frozenset(match.players) for match in among} != {frozenset(p) for p in combinations(group, 2)}:
            return Counter()
        points: Counter[Player] = Counter()
        for match in among:
            for player in match.players:
                points[player] += 2 * (player == match.winner) + match.drawn
        return points
