"""The master opponent: it weighs whole turns, by their points and by what the rest of the game is worth.

Nothing is drawn within a turn, so its two actions are seen to their end: the tiles and cards that promise
most are tried, after each of them what promises most of the rest, and the end is judged by prices that were
learned from such play against itself (`value`). It learned the usual game of two, without effectors, and the
prices hold for other numbers of rounds, since they go with the turns to come; in other games, and where an
effector changes which actions a turn allows, it plays as the sharp one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from engine.molecular import groups
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
from engine.molecular.outlook import Outlook
from engine.molecular.position import HAND, POOL
from engine.molecular.searching import sharp
from engine.molecular.turns import AUDIT, CATALYST
from engine.molecular.value import COMPLETED, Value, learned

LEAST: Final = 2
"""So many rounds make a game for which the prices were shown to hold; of a single one they say nothing."""
FIRST, SECOND = 24, 20
"""So many tiles are tried as the first action of a turn, and as the second after each of them."""
NEAR, CLOSELY = 2.5, 40
"""Turns that are so many points behind the best are not looked at closely, and no more than so many are."""
PROMISE, HALF = 0.6, 7
"""How much of what a tile does for the cards held counts for whether it is tried; kinds have the price of so
many turns to come then."""
MOST: Final = 7
"""Points of a tile that are told apart."""
FEW: Final = 5
"""With fewer open places the molecule is about to choke."""
DECIDED: Final = 50.0
"""What the end of the game counts for who leads then, in points."""

Place = tuple[int, int, int]
"""An open cell, the points that a tile brings there, and a bit for each kind that fits."""
Laid = tuple[int, int]
"""A tile that was laid: cell and shape."""


class Held(NamedTuple):
    """What a seat has at some point of its turn: points since its begin, cards and tiles left, by group the
    examples and the counters."""

    points: int
    hand: tuple[int, ...]
    pool: tuple[int, ...]
    counts: Sequence[int]
    counters: tuple[int, ...]


class End(NamedTuple):
    """A turn as it could end: what it is worth, a random number that decides among equals, how it begins, the
    tiles laid, what is left, and how much there is of `Numbers`, nothing where the game ends."""

    worth: float
    luck: float
    move: Move
    laid: tuple[Laid, ...]
    held: Held
    numbers: list[float]


class Turn:
    """What a seat knows at its turn, and what it could do; `value` are other prices than those shipped."""

    def __init__(self, seen: Observation, rng: random.Random, value: Value | None = None) -> None:
        self.seen, self.chance = seen, rng.random
        view = Outlook.seen(seen)
        self.view, self.board, seat = view, view.board, view.seat
        mine = seen.rounds - seen.round
        theirs = mine + (seen.first == seat)
        value = value or learned()
        self.actions, self.prices = 2 * mine, value.priced(mine, theirs)
        self.usual = value.priced(HALF, HALF).tiles
        self.leads = seen.scores[seat] - seen.scores[1 - seat]
        self.unseen = unplayed(self.board.tiles.values())
        for kind in view.pool:
            self.unseen[kind] -= 1
        self.many = max(0, sum(self.unseen))
        cards = [group.copies for group in BOX.groups]
        for group in (*seen.used_cards, *view.hand):
            cards[group] -= 1
        self.others = [HAND * many / max(1, sum(cards)) for many in cards]
        """By group: how many of its cards the other is likely to hold."""
        self.chances: dict[int, float] = {}
        counts = [groups.count(self.board, group) for group in range(GROUPS)]
        self.begin = Held(0, tuple(view.hand), tuple(view.pool), counts, seen.counters)

    def best(self) -> End | None:
        """The best turn, with all its numbers; None where there is neither tile nor card to play."""
        ends = sorted(self.ends(), reverse=True)
        close = [end for end in ends[:CLOSELY] if end.worth > ends[0].worth - NEAR]
        return max((self._closely(end) for end in close), default=None)

    def ends(self) -> list[End]:
        """The turns that were tried; what they are worth leaves out cards that one tile would complete."""
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
                # two tiles come to the same in either order
                if len(pair) < 2 or pair not in met:
                    met.add(pair)
                    yield end
            self.board.lift(cell)
        for group in sorted(set(begin.hand)):
            yield from self._lasts(self._played(begin, group), (), PLAYS[group])

    def _lasts(self, held: Held, laid: tuple[Laid, ...], first: Move | None) -> Iterator[End]:
        """The ways to end a turn from here, the board as it is now."""
        view, chance, found = self._outlook(held), self.chance, False
        places = self._places(view)
        for move, cell, shape in self._tiles(view, SECOND, follows=False):
            found = True
            after = self._laid(held, view, cell, shape)
            worth, numbers = self._worth(after, self._after(view, places, cell, shape))
            yield End(worth, chance(), first or move, (*laid, (cell, shape)), after, numbers)
        for group in sorted(set(held.hand)):
            found = True
            after = self._played(held, group)
            worth, numbers = self._worth(after, places)
            yield End(worth, chance(), first or PLAYS[group], laid, after, numbers)
        if not found and first:
            worth, numbers = self._worth(held, places)
            yield End(worth, chance(), first, laid, held, numbers)

    def _tiles(self, view: Outlook, most: int, *, follows: bool) -> list[tuple[Move, int, int]]:
        """The tiles that promise most: points, what they do for the hand, what the kind is worth to keep, and
        the best tile that could follow."""
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
        """The board as it is now with what the seat has left."""
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
        """With this tile laid, though the board is left as it is."""
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
        """What a card scores now."""
        points = self.view.points(group, held.counts[group])
        more = held.counters[group] - self.seen.counters[group]
        return max(0, points - more * self.view.weight) if more else points

    # places

    def _places(self, view: Outlook) -> list[Place]:
        return [(cell, min(MOST, view.bonds(met)), WAYS[met][0]) for cell, met in self.board.open.items()]

    def _after(self, view: Outlook, places: Sequence[Place], cell: int, shape: int) -> list[Place]:
        """The open cells with this tile laid."""
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
        """The chance that a pool of unseen tiles holds one of these kinds, a bit each."""
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
        """What the end of a turn is worth but for cards that one tile would complete; its numbers."""
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
        numbers = self._own(held, by_points)
        found, chances, kinds = 0.0, [0.0] * (MOST + 1), 0
        for points in range(MOST, 0, -1):
            kinds |= by_points[points]
            if kinds:
                chances[points] = self._chance(kinds & alive)
                found += chances[points]
        numbers += [found, chances[2], chances[3], chances[4] + chances[5], ones, twos, more, dead]
        numbers += [(kinds & alive).bit_count(), *self._others(held), 1.0, max(0, FEW - live)]
        value = sum([price * number for price, number in zip(self.prices.numbers, numbers, strict=True)])
        value += sum([self.prices.tiles[kind] for kind in held.pool])
        value += sum([self.prices.cards[group] for group in held.hand if not self._points(held, group)])
        return held.points + value, numbers

    def _own(self, held: Held, by_points: Sequence[int]) -> list[float]:
        """The numbers of what the seat keeps; what one tile would complete is left at 0."""
        ripe = [points for group in held.hand if (points := self._points(held, group))]
        ripe = sorted(ripe, reverse=True)[: self.actions]
        fit = sorted((self._fit(kind, by_points) for kind in held.pool), reverse=True)
        best, second = (*fit, 0, 0)[:2]
        missing, tiles = HAND - len(held.hand), len(held.pool)
        return [sum(ripe), len(ripe), missing, best, second, fit.count(0), tiles, 0.0, 0.0]

    def _fit(self, kind: int, by_points: Sequence[int]) -> int:
        """The most points that a tile of this kind brings."""
        for points in range(MOST, 0, -1):
            if by_points[points] >> kind & 1:
                return points
        return 0

    def _others(self, held: Held) -> tuple[float, float]:
        """What the cards of the other are likely to score, and how many are ripe."""
        points, many = 0.0, 0.0
        for group, count in enumerate(held.counts):
            if count and (others := self.others[group]) > 0 and (worth := self._points(held, group)):
                points += others * worth
                many += others
        return points, many

    def _closely(self, end: End) -> End:
        """With what it is worth that single tiles of those left would complete cards."""
        held, numbers = end.held, end.numbers.copy()
        wanted = sum(1 << group for group in set(held.hand) if not self._points(held, group))
        if not (numbers and self.actions and wanted and held.pool):
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
        numbers[COMPLETED], numbers[COMPLETED + 1] = points, len(ready)
        prices = self.prices.numbers
        more = prices[COMPLETED] * points + prices[COMPLETED + 1] * len(ready)
        return end._replace(worth=end.worth + more, numbers=numbers)


def _apart(view: Outlook) -> Iterator[Laid]:
    """Where tiles of the pool fit, those of one family once."""
    met = set[Laid]()
    for kind, cell in view.fitting():
        shape = SHAPE_OF[kind][0]
        if (cell, FAMILY[shape]) not in met:
            met.add((cell, FAMILY[shape]))
            yield cell, shape


def is_learned(seen: Observation) -> bool:
    """Whether the prices say anything of this decision."""
    usual = seen.seats == 2 and seen.rounds >= LEAST and not seen.per_edge
    plain = seen.pending is None and not seen.conference and seen.actions > 0
    return usual and plain and AUDIT not in seen.actives and seen.reagent != CATALYST


def master(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """The decision that promises most."""
    if len(actions) == 1:
        return actions[0]
    turn = Turn(seen, rng).best() if is_learned(seen) else None
    return turn.move if turn is not None else sharp(seen, actions, rng)
