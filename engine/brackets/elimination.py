"""Single and double elimination: who meets whom, and how far everybody came.

Matches are called `W2.1` (round 2, match 1 of the main bracket), `L3.2` (losers' bracket), `F1` and `F2`
(the finals of double elimination; the second is played when the unbeaten player loses the first).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from engine.brackets.parts import Entry, Kind, Match, Place, Player

_BYE: Final = "\0"
"""Nobody: whoever meets it goes on without a match."""

_Source: TypeAlias = tuple[str, str]
"""Where a player of a match comes from: ("seed", number), ("winner", match) or ("loser", match)."""


def _seeds(size: int) -> list[int]:
    """The seeds of the first round from top to bottom: 1 and 2 can meet in the final only."""
    order = [0]
    while len(order) < size:
        order = [seed for low in order for seed in (low, 2 * len(order) - 1 - low)]
    return order


def _plan(players: int, kind: Kind) -> dict[str, tuple[_Source, _Source]]:
    """All matches of a full bracket in the order in which they can be played, and who meets there."""
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
        # those who drop out of the main bracket come from the far end: rematches stay rare
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
    """A bracket played through: what each match has become."""

    def __init__(self, kind: Kind, players: Sequence[Player], log: Sequence[Entry]) -> None:
        self.players = players
        self.seed = {player: place for place, player in enumerate(players)}
        self.won: dict[str, Player] = {}
        self.draws: dict[str, int] = {}
        self.missed: set[str] = set()
        self.gone: set[Player] = set()
        for entry in log:
            if entry.what == "won":
                self.won[entry.match] = entry.player
            elif entry.what == "drawn":
                self.draws[entry.match] = self.draws.get(entry.match, 0) + 1
            elif entry.what == "missed":
                self.missed.add(entry.match)
            else:
                self.gone.add(entry.player)
        self.winner: dict[str, Player] = {}
        self.loser: dict[str, Player] = {}
        self.matches: dict[str, Match] = {}
        self.plan = _plan(len(players), kind)
        for key, sources in self.plan.items():
            if key == "F2" and self.winner.get("F1") != self._of(self.plan["F1"][1]):
                break  # the unbeaten player won, or the first final is still to come
            self._settle(key, [self._of(source) for source in sources])
        last = "F2" if "F2" in self.matches else list(self.plan)[-2 if kind == "double" else -1]
        self.champion = self.winner.get(last, "")

    def _of(self, source: _Source) -> Player:
        what, where = source
        if what == "seed":
            return self.players[int(where)] if int(where) < len(self.players) else _BYE
        return (self.winner if what == "winner" else self.loser).get(where, "")

    def _settle(self, key: str, players: list[Player]) -> None:
        known = [player for player in players if player not in ("", _BYE)]
        if _BYE in players:
            # a bye is no match: whoever is there goes on, and a bye falls down
            other = players[0] if players[1] == _BYE else players[1]
            if other:
                self.winner[key], self.loser[key] = other, _BYE
            return
        if len(known) < 2:
            self.matches[key] = Match(key, tuple(known))
            return
        draws = self.draws.get(key, 0)
        winner = self.won.get(key, "")
        walkover = False
        if not winner:
            staying = [player for player in known if player not in self.gone]
            best = min(staying or known, key=lambda player: self.seed[player])
            if len(staying) < 2 or key in self.missed:
                winner, walkover = best, True
            elif draws > 1:
                winner = best
        # after a draw the seats are exchanged
        order = tuple(known[::-1] if draws % 2 else known)
        self.matches[key] = Match(key, order, not winner, draws, winner, walkover)
        if winner:
            self.winner[key] = winner
            self.loser[key] = known[0] if winner == known[1] else known[1]

    def places(self) -> tuple[Place, ...]:
        """How everybody ended, best first; empty while it goes on."""
        if not self.champion:
            return ()
        # the last match that a player lost says how far it came: the plan goes from early to late
        depth: dict[Player, tuple[int, int]] = {}
        for key, match in self.matches.items():
            depth[self.loser[key]] = _depth(key)
            depth.setdefault(match.winner, (0, 0))
        depth[self.champion] = (9, 9)
        order = sorted(self.players, key=lambda player: (depth[player], -self.seed[player]), reverse=True)
        return tuple(
            Place(1 + sum(depth[other] > depth[player] for other in self.players), player) for player in order
        )


def _depth(key: str) -> tuple[int, int]:
    """How late a match comes for whoever loses it for good: finals, then the losers' or main rounds."""
    if key[0] == "F":
        return 8, int(key[1:])
    return (1 if key[0] == "W" else 2), int(key[1:].partition(".")[0])
