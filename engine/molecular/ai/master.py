"""The master opponent: it evaluates whole turns by their points and the learned value of what is left.

A seat draws nothing during a turn, so both actions can be searched to the end of the turn. The most promising
tiles and cards are tried, then the most promising continuations. The end is evaluated with weights learned
from self-play (`value`). Training used the usual two-player game without effectors. The weights depend on the
turns to come, so they also hold for other numbers of rounds. In other games, and if an effector changes which
actions a turn allows, this opponent plays like the sharp one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from engine.molecular import groups
from engine.molecular.ai.outlook import Outlook
from engine.molecular.ai.search import sharp
from engine.molecular.ai.value import COMPLETED, Value, learned
from engine.molecular.board import BONDED, FAMILY, OFFSETS, WAYS
from engine.molecular.cards import (
    BASE,
    BOX,
    EDGES,
    GROUPS,
    SHAPE_EDGES,
    SHAPE_KIND,
    SHAPE_OF,
    unplayed,
)
from engine.molecular.moves import LAID, PLAYS, Move
from engine.molecular.observation import Observation
from engine.molecular.position import HAND, POOL
from engine.molecular.turns import AUDIT, CATALYST

LEAST: Final = 2
"""Fewest rounds for which the weights have been shown to hold; they say nothing about a single round."""
FIRST, SECOND = 24, 20
"""Tiles tried as the first action of a turn, and as the second action after each of them."""
NEAR, CLOSELY = 2.5, 40
"""Turns refined: those within this many points of the best, and at most this many."""
PROMISE, HALF = 0.6, 7
"""Weight of a tile's effect on the hand when choosing tiles to try, and the turns to come assumed for the
weights of kinds there."""
MOST: Final = 7
"""Highest tile score that is distinguished."""
FEW: Final = 5
"""With fewer open places than this, the molecule is about to choke."""
DECIDED: Final = 50.0
"""Points that leading is worth at the end of the game."""

Place = tuple[int, int, int]
"""An open cell, the points a tile scores there, and a bit for each kind that fits."""
Laid = tuple[int, int]
"""A tile on the board: cell and shape."""


class Held(NamedTuple):
    """The state of a seat at some point of its turn.

    It holds the points made this turn, the cards and tiles left, and for each group its examples and
    counters.
    """

    points: int
    hand: tuple[int, ...]
    pool: tuple[int, ...]
    counts: Sequence[int]
    counters: tuple[int, ...]


class End(NamedTuple):
    """A possible end of a turn.

    It holds the turn's value, a random tie-breaker, the first move, the tiles laid, what the seat has left,
    and the quantities of `FeatureWeights` (empty if the game ends).
    """

    worth: float
    luck: float
    move: Move
    laid: tuple[Laid, ...]
    held: Held
    features: list[float]


class Turn:
    """The knowledge of a seat at the start of its turn, and the turns it could take.

    `value` replaces the shipped weights.
    """

    def __init__(self, seen: Observation, rng: random.Random, value: Value | None = None) -> None:
        self.seen, self.chance = seen, rng.random
        view = Outlook.seen(seen)
        self.view, self.board, seat = view, view.board, view.seat
        mine = seen.rounds - seen.round
        theirs = mine + (seen.first == seat)
        value = value or learned()
        self.actions, self.weights = 2 * mine, value.weighted(mine, theirs)
        self.usual = value.weighted(HALF, HALF).tiles
        self.leads = seen.scores[seat] - seen.scores[1 - seat]
        self.unseen = unplayed(self.board.tiles.values())
        for kind in view.pool:
            self.unseen[kind] -= 1
        self.many = max(0, sum(self.unseen))
        cards = [group.copies for group in BOX.groups]
        for group in (*seen.used_cards, *view.hand):
            cards[group] -= 1
        self.others = [HAND * many / max(1, sum(cards)) for many in cards]
        """The expected number of each group's cards in the other player's hand."""
        self.chances: dict[int, float] = {}
        counts = [groups.count(self.board, group) for group in range(GROUPS)]
        self.begin = Held(0, tuple(view.hand), tuple(view.pool), counts, seen.counters)

    def best(self) -> End | None:
        """Return the best turn with all its features, or None without a tile or card to play."""
        ends = sorted(self.ends(), reverse=True)
        close = [end for end in ends[:CLOSELY] if end.worth > ends[0].worth - NEAR]
        return max((self._closely(end) for end in close), default=None)

    def ends(self) -> list[End]:
        """Return the turns tried. Their values leave out cards that one more tile would complete."""
        return list(self._ends())

    # whole turns

    def _ends(self) -> Iterator[End]:
        begin, last = self.begin, self.seen.actions < 2
        if last:
            yield from self._lasts(begin, (), None)
            return
        met = set[frozenset[Laid]]()
        for move, cell, shape in self._tiles(self.view, FIRST, follows=True):
            held = self._laid(begin, self.view, cell, shape)
            self.board.lay(cell, shape)
            for end in self._lasts(held, ((cell, shape),), move):
                pair = frozenset(end.laid)
                # two tiles give the same result in either order
                if len(pair) < 2 or pair not in met:
                    met.add(pair)
                    yield end
            self.board.lift(cell)
        for group in sorted(set(begin.hand)):
            yield from self._lasts(self._played(begin, group), (), PLAYS[group])

    def _lasts(self, held: Held, laid: tuple[Laid, ...], first: Move | None) -> Iterator[End]:
        """Yield the possible ends of the turn from here, on the current board."""
        view, chance, found = self._outlook(held), self.chance, False
        places = self._places(view)
        for move, cell, shape in self._tiles(view, SECOND, follows=False):
            found = True
            after = self._laid(held, view, cell, shape)
            worth, features = self._worth(after, self._after(view, places, cell, shape))
            yield End(worth, chance(), first or move, (*laid, (cell, shape)), after, features)
        for group in sorted(set(held.hand)):
            found = True
            after = self._played(held, group)
            worth, features = self._worth(after, places)
            yield End(worth, chance(), first or PLAYS[group], laid, after, features)
        if not found and first:
            worth, features = self._worth(held, places)
            yield End(worth, chance(), first, laid, held, features)

    def _tiles(self, view: Outlook, most: int, *, follows: bool) -> list[tuple[Move, int, int]]:
        """Return the most promising tiles.

        Their ratings add up the points, a share of the effect on the hand, and the best tile that could
        follow, less the value of keeping the kind.
        """
        chance, rim = self.chance, self.board.rim
        rated = []
        for kind, cell in view.fitting():
            promise = view.after(cell, SHAPE_OF[kind][0]).promise - view.promise
            value = view.tile_points(cell, kind) + PROMISE * promise - self.usual[kind]
            for shape in WAYS[rim[cell]][1][kind]:
                later = view.best_tile_after(cell, shape, kind) if follows else 0.0
                rated.append((value + later + 0.3 * chance(), cell, shape))
        rated.sort(reverse=True)
        return [(LAID[cell][shape], cell, shape) for _, cell, shape in rated[:most]]

    def _outlook(self, held: Held) -> Outlook:
        """Return the outlook on the current board with what the seat has left."""
        if held is self.begin:
            return self.view
        turn = msgspec.structs.replace(self.seen, actions=1, counters=held.counters)
        return Outlook(
            turn,
            self.view.seat,
            self.board,
            held.hand,
            held.pool,
            rounds=turn.rounds,
            per_edge=turn.per_edge,
            unplayed=self.view.unplayed,
            count=held.counts.__getitem__,
        )

    def _laid(self, held: Held, view: Outlook, cell: int, shape: int) -> Held:
        """Return the state after laying this tile, leaving the board unchanged."""
        kind, board = SHAPE_KIND[shape], self.board
        pool = list(held.pool)
        pool.remove(kind)
        counts, touched = held.counts, view.touched(cell, shape)
        if touched:
            counts = list(counts)
            kept = board.bond(cell, shape, view.meets(cell))
            while touched:
                group = (touched & -touched).bit_length() - 1
                touched &= touched - 1
                counts[group] = groups.count(board, group)
            board.part(cell, kept)
        points = held.points + view.tile_points(cell, kind)
        return Held(points, held.hand, tuple(pool), counts, held.counters)

    def _played(self, held: Held, group: int) -> Held:
        hand, counters = list(held.hand), held.counters
        hand.remove(group)
        if held.counts[group]:
            counters = (*counters[:group], counters[group] + 1, *counters[group + 1 :])
        points = held.points + self._points(held, group)
        return held._replace(points=points, hand=tuple(hand), counters=counters)

    def _points(self, held: Held, group: int) -> int:
        """Return what a card scores now."""
        points = self.view.points(group, held.counts[group])
        more = held.counters[group] - self.seen.counters[group]
        return max(0, points - more * self.view.weight) if more else points

    # places

    def _places(self, view: Outlook) -> list[Place]:
        return [(cell, min(MOST, view.bonds(met)), WAYS[met][0]) for cell, met in self.board.open.items()]

    def _after(self, view: Outlook, places: Sequence[Place], cell: int, shape: int) -> list[Place]:
        """Return the open places after laying this tile."""
        edges, tiles, rim = SHAPE_EDGES[shape], self.board.tiles, self.board.rim
        near, fresh = {cell}, list[Place]()
        for edge in range(EDGES):
            other = cell + OFFSETS[edge]
            if other not in tiles:
                near.add(other)
                met = rim.get(other, 0) | (4 | edges[edge]) << 3 * ((edge + 3) % EDGES)
                if met & BONDED:
                    fresh.append((other, min(MOST, view.bonds(met)), WAYS[met][0]))
        return [place for place in places if place[0] not in near] + fresh

    def _chance(self, kinds: int) -> float:
        """Return the chance that a pool of unseen tiles contains one of these kinds (a bit each)."""
        found = self.chances.get(kinds)
        if found is None:
            fitting = sum(many for kind, many in enumerate(self.unseen) if kinds >> kind & 1)
            none = 1.0
            for drawn in range(min(POOL, self.many)):
                none *= max(0, self.many - fitting - drawn) / (self.many - drawn)
            found = self.chances[kinds] = 1 - none
        return found

    # worth

    def _worth(self, held: Held, places: Sequence[Place]) -> tuple[float, list[float]]:
        """Return the value of the end of a turn and its features, without cards that one more tile would
        complete."""
        by_points, alive = [0] * (MOST + 1), self.view.unplayed
        ones = twos = more = dead = 0
        for _, points, fits in places:
            by_points[points] |= fits
            if not fits & alive:
                dead += 1
            elif points == 1:
                ones += 1
            elif points == 2:
                twos += 1
            else:
                more += 1
        live = ones + twos + more
        if not live:
            ahead = self.leads + held.points
            return held.points + DECIDED * ((ahead > 0) - (ahead < 0)), []
        features = self._own(held, by_points)
        found, chances, kinds = 0.0, [0.0] * (MOST + 1), 0
        for points in range(MOST, 0, -1):
            kinds |= by_points[points]
            if kinds:
                chances[points] = self._chance(kinds & alive)
                found += chances[points]
        features += [found, chances[2], chances[3], chances[4] + chances[5], ones, twos, more, dead]
        features += [(kinds & alive).bit_count(), *self._others(held), 1.0, max(0, FEW - live)]
        value = sum([weight * number for weight, number in zip(self.weights.features, features, strict=True)])
        value += sum([self.weights.tiles[kind] for kind in held.pool])
        value += sum([self.weights.cards[group] for group in held.hand if not self._points(held, group)])
        return held.points + value, features

    def _own(self, held: Held, by_points: Sequence[int]) -> list[float]:
        """Return the features for what the seat keeps, with 0 for cards that one tile would complete."""
        ripe = [points for group in held.hand if (points := self._points(held, group))]
        ripe = sorted(ripe, reverse=True)[: self.actions]
        fit = sorted((self._fit(kind, by_points) for kind in held.pool), reverse=True)
        best, second = (*fit, 0, 0)[:2]
        missing, tiles = HAND - len(held.hand), len(held.pool)
        return [sum(ripe), len(ripe), missing, best, second, fit.count(0), tiles, 0.0, 0.0]

    def _fit(self, kind: int, by_points: Sequence[int]) -> int:
        """Return the highest score of a tile of this kind."""
        for points in range(MOST, 0, -1):
            if by_points[points] >> kind & 1:
                return points
        return 0

    def _others(self, held: Held) -> tuple[float, float]:
        """Return the expected score of the other player's cards, and how many of them are ripe."""
        points, many = 0.0, 0.0
        for group, count in enumerate(held.counts):
            if count and (others := self.others[group]) > 0 and (worth := self._points(held, group)):
                points += others * worth
                many += others
        return points, many

    def _closely(self, end: End) -> End:
        """Return the end with the value of cards that a single remaining tile would complete."""
        held, features = end.held, end.features.copy()
        wanted = sum(1 << group for group in set(held.hand) if not self._points(held, group))
        if not (features and self.actions and wanted and held.pool):
            return end
        board, found = self.board, 0
        for cell, shape in end.laid:
            board.lay(cell, shape)
        view = self._outlook(held)
        for cell, shape in _apart(view):
            touched = view.touched(cell, shape) & wanted & ~found
            if touched:
                kept = board.bond(cell, shape, view.meets(cell))
                for group in set(held.hand):
                    if touched >> group & 1 and groups.count(board, group):
                        found |= 1 << group
                board.part(cell, kept)
        for cell, _ in reversed(end.laid):
            board.lift(cell)
        ready = [group for group in set(held.hand) if found >> group & 1]
        points = sum(max(0, BASE[group] - held.counters[group]) for group in ready)
        features[COMPLETED], features[COMPLETED + 1] = points, len(ready)
        weights = self.weights.features
        more = weights[COMPLETED] * points + weights[COMPLETED + 1] * len(ready)
        return end._replace(worth=end.worth + more, features=features)


def _apart(view: Outlook) -> Iterator[Laid]:
    """Yield where tiles of the pool fit, each family once per cell."""
    met = set[Laid]()
    for kind, cell in view.fitting():
        shape = SHAPE_OF[kind][0]
        if (cell, FAMILY[shape]) not in met:
            met.add((cell, FAMILY[shape]))
            yield cell, shape


def is_learned(seen: Observation) -> bool:
    """Return whether the weights apply to this decision."""
    usual = seen.seats == 2 and seen.rounds >= LEAST and not seen.per_edge
    plain = seen.pending is None and not seen.conference and seen.actions > 0
    return usual and plain and AUDIT not in seen.actives and seen.reagent != CATALYST


def master(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """Return the most promising decision."""
    if len(actions) == 1:
        return actions[0]
    turn = Turn(seen, rng).best() if is_learned(seen) else None
    return turn.move if turn is not None else sharp(seen, actions, rng)
