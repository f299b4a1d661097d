"""Tournaments: single and double elimination for 3 to 32 players (docs/rules/duel52.md, decision 16).

A bracket is its players in the order of their seeds and a log of what was reported; everything else
follows from these, so it is small and JSON-able. It
knows neither games nor tables: whoever plays a match reports who won it, or that it was drawn.

Matches are called `W2.1` (round 2, match 1 of the main bracket), `L3.2` (losers' bracket), `F1` and `F2`
(the finals of double elimination; the second is played when the unbeaten player loses the first).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from engine.fair import shuffled
from engine.game import Refusal

LEAST: Final = 3
MOST: Final = 32

Kind: TypeAlias = Literal["single", "double"]
Player: TypeAlias = str
"""A player's name or number, as text; what it means is up to the caller."""

_BYE: Final = "\0"
"""Nobody: whoever meets it goes on without a match."""


class BracketError(Refusal):
    """What cannot be done with a bracket: the key of the rule and its facts."""


RULES: Final = frozenset(
    {
        "players",
        "twice",
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
    """One report: `won` a match by a player, a match `drawn`, or a player `withdrawn`."""

    what: Literal["won", "drawn", "withdrawn"]
    match: str = ""
    player: Player = ""


class Match(msgspec.Struct, frozen=True):
    """A match as it stands. `players` holds who is known so far; there are no matches against byes.

    In a match that is `ready` the first player takes the first seat. `draws` counts its drawn games;
    `winner` is "" until it is decided, `walkover` says that nobody had to play for it.
    """

    key: str
    players: tuple[Player, ...]
    ready: bool = False
    draws: int = 0
    winner: Player = ""
    walkover: bool = False


class Place(msgspec.Struct, frozen=True):
    """Where a player ended: equal ranks went out in the same round."""

    rank: int
    player: Player


_Source: TypeAlias = tuple[str, str]
"""Where a player of a match comes from: ("seed", number), ("winner", match) or ("loser", match)."""


def by_rating(ratings: Mapping[Player, float]) -> tuple[Player, ...]:
    """The players in the order of their seeds: the best first, equals in the order given."""
    return tuple(sorted(ratings, key=lambda player: -ratings[player]))


def at_random(players: Sequence[Player], key: bytes) -> tuple[Player, ...]:
    """The players in an order that follows from a deal key, as checkable as a shuffle (docs/fair.md)."""
    order = shuffled(key, "bracket", range(len(players)))
    return tuple(players[place] for place in order)


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


class _Run:
    """A bracket played through: what each match has become."""

    def __init__(self, bracket: Bracket) -> None:
        self.seed = {player: place for place, player in enumerate(bracket.players)}
        self.won: dict[str, Player] = {}
        self.draws: dict[str, int] = {}
        self.gone: set[Player] = set()
        for entry in bracket.log:
            if entry.what == "won":
                self.won[entry.match] = entry.player
            elif entry.what == "drawn":
                self.draws[entry.match] = self.draws.get(entry.match, 0) + 1
            else:
                self.gone.add(entry.player)
        self.winner: dict[str, Player] = {}
        self.loser: dict[str, Player] = {}
        self.matches: dict[str, Match] = {}
        self.plan = _plan(len(bracket.players), bracket.kind)
        for key, sources in self.plan.items():
            if key == "F2" and self.winner.get("F1") != self._of(self.plan["F1"][1], bracket):
                break  # the unbeaten player won, or the first final is still to come
            self._settle(key, [self._of(source, bracket) for source in sources])
        last = "F2" if "F2" in self.matches else list(self.plan)[-2 if bracket.kind == "double" else -1]
        self.champion = self.winner.get(last, "")

    def _of(self, source: _Source, bracket: Bracket) -> Player:
        what, where = source
        if what == "seed":
            return bracket.players[int(where)] if int(where) < len(bracket.players) else _BYE
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
            if len(staying) < 2:
                winner, walkover = best, True
            elif draws > 1:
                winner = best
        # after a draw the seats are exchanged
        order = tuple(known[::-1] if draws % 2 else known)
        self.matches[key] = Match(key, order, not winner, draws, winner, walkover)
        if winner:
            self.winner[key] = winner
            self.loser[key] = known[0] if winner == known[1] else known[1]


class Bracket(msgspec.Struct, frozen=True):
    """A tournament: `players` from the first seed to the last, and what was reported, oldest first.

    It never changes; `report` and `withdraw` give a new one. It turns into JSON and back by
    msgspec. Make one by `start`.
    """

    kind: Kind
    players: tuple[Player, ...]
    log: tuple[Entry, ...] = ()

    def matches(self) -> tuple[Match, ...]:
        """All matches that are or will be played, in the order of the plan."""
        return tuple(_Run(self).matches.values())

    def match(self, key: str) -> Match:
        """One match.

        Raises:
            BracketError: there is none of that key, or not yet.
        """
        found = _Run(self).matches.get(key)
        if found is None:
            raise BracketError("no_such_match", match=key)
        return found

    def ready(self) -> tuple[Match, ...]:
        """What is to be played next; several matches may go on at the same time."""
        return tuple(match for match in _Run(self).matches.values() if match.ready)

    @property
    def champion(self) -> Player:
        """Who has won the tournament, "" while it goes on."""
        return _Run(self).champion

    @property
    def withdrawn(self) -> frozenset[Player]:
        """Who has left."""
        return frozenset(entry.player for entry in self.log if entry.what == "withdrawn")

    def report(self, key: str, winner: Player | None) -> Bracket:
        """Note who has won a match, or None for a drawn game of it.

        The first drawn game is played again with seats exchanged; after a second one the higher seed
        advances.

        Raises:
            BracketError: the match is not ready, or that player is not in it.
        """
        match = self.match(key)
        if match.winner:
            raise BracketError("already_played", match=key, winner=match.winner)
        if not match.ready:
            raise BracketError("not_ready", match=key)
        if winner is None:
            return self._with(Entry("drawn", key))
        if winner not in match.players:
            raise BracketError("not_in_match", match=key, player=winner, players=list(match.players))
        return self._with(Entry("won", key, winner))

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
        run = _Run(self)
        if not run.champion:
            return ()
        # the last match that a player lost says how far it came: the plan goes from early to late
        depth: dict[Player, tuple[int, int]] = {}
        for key, match in run.matches.items():
            depth[run.loser[key]] = _depth(key)
            depth.setdefault(match.winner, (0, 0))
        depth[run.champion] = (9, 9)
        order = sorted(self.players, key=lambda player: (depth[player], -run.seed[player]), reverse=True)
        return tuple(
            Place(1 + sum(depth[other] > depth[player] for other in self.players), player) for player in order
        )

    def _with(self, entry: Entry) -> Bracket:
        return msgspec.structs.replace(self, log=(*self.log, entry))


def _depth(key: str) -> tuple[int, int]:
    """How late a match comes for whoever loses it for good: finals, then the losers' or main rounds."""
    if key[0] == "F":
        return 8, int(key[1:])
    return (1 if key[0] == "W" else 2), int(key[1:].partition(".")[0])


def start(kind: Kind, players: Sequence[Player]) -> Bracket:
    """A new tournament of players in the order of their seeds; the top seeds get the byes.

    >>> bracket = start("single", ["ann", "bob", "cat"])
    >>> [(match.key, match.players) for match in bracket.ready()]
    [('W1.2', ('bob', 'cat'))]
    >>> bracket = bracket.report("W1.2", "cat")
    >>> bracket.match("W2.1").players
    ('ann', 'cat')
    >>> bracket.withdraw("ann").champion
    'cat'

    Raises:
        BracketError: fewer than 3 or more than 32 players, or somebody twice.
    """
    if not LEAST <= len(players) <= MOST:
        raise BracketError("players", players=len(players), least=LEAST, most=MOST)
    if len(set(players)) < len(players):
        twice = next(player for place, player in enumerate(players) if player in players[:place])
        raise BracketError("twice", player=twice)
    return Bracket(kind, tuple(players))
