"""Leagues: Swiss tournaments and round robins, round by round.

Terms are those of the FIDE Handbook (Swiss rules C.04, tie-breaks C.07). A win scores one point, a draw half
a point. The next round starts when all matches of the current one are decided; they may be reported in any
order.

Swiss: the bye scores as a win. Ties on points are broken by Buchholz (the points of all opponents), then by
Sonneborn-Berger (the points of beaten opponents, and half of those of drawn ones), then by direct encounter
if all tied players have met, then by seed. A round without an opponent (a bye, a walkover, or after
withdrawing) counts in both tie-breaks as a match against a player with the same points, and the players of a
walkover have not met. Players who withdraw are no longer paired.

Round robin: a bye scores nothing, since everyone has it equally often. A walkover counts like any other win,
since everyone meets the absent player. Ties on points are broken by Sonneborn-Berger, direct encounter, wins,
seed. If a player withdraws before half of their matches are decided, all their results are annulled; later
on, the remaining matches are lost by walkover.

Unlike FIDE, players who missed a round by withdrawing rank below everyone who stayed: the winner of a league
must have been there to the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from itertools import combinations, groupby
from typing import Final

from msgspec.structs import replace

from engine.brackets import pairing
from engine.brackets.parts import BracketEntry, BracketPlace, Kind, Match, Player, Score

_BOTH: Final = ""
"""The winner of a match that both players missed."""


def swiss_rounds(players: int) -> int:
    """Return how many rounds are needed to find a winner: the binary logarithm, rounded up.

    >>> [swiss_rounds(players) for players in (3, 4, 5, 8, 9, 32)]
    [2, 2, 3, 3, 4, 5]
    """
    return (players - 1).bit_length()


class League:
    """A league played through its log: the rounds known so far, and the standings."""

    def __init__(
        self,
        kind: Kind,
        players: Sequence[Player],
        rounds: int,
        log: Sequence[BracketEntry],
        unplayed_walkovers: bool = True,
    ) -> None:
        """See `Bracket.unplayed_walkovers`."""
        self._players = players
        self._unplayed_walkovers = unplayed_walkovers and kind == "swiss"
        self._seed = {player: place for place, player in enumerate(players)}
        self.swiss = kind == "swiss"
        self._schedule = [] if self.swiss else pairing.circle(players)
        if kind == "double_round_robin":
            self._schedule += [[pair[::-1] for pair in pairs] for pairs in self._schedule]
        self.rounds = (rounds or swiss_rounds(len(players))) if self.swiss else len(self._schedule)
        self.matches: dict[str, Match] = {}
        self.round = 0
        """The round being played, or the last one; counted from 1."""
        self.byes: Counter[Player] = Counter()
        self.bye: Player = ""
        """The player with a bye in this round."""
        self._alone: Counter[Player] = Counter()
        """Rounds each player spent without an opponent in a Swiss tournament, including byes."""
        self.gone: set[Player] = set()
        self._left: set[Player] = set()
        self._annulled: set[Player] = set()
        self.over = False
        self.standings: tuple[Score, ...] = ()
        self.champion: Player = ""
        self._open_round()
        self._go_on(log)

    def after(self, entry: BracketEntry) -> League:
        """Return the league after one more report, leaving this one unchanged.

        Most reports change a single match, so this costs a hundredth of replaying a long league.
        """
        later = copy(self)
        # matches that were only announced may never be played
        later.matches = {key: match for key, match in self.matches.items() if match.ready or match.decided}
        later.byes, later._alone = Counter(self.byes), Counter(self._alone)
        later.gone, later._left, later._annulled = set(self.gone), set(self._left), set(self._annulled)
        later._go_on([entry])
        return later

    def _go_on(self, log: Sequence[BracketEntry]) -> None:
        """Apply these reports, open the rounds they lead to, and update the standings."""
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
        """Return the matches of a round, as far as they are known."""
        found: list[Match] = []
        # found by their keys: a long league has hundreds of matches, and a picture asks for every player
        while (match := self.matches.get(f"R{number}.{len(found) + 1}")) is not None:
            found.append(match)
        return found

    def _open_round(self) -> None:
        """Pair the next round, or end the league after the last round or if fewer than two players are
        left."""
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
        """Pair a Swiss round. The first seat goes to the player who has had it less often."""
        points = {score.player: score.points for score in self._scores()}
        order = sorted(staying, key=lambda player: (-points[player], self._seed[player]))
        met = {frozenset(match.players) for match in self.matches.values()}
        pairs, self.bye = pairing.swiss(order, points, met, self.byes)
        began = Counter(match.players[0] for match in self.matches.values())
        return [(one, two) if began[one] <= began[two] else (two, one) for one, two in pairs]

    def _put(self, match: Match, *, begun: bool = False) -> None:
        """Store a match, as a walkover if one of its players has withdrawn before it had `begun`."""
        staying = [player for player in match.players if player not in self.gone]
        if len(staying) < 2 and not match.decided:
            self._left |= self.gone.intersection(match.players)
            winner = staying[0] if staying else _BOTH
            match = Match(match.key, match.players, winner=winner, walkover=not begun)
        self.matches[match.key] = match

    def _take(self, entry: BracketEntry) -> None:
        if self.over:
            return
        if entry.what == "withdrawn":
            self._withdraw(entry.player, entry.match)
            return
        players = self.matches[entry.match].players
        self.matches[entry.match] = Match(
            entry.match,
            players,
            draws=int(entry.what == "drawn"),
            winner=entry.player,
            walkover=entry.walkover or entry.what == "missed",
            drawn=entry.what == "drawn",
        )

    def _withdraw(self, player: Player, begun: str) -> None:
        """Withdraw a player, perhaps during the match with this key."""
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
            self._put(match, begun=match.key == begun)

    def _announce(self) -> None:
        """Add the matches of a round robin that are still to come."""
        if self.over:
            return
        for number, pairs in enumerate(self._schedule[self.round :], self.round + 1):
            for place, pair in enumerate(pairs, 1):
                self.matches[f"R{number}.{place}"] = Match(f"R{number}.{place}", pair)

    # -- standings ----------------------------------------------------------------------------

    def places(self) -> tuple[BracketPlace, ...]:
        """Return the final ranking, best first; empty until the league is over."""
        return tuple(BracketPlace(score.rank, score.player) for score in self.standings) if self.over else ()

    def counted(self) -> Iterator[Match]:
        """Yield the decided matches that count."""
        for match in self.matches.values():
            if match.decided and not self._annulled.intersection(match.players):
                yield match

    def _scores(self) -> list[Score]:
        """Return the score of every player, in seed order."""
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
                against = points[player if self._is_unplayed(match) else match.other(player)]
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

    def _is_unplayed(self, match: Match) -> bool:
        """Return whether a match counts in the tie-breaks as a round without an opponent."""
        return match.walkover and self._unplayed_walkovers

    def _standings(self) -> Iterator[Score]:
        """Yield the standings, best first; every player gets a different rank."""

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
        """Return these players' points against each other, in halves; empty unless all of them have met."""
        if len(group) == 1:
            return Counter()
        among = [
            match
            for match in self.counted()
            if group.issuperset(match.players) and not self._is_unplayed(match)
        ]
        if {frozenset(match.players) for match in among} != {frozenset(p) for p in combinations(group, 2)}:
            return Counter()
        points: Counter[Player] = Counter()
        for match in among:
            for player in match.players:
                points[player] += 2 * (player == match.winner) + match.drawn
        return points
