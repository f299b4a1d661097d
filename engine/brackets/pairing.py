"""Pairings: the Swiss system, and the circle method for a round robin.

A Swiss round has as few rematches as possible: none if they can all be avoided. Choosing greedily from the
top usually finds such a pairing. If it does not, each choice is checked against a maximum matching of the
remaining players (Edmonds' blossom algorithm, O(n³)). A round of n players then needs at most n² matchings:
for n up to 32 a few hundredths of a second in practice, and never an unbounded search.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence, Set
from typing import TypeAlias

from engine.brackets.parts import Player

Pairs: TypeAlias = list[tuple[Player, Player]]
Met: TypeAlias = Set[frozenset[Player]]
"""The pairs of players who have met."""


def circle(players: Sequence[Player]) -> list[Pairs]:
    """Return the rounds of a round robin by the circle method. A player missing from a round has a bye.

    The last place stays fixed and the others rotate. Players' numbers of first seats differ by at most one.

    >>> circle(["ann", "bob", "cat"])
    [[('bob', 'cat')], [('cat', 'ann')], [('ann', 'bob')]]
    """
    seats = [*players, *[""] * (len(players) % 2)]
    turning = len(seats) - 1
    rounds: list[Pairs] = []
    for number in range(turning):
        still, facing = seats[turning], seats[number]
        pairs = [(facing, still) if number % 2 == 0 else (still, facing)]
        for step in range(1, len(seats) // 2):
            one, two = seats[(number + step) % turning], seats[(number - step) % turning]
            pairs.append((one, two) if step % 2 else (two, one))
        rounds.append([pair for pair in pairs if "" not in pair])
    return rounds


def swiss(
    order: Sequence[Player], points: Mapping[Player, float], met: Met, byes: Mapping[Player, int]
) -> tuple[Pairs, Player]:
    """Pair a round of players ordered by score, then seed. Also return the player with the bye, or "".

    The bye goes to the lowest of the players with the fewest byes, unless that forces a rematch that giving
    it to another of them would avoid. In each group of equal scores the upper half meets the lower half, and
    players left over meet the group below.
    """
    if len(order) % 2 == 0:
        return _paired(order, points, met), ""
    fewest = min(byes.get(player, 0) for player in order)
    free = [player for player in reversed(order) if byes.get(player, 0) == fewest]
    rest = {player: [other for other in order if other != player] for player in free}
    needed: dict[Player, int] = {}
    for player in free:
        needed[player] = rematches(rest[player], met)
        if needed[player] == 0:
            break
    best = min(needed, key=lambda player: needed[player])  # the first of equals is the lowest
    return _paired(rest[best], points, met), best


def rematches(players: Sequence[Player], met: Met) -> int:
    """Return the minimum number of rematches in a round of these players (an even number)."""
    fresh = [
        [other for other in range(len(players)) if other != one and _fresh(players[one], players[other], met)]
        for one in range(len(players))
    ]
    return len(players) // 2 - _largest_matching(fresh)


def _fresh(one: Player, two: Player, met: Met) -> bool:
    return frozenset((one, two)) not in met


def _paired(order: Sequence[Player], points: Mapping[Player, float], met: Met) -> Pairs:
    """Return the pairing with the fewest rematches; among those, the one found by letting the highest choose
    first."""
    pairs: Pairs = []
    left = list(order)
    while left:  # if this reaches the end, checking against matchings would have given the same pairs
        top = left.pop(0)
        wished = (other for other in _wishes(top, left, points) if _fresh(top, other, met))
        found = next(wished, None)
        if found is None:
            return _spared(order, points, met)
        left.remove(found)
        pairs.append((top, found))
    return pairs


def _spared(order: Sequence[Player], points: Mapping[Player, float], met: Met) -> Pairs:
    """Return the same pairing when a wish must be given up to spare others a rematch."""
    pairs: Pairs = []
    left = list(order)
    while left:
        needed = rematches(left, met)
        top = left.pop(0)
        for other in _wishes(top, left, points):
            rest = [player for player in left if player != other]
            if rematches(rest, met) + (not _fresh(top, other, met)) == needed:
                pairs.append((top, other))
                left = rest
                break
    return pairs


def _wishes(top: Player, others: Sequence[Player], points: Mapping[Player, float]) -> list[Player]:
    """Return the opponents that the highest remaining player prefers, in order."""
    group = [other for other in others if points[other] == points[top]]
    half = (len(group) - 1) // 2
    # the upper half meets the lower half: try players further down first, then upwards, then the groups below
    return [*group[half:], *group[:half][::-1], *others[len(group) :]]


def _largest_matching(graph: Sequence[Sequence[int]]) -> int:
    """Return the number of pairs in a maximum matching of a graph (Edmonds' blossom algorithm)."""
    search = _Blossoms(graph)
    for root in range(len(graph)):
        if search.mate[root] < 0:
            search.augment(root)
    return sum(mate >= 0 for mate in search.mate) // 2


class _Blossoms:
    """A matching that grows by one augmenting path at a time."""

    def __init__(self, graph: Sequence[Sequence[int]]) -> None:
        self._graph = graph
        self.mate = [-1] * len(graph)
        for one, others in enumerate(graph):  # an initial matching, so that few paths are left to find
            free = next((other for other in others if self.mate[other] < 0), None)
            if self.mate[one] < 0 and free is not None:
                self.mate[one], self.mate[free] = free, one
        self._parent: list[int] = []
        self._base: list[int] = []

    def augment(self, root: int) -> None:
        """Search for an augmenting path from an unmatched vertex, and apply it."""
        size = len(self._graph)
        self._parent, self._base = [-1] * size, list(range(size))
        outer = [False] * size
        outer[root] = True
        queue = deque([root])
        while queue:
            here = queue.popleft()
            for there in self._graph[here]:
                if self._base[here] == self._base[there] or self.mate[here] == there:
                    continue
                if there == root or (self.mate[there] >= 0 and self._parent[self.mate[there]] >= 0):
                    self._shrink(here, there, outer, queue)
                elif self._parent[there] < 0:
                    self._parent[there] = here
                    if self.mate[there] < 0:
                        self._flip(there)
                        return
                    outer[self.mate[there]] = True
                    queue.append(self.mate[there])

    def _shrink(self, here: int, there: int, outer: list[bool], queue: deque[int]) -> None:
        """Contract an odd cycle into a single vertex."""
        base = self._meeting(here, there)
        inside: set[int] = set()
        self._mark(here, base, there, inside)
        self._mark(there, base, here, inside)
        for vertex in range(len(self._graph)):
            if self._base[vertex] in inside:
                self._base[vertex] = base
                if not outer[vertex]:
                    outer[vertex] = True
                    queue.append(vertex)

    def _meeting(self, one: int, two: int) -> int:
        """Return the vertex where the paths of two vertices to the root meet."""
        seen = set()
        at = one
        while True:
            at = self._base[at]
            seen.add(at)
            if self.mate[at] < 0:
                break
            at = self._parent[self.mate[at]]
        at = self._base[two]
        while at not in seen:
            at = self._base[self._parent[self.mate[at]]]
        return at

    def _mark(self, vertex: int, base: int, child: int, inside: set[int]) -> None:
        at = vertex
        while self._base[at] != base:
            inside |= {self._base[at], self._base[self.mate[at]]}
            self._parent[at] = child
            child = self.mate[at]
            at = self._parent[child]

    def _flip(self, end: int) -> None:
        """Match along the path that was found."""
        at = end
        while at >= 0:
            before = self._parent[at]
            after = self.mate[before]
            self.mate[at], self.mate[before] = before, at
            at = after
