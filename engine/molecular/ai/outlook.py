"""Analysis of a position for one seat: the points of tiles and cards, before and after laying a tile.

A tile changes only the cells around it, so what the rest of the rim offers is computed once. The count of a
group changes only if a new bond matches one in its pattern, and is the same for every rotation. The scores
are those of `scoring`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.game import Seat
from engine.molecular import groups, smarts
from engine.molecular.board import BONDED, FAMILIES, FAMILY, OFFSETS, WAYS, Board
from engine.molecular.cards import BASE, BOX, CARD_BONUS, EDGES, ELEMENT, RAISED, SHAPE_EDGES, unplayed
from engine.molecular.observation import HIDDEN, Observation
from engine.molecular.position import Position
from engine.molecular.scoring import GRIGNARD, HYDROGEN, RING, UNSAT, satisfied, weight_of

PROMISE = 0.55
"""Share of a held card's score that counts in its favour."""
LIVE = 5
"""With fewer cells than this that a remaining tile fits, the molecule is about to choke."""
CHOKED, LEADING = 0.8, 0.1
"""Penalty for each cell missing from LIVE while rounds are left: an early end is dull for everyone. The
leader minds it less, because an early end wins the game."""

_FACING = tuple((edge, OFFSETS[edge], 3 * ((edge + 3) % EDGES)) for edge in range(EDGES))
_KINDS_OF = {
    element: sum(1 << kind for kind, other in enumerate(ELEMENT) if other == element)
    for element in set(ELEMENT)
}
_CARBON = tuple(element == "C" for element, _ in FAMILIES)


def _touches() -> tuple[int, ...]:
    """Return the groups, a bit each, whose count a bond can change, by its order and the families at its
    ends."""
    found = [0] * 1024
    for group in range(len(BOX.groups)):
        atoms, bonds = smarts.parse(BOX.groups[group].smarts)
        could = [groups.families_of(atom) for atom in atoms]
        pairs = [(order, one, other) for order, a, b in bonds for one in could[a] for other in could[b]]
        for atom, families in zip(atoms, could, strict=True):
            for order, element in atom.never:
                near = [number for number, family in enumerate(FAMILIES) if family[0] == element]
                pairs += [(order, one, other) for one in families for other in near]
        for order, one, other in pairs:
            found[order << 8 | one << 4 | other] |= 1 << group
            found[order << 8 | other << 4 | one] |= 1 << group
    return tuple(found)


_TOUCHES = _touches()


class HandOutlook(NamedTuple):
    """The hand after laying a tile: its promise, and the highest score of a single card."""

    promise: int
    best: int


class Outlook:
    """The analysis of a position for one seat, from an observation or a sampled position. Results are
    cached."""

    def __init__(
        self,
        turn: Observation | Position,
        seat: Seat,
        board: Board,
        hand: Sequence[int],
        pool: Sequence[int],
        *,
        rounds: int,
        per_edge: bool,
        unplayed: int,
        count: Callable[[int], int],
    ) -> None:
        self.turn, self.seat, self.board = turn, seat, board
        self.hand, self.pool = hand, pool
        self.per_edge, self.unplayed, self.count = per_edge, unplayed, count
        self.turns_left = rounds - turn.round
        actions = turn.actions + 2 * self.turns_left
        self.share = PROMISE * min(1.0, max(0, actions - 1) / max(1, len(hand)))
        """The share of a card's score that it is worth while held; 0 when the game is almost over."""
        mine = turn.scores[seat]
        others = [score for other, score in enumerate(turn.scores) if other != seat]
        self.leads = bool(others) and mine > max(others)
        self.weight = weight_of(turn.actives)
        self.raised = RAISED.get(turn.reagent, frozenset())
        self.bonus = {HYDROGEN: _KINDS_OF["H"], GRIGNARD: _KINDS_OF["C"]}.get(turn.reagent, 0)
        self.unsat, self.ring = turn.actives.count(UNSAT), turn.actives.count(RING)
        self.cards = [(group, self.points(group)) for group in hand]
        self.promise = sum(points for _, points in self.cards)
        self.masks = {-1: _mask(pool)}
        self.points_by_rim: dict[int, int] = {}
        self.held = _mask(hand)
        self.unchanged = HandOutlook(self.promise, max((points for _, points in self.cards), default=0))
        self.laid: dict[int, HandOutlook] = {}
        self.met: dict[int, list[tuple[int, int]]] = {}
        self.places: list[tuple[int, int, int]] | None = None
        self.openings: list[tuple[int, int]] | None = None
        self.later: int | None = None
        self.live: set[int] | None = None

    @classmethod
    def seen(cls, seen: Observation) -> Outlook:
        """Build from an observation. A spectator counts as seat 0 with nothing in hand."""
        seat = seen.viewer or 0
        board = Board.of((code >> 8, code & 255) for code in seen.board)
        left = unplayed(code & 255 for code in seen.board)
        return cls(
            seen,
            seat,
            board,
            [kind for kind in seen.cards.held[seat] if kind != HIDDEN],
            [kind for kind in seen.tiles.held[seat] if kind != HIDDEN],
            rounds=seen.rounds,
            per_edge=seen.per_edge,
            unplayed=sum(1 << kind for kind, count in enumerate(left) if count > 0),
            count=lambda group: groups.count(board, group),
        )

    @classmethod
    def within(cls, state: Position, seat: Seat) -> Outlook:
        """Build from a sampled position, without creating an observation of it."""
        return cls(
            state,
            seat,
            state.board,
            state.cards.kinds(seat),
            state.tiles.kinds(seat),
            rounds=state.rules.rounds,
            per_edge=state.rules.per_edge,
            unplayed=state.unplayed,
            count=state.count,
        )

    # cards

    def points(self, group: int, count: int | None = None) -> int:
        """Return what a card of this group would score now, or with `count` examples on the table."""
        if count is None:
            count = self.count(group)
        if not count:
            return 0
        bonus = CARD_BONUS if group in self.raised else 0
        return max(0, BASE[group] + bonus + count - 1 - self.turn.counters[group] * self.weight)

    def best_group(self, but: int = -1) -> float:
        """Return the best gain from playing a card now rather than keeping it, without one card of group
        `but`."""
        cards = self.cards
        if but >= 0:
            cards = cards.copy()
            cards.remove(next(card for card in cards if card[0] == but))
        return (1 - self.share) * max((points for _, points in cards), default=0)

    def after(self, cell: int, shape: int) -> HandOutlook:
        """Return the hand's promise after laying this tile in this cell, in any rotation."""
        family, met = FAMILY[shape], self.meets(cell)
        touched = self.touched(cell, shape) & self.held
        if not touched:
            return self.unchanged
        found = self.laid.get(cell << 4 | family)
        if found is None:
            board = self.board
            kept = board.bond(cell, shape, met)
            values = [
                self.points(group, groups.count(board, group)) if touched >> group & 1 else points
                for group, points in self.cards
            ]
            board.part(cell, kept)
            found = self.laid[cell << 4 | family] = HandOutlook(sum(values), max(values))
        return found

    def meets(self, cell: int) -> list[tuple[int, int]]:
        """Return the bonds a tile in an empty cell would have, in the form of `Board.bonds`."""
        met = self.met.get(cell)
        if met is None:
            met = self.met[cell] = self._met(cell)
        return met

    def touched(self, cell: int, shape: int) -> int:
        """Return a bit for each group whose count a tile in this cell can change, in any rotation."""
        family, touched = FAMILY[shape], 0
        for code, _ in self.meets(cell):
            touched |= _TOUCHES[code << 4 | family]
        return touched

    def _met(self, cell: int) -> list[tuple[int, int]]:
        pattern, tiles = self.board.rim[cell], self.board.tiles
        return [
            (order << 4 | FAMILY[tiles[near]], near)
            for edge in range(EDGES)
            if (order := pattern >> 3 * edge & 3)
            for near in (cell + OFFSETS[edge],)
        ]

    # tiles

    def bonds(self, pattern: int) -> int:
        """Return what a tile scores in a cell with this pattern, without any bonus for its kind."""
        found = self.points_by_rim.get(pattern)
        if found is None:
            orders = satisfied(pattern)
            found = len(orders) if self.per_edge else sum(orders)
            if self.unsat and max(orders) > 1:
                found += self.unsat
            if self.ring and len(orders) > 1:
                found += self.ring
            self.points_by_rim[pattern] = found
        return found

    def tile_points(self, cell: int, kind: int) -> int:
        """Return what a tile of this kind scores in this cell."""
        pattern = self.board.rim[cell]
        more = self.bonus >> kind & 1 and (self.turn.reagent != GRIGNARD or self._meets_carbon(cell, pattern))
        return self.bonds(pattern) + bool(more)

    def _meets_carbon(self, cell: int, pattern: int) -> bool:
        tiles = self.board.tiles
        return any(
            pattern >> 3 * edge & 3 and _CARBON[FAMILY[tiles[cell + OFFSETS[edge]]]] for edge in range(EDGES)
        )

    def _mask(self, but: int) -> int:
        """Return a bit for each kind in the pool, without one tile of kind `but`."""
        found = self.masks.get(but)
        if found is None:
            rest = list(self.pool)
            rest.remove(but)
            found = self.masks[but] = _mask(rest)
        return found

    def fitting(self) -> list[tuple[int, int]]:
        """Return each kind of the pool with each cell where it fits. Its shapes are in `WAYS`."""
        mask = self.masks[-1]
        kinds = sorted(set(self.pool))
        return [
            (kind, cell)
            for cell, pattern in self.board.rim.items()
            if pattern & BONDED and (fits := WAYS[pattern][0] & mask)
            for kind in kinds
            if fits >> kind & 1
        ]

    def _places(self) -> list[tuple[int, int, int]]:
        """Return (points, kinds of the pool that score them, cell), best first."""
        if self.places is None:
            found, mask, bonus = [], self.masks[-1], self.bonus
            for cell, pattern in self.board.open.items():
                if fits := WAYS[pattern][0] & mask:
                    points = self.bonds(pattern)
                    if fits & bonus and (self.turn.reagent != GRIGNARD or self._meets_carbon(cell, pattern)):
                        found.append((points + 1, fits & bonus, cell))
                        fits &= ~bonus
                    if fits:
                        found.append((points, fits, cell))
            self.places = sorted(found, reverse=True)
        return self.places

    def best_tile(self, but: int = -1) -> float:
        """Return the best score of a tile of the pool on the current board, without one tile of kind
        `but`."""
        mask = self._mask(but)
        return float(next((points for points, fits, _ in self._places() if fits & mask), 0))

    def best_tile_after(self, cell: int, shape: int, kind: int) -> float:
        """Return the best score of another tile of the pool after laying this one."""
        mask = self._mask(kind)
        edges, tiles, rim = SHAPE_EDGES[shape], self.board.tiles, self.board.rim
        best, near = 0, {cell}
        for edge, offset, shift in _FACING:
            other = cell + offset
            if other in tiles:
                continue
            near.add(other)
            old = rim.get(other, 0)
            pattern = old | (4 | edges[edge]) << shift
            if pattern & BONDED and (fits := WAYS[pattern][0] & mask):
                points = self.bonds(pattern)
                if fits & self.bonus and (
                    self.turn.reagent != GRIGNARD
                    or (edges[edge] and _CARBON[FAMILY[shape]])
                    or self._meets_carbon_but(other, old)
                ):
                    points += 1
                best = max(best, points)
        for points, fits, place in self._places():
            if points <= best:
                break
            if fits & mask and place not in near:
                return float(points)
        return float(best)

    def _meets_carbon_but(self, cell: int, old: int) -> bool:
        return bool(old) and self._meets_carbon(cell, old)

    # places left open

    def _openings(self) -> list[tuple[int, int]]:
        """Return the two cells where one tile satisfies the most bonds, as (bonds, cell)."""
        if self.openings is None:
            every = ((sum(satisfied(pattern)), cell) for cell, pattern in self.board.open.items())
            self.openings = sorted(every, reverse=True)[:2]
        return self.openings

    def exposed(self) -> int:
        """Return the most bonds that one tile could satisfy."""
        return max((bonds for bonds, _ in self._openings()), default=0)

    def exposed_after(self, cell: int, shape: int) -> int:
        """Return the most bonds that one tile could satisfy after laying this one."""
        best = max((bonds for bonds, place in self._openings() if place != cell), default=0)
        edges, tiles, rim = SHAPE_EDGES[shape], self.board.tiles, self.board.rim
        for edge, offset, shift in _FACING:
            other = cell + offset
            if edges[edge] and other not in tiles:
                bonds = sum(satisfied(rim.get(other, 0) | (4 | edges[edge]) << shift))
                best = max(best, bonds)
        return best

    def _alive(self, pattern: int) -> bool:
        return bool(pattern & BONDED and WAYS[pattern][0] & self.unplayed)

    def choked(self) -> float:
        """Return the penalty for having few places left on the board, or 0 in the last round."""
        if not self.turns_left:
            return 0.0
        if self.live is None:
            unplayed = self.unplayed
            self.live = {cell for cell, pattern in self.board.open.items() if WAYS[pattern][0] & unplayed}
        return self._choke(len(self.live))

    def choked_after(self, cell: int, shape: int) -> float:
        """Return that penalty after laying this tile."""
        if not self.turns_left:
            return 0.0
        if self.live is None:
            self.choked()
        live, tiles = self.live or (), self.board.tiles
        near = [(edge, cell + offset, shift) for edge, offset, shift in _FACING if cell + offset not in tiles]
        left = len(live) - (cell in live) - sum(other in live for _, other, _ in near)
        if left < LIVE:
            edges, rim = SHAPE_EDGES[shape], self.board.rim
            for edge, other, shift in near:
                left += self._alive(rim.get(other, 0) | (4 | edges[edge]) << shift)
        return self._choke(left)

    def _choke(self, live: int) -> float:
        return (LEADING if self.leads else CHOKED) * (LIVE - min(live, LIVE))


def _mask(kinds: Sequence[int]) -> int:
    found = 0
    for kind in kinds:
        found |= 1 << kind
    return found
