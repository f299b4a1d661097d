"""An opponent that counts: the best score at once, with an eye on when its group cards are ripe.

A move is worth its points now plus what it changes in the *promise* of the own hand: what the
cards would score, less where the game leaves little time to play them. So a tile that completes a
group for a card in hand is preferred, a card is played when it is ripe, and a useless card is
cycled when nothing better offers. The only input is an observation.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from engine.molecular import groups
from engine.molecular.board import BONDED, KIND_BITS, WAYS, Board, cell_of
from engine.molecular.cards import BASE, BOX, SHAPE_OF, unplayed
from engine.molecular.moves import ACTIONS, GROUP_ACTION, REVEAL_ACTION, TILE_ACTION, Move
from engine.molecular.observation import HIDDEN, Observation
from engine.molecular.scoring import GroupScore, group_score, satisfied, tile_score
from engine.molecular.turns import AUDIT, free_tile

REVEAL = 0.7
"""What the top effector is worth on average, in points."""
CYCLE = 0.7
"""What a fresh card for a useless one is worth while turns are left."""
FRESH = 0.4
"""What the card drawn for a played one is worth."""
PROMISE = 0.55
"""How much of what a card in hand would score counts while it is held."""
EXPOSED = 0.25
"""How much of the best place left open for the next player counts against a turn."""


LIVE = 5
"""With fewer cells than this that some tile still fits, the molecule is about to choke."""
CHOKED, LEADING = 0.8, 0.1
"""What each cell that is missing to that counts against a turn while rounds are left: an early end is dull
for all. Who leads minds it less, as it wins the game."""
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
        left = unplayed(code & 255 for code in seen.board)
        self.unplayed = sum(1 << kind for kind, count in enumerate(left) if count > 0)
        mine = seen.scores[self.seat]
        others = [score for seat, score in enumerate(seen.scores) if seat != self.seat]
        self.leads = bool(others) and mine > max(others)
        self.later: float | None = None
        self.tight = self.choked()

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

    def then(self, verb: str, *, tile: int = -1, group: int = -1) -> float:
        """What follows a move, on the board as it is: what the next action of this turn can bring without
        this tile or card, or what is left open for the next player if there is none."""
        seen = self.seen
        free = seen.pending is not None or (verb == "tile" and free_tile(seen))
        if seen.actions - (not free) < 1:
            return -EXPOSED * self.exposed() if seen.seats > 1 else 0.0
        used = 0 if AUDIT not in seen.actives else seen.used | (0 if free else ACTIONS.get(verb, 0))
        best = 0.0 if used & REVEAL_ACTION else REVEAL
        if not used & GROUP_ACTION:
            best = max(best, self.best_group(group))
        if not used & TILE_ACTION:
            best = max(best, self.best_tile(tile) if tile >= 0 else self.tile_later())
        return best

    def tile_later(self) -> float:
        """The best score of a tile on the board as it was seen."""
        if self.later is None:
            self.later = self.best_tile()
        return self.later

    def choked(self) -> float:
        """How much the few places left on the board count, while there is time to play."""
        if not self.turns_left:
            return 0.0
        fitting = (p for p in self.board.rim.values() if p & BONDED and WAYS[p][0] & self.unplayed)
        live = sum(1 for _ in islice(fitting, LIVE))
        return (LEADING if self.leads else CHOKED) * (LIVE - live)

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
    free = seen.pending is not None or free_tile(seen)
    board.lay(cell, SHAPE_OF[move.what][move.turn])
    after = view.promise()
    value = points + view.share() * (after - promise)
    value += view.then("tile", tile=move.what) + view.tight - view.choked()
    board.lift(cell)
    return value + 0.3 * free


def _group(view: _View, move: Move, _promise: float) -> float:
    """The card's points, less what it would still be worth in hand; a useless card may go for a fresh one."""
    points = view.worth(move.what).total
    value = float(points)
    if view.turns_left:
        value = points + FRESH if points else CYCLE
    value -= view.share() * points
    return value + view.then("group", group=move.what)


def _reveal(view: _View, _move: Move, _promise: float) -> float:
    return REVEAL + view.then("reveal")


def _forfeit(view: _View, _move: Move, promise: float) -> float:
    """Only for a hand and pool that are good for nothing."""
    return -1.0 + (2.0 if not promise and view.turns_left > 1 else 0.0) - 1.2


def _nothing(view: _View, move: Move, _promise: float) -> float:
    return view.then(move.verb)


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
