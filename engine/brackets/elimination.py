"""Single and double elimination: the pairings and the final ranks.

Matches are called `W2.1` (round 2, match 1 of the main bracket), `L3.2` (losers' bracket), `F1` and `F2` (the
finals of double elimination; the second is played if the unbeaten player loses the first).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from engine.brackets.parts import BracketEntry, BracketPlace, Kind, Match, Player

_BYE: Final = "\0"
"""The absent opponent; a player paired with it advances without a match."""

_Source: TypeAlias = tuple[str, str]
"""The origin of a player in a match: ("seed", number), ("winner", match) or ("loser", match)."""


def _seeds(size: int) -> list[int]:
    """Return the seeds of the first round from top to bottom. Seeds 1 and 2 can only meet in the final."""
    order = [0]
    while len(order) < size:
        order = [seed for low in order for seed in (low, 2 * len(order) - 1 - low)]
    return order


def _plan(players: int, kind: Kind) -> dict[str, tuple[_Source, _Source]]:
    """Return all matches of a full bracket in playing order, with the sources of their players."""
    size = 4
    while size < players:
        size *= 2
    seeds = _seeds(size)
    plan: dict[str, tuple[_Source, _Source]] = {}
    rounds = size.bit_length() - 1
    for place in range(size // 2):
        plan[f"W1.{place + 1}"] = (("seed", str(seeds[2 * place])), ("seed", str(seeds[2 * place + 1])))
    for number in range(2, rounds + 1):
        for place in range(1, (size >> number) + 1):
            before = f"W{number - 1}."
            plan[f"W{number}.{place}"] = (
                ("winner", f"{before}{2 * place - 1}"),
                ("winner", f"{before}{2 * place}"),
            )
    if kind == "single":
        return plan
    count = size // 4
    for place in range(1, count + 1):
        plan[f"L1.{place}"] = (("loser", f"W1.{2 * place - 1}"), ("loser", f"W1.{2 * place}"))
    for number in range(2, rounds + 1):
        # losers of the main bracket enter from the far end, which keeps rematches rare
        down = 2 * (number - 1)
        for place in range(1, count + 1):
            plan[f"L{down}.{place}"] = (
                ("loser", f"W{number}.{count + 1 - place if number % 2 == 0 else place}"),
                ("winner", f"L{down - 1}.{place}"),
            )
        if number == rounds:
            break
        count //= 2
        for place in range(1, count + 1):
            plan[f"L{down + 1}.{place}"] = (
                ("winner", f"L{down}.{2 * place - 1}"),
                ("winner", f"L{down}.{2 * place}"),
            )
    plan["F1"] = (("winner", f"W{rounds}.1"), ("winner", f"L{2 * (rounds - 1)}.1"))
    plan["F2"] = (("winner", "F1"), ("loser", "F1"))
    return plan


class Elimination:
    """A bracket played through the log: the resulting state of each match.

    A match is decided by the first report that can decide it, and stays so even if the winner withdraws
    later.
    """

    def __init__(self, kind: Kind, players: Sequence[Player], log: Sequence[BracketEntry]) -> None:
        self.players = players
        self.seed = {player: place for place, player in enumerate(players)}
        self.won: dict[str, Player] = {}
        self.draws: dict[str, int] = {}
        self.missed: set[str] = set()
        self.walkovers: set[str] = set()
        self.interrupted: set[str] = set()
        """Matches during which a player withdrew."""
        self.left: dict[Player, int] = {}
        """Number of the report with which each player withdrew."""
        self.told: dict[str, int] = {}
        """Number of the last report of each match, which is the one that decided it, if any did."""
        for number, entry in enumerate(log):
            if entry.what == "withdrawn":
                self.left[entry.player] = number
                self.interrupted.add(entry.match)
                continue
            self.told[entry.match] = number
            if entry.what == "won":
                self.won[entry.match] = entry.player
                if entry.walkover:
                    self.walkovers.add(entry.match)
            elif entry.what == "drawn":
                self.draws[entry.match] = self.draws.get(entry.match, 0) + 1
            else:
                self.missed.add(entry.match)
        self.decided: dict[str, int] = {}
        """Number of the report that decided each match; -1 if it was decided before the first one."""
        self.winner: dict[str, Player] = {}
        self.loser: dict[str, Player] = {}
        self.matches: dict[str, Match] = {}
        self.plan = _plan(len(players), kind)
        for key, sources in self.plan.items():
            if key == "F2" and self.winner.get("F1") != self._of(self.plan["F1"][1]):
                break  # the unbeaten player won, or the first final has not been played yet
            since = max(self.decided.get(where, -1) for _, where in sources)
            self._settle(key, [self._of(source) for source in sources], since)
        last = "F2" if "F2" in self.matches else list(self.plan)[-2 if kind == "double" else -1]
        self.champion = self.winner.get(last, "")

    def _of(self, source: _Source) -> Player:
        what, where = source
        if what == "seed":
            return self.players[int(where)] if int(where) < len(self.players) else _BYE
        return (self.winner if what == "winner" else self.loser).get(where, "")

    def _settle(self, key: str, players: list[Player], since: int) -> None:
        """Compute the state of a match whose players are known since report number `since`."""
        known = [player for player in players if player not in ("", _BYE)]
        if _BYE in players:
            # a bye needs no match: the other player advances, and the bye drops into the losers' bracket
            other = players[0] if players[1] == _BYE else players[1]
            if other:
                self.winner[key], self.loser[key], self.decided[key] = other, _BYE, since
            return
        if len(known) < 2:
            self.matches[key] = Match(key, tuple(known))
            return
        draws = self.draws.get(key, 0)
        winner, decided = self.won.get(key, ""), self.told.get(key, -1)
        walkover = key in self.walkovers
        if not winner and (draws > 1 or key in self.missed):
            winner, walkover = self._better(known), key in self.missed
        elif not winner and (left := [player for player in known if player in self.left]):
            first = min(left, key=lambda player: self.left[player])
            walkover, decided = key not in self.interrupted, max(since, self.left[first])
            # a player who had already withdrawn could not win it
            able = [
                player for player in known if player != first and self.left.get(player, decided) >= decided
            ]
            winner = self._better(able or known)
        # after a draw the seats are exchanged
        order = tuple(known[::-1] if draws % 2 else known)
        self.matches[key] = Match(key, order, not winner, draws, winner, walkover)
        if winner:
            self.winner[key], self.decided[key] = winner, decided
            self.loser[key] = known[0] if winner == known[1] else known[1]

    def _better(self, players: Sequence[Player]) -> Player:
        """Return the player with the better seed."""
        return min(players, key=lambda player: self.seed[player])

    def places(self) -> tuple[BracketPlace, ...]:
        """Return the final ranking, best first; empty until the tournament is over."""
        if not self.champion:
            return ()
        # the last match that a player lost shows how far they came, since the plan runs from early to late
        depth: dict[Player, tuple[int, int]] = {}
        for key, match in self.matches.items():
            depth[self.loser[key]] = _depth(key)
            depth.setdefault(match.winner, (0, 0))
        depth[self.champion] = (9, 9)
        order = sorted(self.players, key=lambda player: (depth[player], -self.seed[player]), reverse=True)
        return tuple(
            BracketPlace(1 + sum(depth[other] > depth[player] for other in self.players), player)
            for player in order
        )


def _depth(key: str) -> tuple[int, int]:
    """Return how late in the bracket the match eliminates its loser: first finals, then losers' and main
    rounds."""
    if key[0] == "F":
        return 8, int(key[1:])
    return (1 if key[0] == "W" else 2), int(key[1:].partition(".")[0])
