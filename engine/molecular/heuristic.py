"""An opponent that counts: the best score at once, with an eye on when its group cards are ripe.

A move is worth its points now plus what it changes in the *promise* of the own hand: what the
cards would score, less where the game leaves little time to play them. So a tile that completes a
group for a card in hand is preferred, a card is played when it is ripe, and a useless card is
cycled when nothing better offers. The only input is an observation.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from engine.molecular import groups
from engine.molecular.board import KIND_BITS, Board, cell_of
from engine.molecular.cards import BASE, BOX, EFFECTOR, SHAPE_OF
from engine.molecular.moves import GROUP_ACTION, REVEAL_ACTION, Move
from engine.molecular.observation import HIDDEN, Observation
from engine.molecular.scoring import GroupScore, group_score, satisfied, tile_score

REVEAL = 0.5
"""What the top effector is worth on average, in points."""
CYCLE = 0.7
"""What a fresh card for a useless one is worth while turns are left."""
FRESH = 0.4
"""What the card drawn for a played one is worth."""
PROMISE = 0.55
"""How much of what a card in hand would score counts while it is held."""
EXPOSED = 0.25
"""How much of the best place left open for the next player counts against a turn."""
CATALYST, AUDIT = EFFECTOR["catalyst"], EFFECTOR["audit"]
CELL = (1 << KIND_BITS - 3) - 1


class _View:
    """What the scorers ask of one observation, worked out once."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.seat = seen.viewer or 0
        self.board = Board.of((code >> 8, code & 255) for code in seen.board)
        self.hand = [kind for kind in seen.cards.held[self.seat] if kind != HIDDEN]
        self.cells = groups.by_family(self.board)
        self.turns_left = seen.rounds - seen.round
        self.later: float | None = None

    def worth(self, group: int, count: int | None = None) -> GroupScore:
        seen = self.seen
        if count is None:
            count = groups.count(self.board, group)
        return group_score(group, count, seen.counters[group], seen.actives, seen.reagent)

    def share(self) -> float:
        """How much a held card is worth of what it would score: nothing when the game is about over."""
        actions = self.seen.actions + 2 * self.turns_left
        return PROMISE * min(1.0, max(0, actions - 1) / max(1, len(self.hand)))

    def tile_points(self, cell: int, kind: int) -> int:
        seen = self.seen
        return tile_score(self.board, cell, kind, seen.actives, seen.reagent, per_edge=seen.per_edge).total

    def best_tile(self, but: int = -1) -> float:
        """The best score of a tile of the pool on the board as it is, one of kind `but` left out."""
        kinds = [kind for kind in self.seen.tiles.held[self.seat] if kind != HIDDEN]
        if but >= 0:
            kinds.remove(but)
        codes = self.board.placements(set(kinds))
        return max(
            (float(self.tile_points(code >> 3 & CELL, code >> KIND_BITS)) for code in codes), default=0.0
        )

    def best_group(self, but: int = -1) -> float:
        """The best gain of playing a card now rather than holding it, one of group `but` left out."""
        hand = list(self.hand)
        if but >= 0:
            hand.remove(but)
        share = self.share()
        return max(((1 - share) * self.worth(group).total for group in hand), default=0.0)

    def best_next(self, tile: int) -> float:
        """What the second action of the turn can bring after this tile."""
        audited = AUDIT in self.seen.actives
        return max(REVEAL, self.best_group(), 0.0 if audited else self.best_tile(tile))

    def then(self, action: int, group: int = -1) -> float:
        """What the next action of this turn can bring on the board as it is, 0 if this is the last."""
        if self.seen.actions < 2:
            return -EXPOSED * self.exposed() if self.seen.seats > 1 else 0.0
        if self.later is None:
            self.later = self.best_tile()
        audited = AUDIT in self.seen.actives
        card = 0.0 if audited and action == GROUP_ACTION else self.best_group(group)
        top = 0.0 if audited and action == REVEAL_ACTION else REVEAL
        return max(top, card, self.later)

    def exposed(self) -> int:
        """The most bonds that one tile could satisfy."""
        return max((sum(satisfied(pattern)) for pattern in self.board.rim.values()), default=0)

    def promise(self) -> float:
        """What the hand would score on the board as it is."""
        return sum(self.worth(group).total for group in self.hand)


def heuristic(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """The move with the best score; equal ones by chance."""
    if len(actions) == 1:
        return actions[0]
    view = _View(seen)
    promise = view.promise()
    scored = [(_SCORERS[move.verb](view, move, promise), rng.random(), move) for move in actions]
    return max(scored)[2]


def _tile(view: _View, move: Move, promise: float) -> float:
    """Points now, what the tile does for the hand, and what it opens: for the own second action, else
    for the next player."""
    seen, board = view.seen, view.board
    cell = cell_of(move.q, move.r)
    points = view.tile_points(cell, move.what)
    free = seen.pending is not None or (seen.reagent == CATALYST and not seen.tiled)
    left = seen.actions - (not free)
    board.lay(cell, SHAPE_OF[move.what][move.turn])
    after = view.promise()
    value = points + view.share() * (after - promise)
    if left > 0:
        value += view.best_next(move.what)
    elif seen.seats > 1:
        value -= EXPOSED * view.exposed()
    board.lift(cell)
    return value + 0.3 * free


def _group(view: _View, move: Move, _promise: float) -> float:
    """The card's points, less what it would still be worth in hand; a useless card may go for a fresh one."""
    points = view.worth(move.what).total
    value = float(points)
    if view.turns_left:
        value = points + FRESH if points else CYCLE
    value -= view.share() * points
    return value + view.then(GROUP_ACTION, move.what)


def _reveal(view: _View, _move: Move, _promise: float) -> float:
    return REVEAL + view.then(REVEAL_ACTION)


def _forfeit(view: _View, _move: Move, promise: float) -> float:
    """Only for a hand and pool that are good for nothing."""
    return -1.0 + (2.0 if not promise and view.turns_left > 1 else 0.0) - 1.2


def _nothing(view: _View, move: Move, _promise: float) -> float:
    return view.then(0) if move.verb == "pass" else -view.then(0)


def _spill(view: _View, move: Move, promise: float) -> float:
    """Harm others and not the own hand."""
    board, cell = view.board, cell_of(move.q, move.r)
    shape = board.tiles[cell]
    board.lift(cell)
    change = view.promise() - promise
    board.lay(cell, shape)
    return change


def _clear(view: _View, move: Move, _promise: float) -> float:
    own = view.hand.count(move.what)
    return view.seen.counters[move.what] * (1.0 if own else 0.1)


def _rival(view: _View, move: Move, _promise: float) -> float:
    """Where others are likely to score next: common cards with examples, none of the own hand."""
    if move.what in view.hand:
        return -1.0
    return view.worth(move.what).total * BOX.groups[move.what].copies


def _poach(view: _View, move: Move, _promise: float) -> float:
    return float(view.seen.scores[move.what])


def _give(view: _View, move: Move, _promise: float) -> float:
    return -(view.worth(move.what).total + 0.1 * BASE[move.what])


_SCORERS: Mapping[str, Callable[[_View, Move, float], float]] = {
    "tile": _tile,
    "group": _group,
    "reveal": _reveal,
    "forfeit": _forfeit,
    "pass": _nothing,
    "skip": _nothing,
    "spill": _spill,
    "clear": _clear,
    "rival": _rival,
    "poach": _poach,
    "give": _give,
}
