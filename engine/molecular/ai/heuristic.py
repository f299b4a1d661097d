"""An opponent that takes the best immediate score, with an eye on when its group cards will be ripe.

The value of a move is its points plus the change in the *promise* of the hand: what the cards would score,
reduced if the game leaves little time to play them. So it prefers a tile that completes a group for a card in
hand, plays a card when it is ripe, and cycles a useless card if it has nothing better to do. Its only input
is an observation.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.ai.choosers import Best
from engine.molecular import groups
from engine.molecular.ai.outlook import Outlook
from engine.molecular.board import cell_of
from engine.molecular.cards import BASE, BOX, SHAPE_OF
from engine.molecular.moves import ACTIONS, GROUP_ACTION, REVEAL_ACTION, TILE_ACTION, Move
from engine.molecular.observation import Observation
from engine.molecular.turns import AUDIT, free_tile

REVEAL = 0.7
"""Mean value of the top effector, in points."""
CYCLE = 0.7
"""Value of replacing a useless card with a new one while turns are left."""
FRESH = 0.4
"""Value of the card drawn to replace a played one."""
EXPOSED = 0.25
"""Share of the best place left open for the next player that is subtracted from a turn's value."""


def scores(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    """Return the value of each move in points."""
    return rated(Outlook.seen(seen), actions)


heuristic: Final = Best(scores)
"""The opponent that plays the move with the best score."""


def rated(view: Outlook, actions: Sequence[Move]) -> list[float]:
    """Return the same scores for a position that has already been analysed."""
    return [_SCORERS[move.verb](view, move) for move in actions]


def ends_turn(view: Outlook, verb: str) -> bool:
    """Return whether a move with this verb uses up the last action of the turn."""
    turn = view.turn
    free = turn.pending is not None or (verb == "tile" and free_tile(turn))
    return turn.actions - (not free) < 1


def then(view: Outlook, verb: str, *, group: int = -1) -> float:
    """Return the value of what follows a move that leaves the board unchanged.

    After the last action that is minus a share of what the next player finds open. Before, it is the best
    next action of this turn without this card.
    """
    if ends_turn(view, verb):
        return -EXPOSED * view.exposed() if view.turn.seats > 1 else 0.0
    return _next(view, verb, view.best_group(group), view.best_tile)


def _next(view: Outlook, verb: str, card: float, tile: Callable[[], float]) -> float:
    """Return the value of the best next action of this turn: an effector, a card or a tile."""
    turn = view.turn
    free = turn.pending is not None or (verb == "tile" and free_tile(turn))
    used = 0 if AUDIT not in turn.actives else turn.used | (0 if free else ACTIONS.get(verb, 0))
    best = 0.0 if used & REVEAL_ACTION else REVEAL
    if not used & GROUP_ACTION:
        best = max(best, card)
    if not used & TILE_ACTION:
        best = max(best, tile())
    return best


def _tile(view: Outlook, move: Move) -> float:
    """Return the points now, plus what the tile does for the hand and what it opens up.

    An opening counts in favour if the seat has a second action, else it is the next player's.
    """
    turn, kind = view.turn, move.what
    cell, shape = cell_of(move.q, move.r), SHAPE_OF[kind][move.turn]
    value = gain(view, cell, kind)
    if ends_turn(view, "tile"):
        follows = -EXPOSED * view.exposed_after(cell, shape) if turn.seats > 1 else 0.0
    else:
        card = (1 - view.share) * view.after(cell, shape).best
        follows = _next(view, "tile", card, lambda: view.best_tile_after(cell, shape, kind))
    value += follows + view.choked() - view.choked_after(cell, shape)
    return value + 0.3 * (turn.pending is not None or free_tile(turn))


def gain(view: Outlook, cell: int, kind: int) -> float:
    """Return the points of a tile and its effect on the hand, which are the same for every rotation."""
    promise = view.after(cell, SHAPE_OF[kind][0]).promise
    return view.tile_points(cell, kind) + view.share * (promise - view.promise)


def _group(view: Outlook, move: Move) -> float:
    """Return the card's points less its value if kept; a useless card may be cycled for a new one."""
    points = view.points(move.what)
    value = float(points)
    if view.turns_left:
        value = points + FRESH if points else CYCLE
    value -= view.share * points
    return value + then(view, "group", group=move.what)


def _reveal(view: Outlook, _move: Move) -> float:
    return REVEAL + then(view, "reveal")


def _forfeit(view: Outlook, _move: Move) -> float:
    """Return the value of a forfeit, which only pays if hand and pool are useless."""
    return -1.0 + (2.0 if not view.promise and view.turns_left > 1 else 0.0) - 1.2


def _nothing(view: Outlook, move: Move) -> float:
    return then(view, move.verb)


def _spill(view: Outlook, move: Move) -> float:
    """Return the change to the seat's own promise, ignoring the harm to others."""
    board, cell = view.board, cell_of(move.q, move.r)
    shape = board.lift(cell)
    change = sum(view.points(group, groups.count(board, group)) for group in view.hand) - view.promise
    board.lay(cell, shape)
    return change


def _clear(view: Outlook, move: Move) -> float:
    own = view.hand.count(move.what)
    return view.turn.counters[move.what] * (1.0 if own else 0.1)


def _rival(view: Outlook, move: Move) -> float:
    """Return where others are likely to score next: common cards with examples, except those in the seat's
    own hand."""
    if move.what in view.hand:
        return -1.0
    return view.points(move.what) * BOX.groups[move.what].copies


def _poach(view: Outlook, move: Move) -> float:
    return float(view.turn.scores[move.what])


def _give(view: Outlook, move: Move) -> float:
    return -(view.points(move.what) + 0.1 * BASE[move.what])


_SCORERS: Mapping[str, Callable[[Outlook, Move], float]] = {
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
