"""Who meets whom in a round: the Swiss system, and the circle method of a round robin.

A round of a Swiss tournament has as few rematches as can be: none, as long as one can be avoided. Plainly
choosing from the top mostly finds such a pairing. Where it does not, each choice is held against the largest
matching of those who are left (Edmonds' blossoms, O(n³)), so that a round of n players costs at most n²
matchings, with n of at most 32 some hundredths of a second in practice, and never a search without an end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence, Set
from typing import TypeAlias

from engine.brackets.parts import Player

Pairs: TypeAlias = list[tuple[Player, Player]]
Met: TypeAlias = Set[frozenset[Player]]
"""Who has met whom."""


def circle(players: Sequence[Player]) -> list[Pairs]:
    """The rounds of a round robin by the circle method; who is missing in a round has a bye.

    The last place stands still and the others turn. First seats differ by one at most between players.

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
    """A round of players in the order of their scores, then of their seeds, and who has the bye ("": nobody).

    The bye goes to the lowest of those who had fewest of them; only where that would force a rematch which
    another one of them would spare, to that one. In each group of equal scores the upper half meets the
    lower half; whoever is left over meets the group below.
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
    best = min(needed, key=lambda player: needed[player])  # of equals the first: the lowest
    return _paired(rest[best], points, met), best


def rematches(players: Sequence[Player], met: Met) -> int:
    """How many rematches a round of these (an even number) needs at least."""
    fresh = [
        [other for other in range(len(players)) if other != one and _fresh(players[one], players[other], met)]
        for one in range(len(players))
    ]
    return len(players) // 2 - _largest_matching(fresh)


def _fresh(one: Player, two: Player, met: Met) -> bool:
    return frozenset((one, two)) not in met


def _paired(order: Sequence[Player], points: Mapping[Player, float], met: Met) -> Pairs:
    """The pairing that comes first when the highest chooses first, with as few rematches as can be."""
    pairs: Pairs = []
    left = list(order)
    while left:  # where this reaches the end, asking for the matchings would have chosen the same
        top = left.pop(0)
        wished = (other for other in _wishes(top, left, points) if _fresh(top, other, met))
        found = next(wished, None)
        if found is None:
            return _spared(order, points, met)
        left.remove(found)
        pairs.append((top, found))
    return pairs


def _spared(order: Sequence[Player], points: Mapping[Player, float], met: Met) -> Pairs:
    """The same, where a wish must be given up so that others are spared a rematch."""
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
    """Whom the highest of those who are left would meet, in that order."""
    group = [other for other in others if points[other] == points[top]]
    half = (len(group) - 1) // 2
    # the upper half meets the lower half: then those further down, then upwards, then the groups below
    return [*group[half:], *group[:half][::-1], *others[len(group) :]]


def _largest_matching(graph: Sequence[Sequence[int]]) -> int:
    """How many pairs the largest matching of a graph has (Edmonds' blossom algorithm)."""
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
        for one, others in enumerate(graph):  # a matching to begin with, so that few paths are left to find
            free = next((other for other in others if self.mate[other] < 0), None)
            if self.mate[one] < 0 and free is not None:
                self.mate[one], self.mate[free] = free, one
        self._parent: list[int] = []
        self._base: list[int] = []

    def augment(self, root: int) -> None:
        """Look for an augmenting path from an unmatched vertex, and take it."""
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
        """Make one vertex of an odd cycle."""
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
        """Where the ways of two vertices to the root meet."""
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
