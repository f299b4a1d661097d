"""Reasons for refusing a move, using only what the refused seat may know."""

from __future__ import annotations

from engine.game import IllegalAction, Seat
from engine.molecular.board import BONDED, MIDDLE, OFFSETS, cell_of
from engine.molecular.cards import BOX, EDGES, SHAPE_EDGES, SHAPE_OF
from engine.molecular.moves import ACTIONS, Move, sound
from engine.molecular.observation import Pending
from engine.molecular.position import Position
from engine.molecular.turns import audited


def check(state: Position, seat: Seat, move: Move) -> None:
    """Check a move of a seat that is to act.

    Raises:
        IllegalAction: with the rule that forbids it.
    """
    if not sound(move):
        raise IllegalAction("unknown_action")
    if state.pending is not None:
        _check_answer(state, seat, move, state.pending)
        return
    if move.verb == "pass":
        return
    if move.verb not in (*ACTIONS, "forfeit"):
        raise IllegalAction("not_asked", verb=move.verb)
    if move.verb == "forfeit":
        _check_forfeit(state, seat)
        return
    if not (move.verb == "tile" and state.free_tile):
        _check_action(state, move.verb)
    if move.verb == "tile":
        _check_tile(state, seat, move)
    elif move.verb == "group":
        _check_card(state, seat, move)


def _check_action(state: Position, verb: str) -> None:
    if not state.actions:
        raise IllegalAction("no_actions", free=state.free_tile)
    if audited(state, verb):
        raise IllegalAction("audit", kind=verb)


def _check_forfeit(state: Position, seat: Seat) -> None:
    if state.actions < BOX.meta.actions:
        raise IllegalAction("forfeit_late")
    if state.scores[seat] < 1:
        raise IllegalAction("forfeit_points")


def _check_card(state: Position, seat: Seat, move: Move) -> None:
    if not state.cards.holds(seat, move.what):
        raise IllegalAction("not_in_hand", group=move.what)


def _check_tile(state: Position, seat: Seat, move: Move) -> None:
    board = state.board
    if not state.tiles.holds(seat, move.what):
        raise IllegalAction("not_in_pool", kind=move.what)
    cell = cell_of(move.q, move.r)
    if cell in board.tiles:
        raise IllegalAction("cell_taken", q=move.q, r=move.r)
    pattern = board.rim.get(cell)
    if pattern is None:
        raise IllegalAction("not_beside", q=move.q, r=move.r)
    edges = SHAPE_EDGES[SHAPE_OF[move.what][move.turn]]
    for edge in range(EDGES):
        faces = pattern >> 3 * edge
        if faces & 4 and faces & 3 != edges[edge]:
            other = board.tiles[cell + OFFSETS[edge]]
            raise IllegalAction("edges_differ", edge=edge, own=edges[edge], other=faces & 3, shape=other)
    if not pattern & BONDED:
        raise IllegalAction("no_bond", q=move.q, r=move.r)


def _check_answer(state: Position, seat: Seat, move: Move, pending: Pending) -> None:
    verb = move.verb
    if verb != pending.verb and not (verb == "skip" and pending.verb in ("tile", "group")):
        raise IllegalAction("choose_first", verb=pending.verb, card=pending.card)
    if verb == "tile":
        _check_tile(state, seat, move)
    elif verb in ("group", "give"):
        _check_card(state, seat, move)
    elif verb == "spill":
        _check_spill(state, move)
    elif verb == "clear":
        if not state.counters[move.what]:
            raise IllegalAction("no_counters", group=move.what)
    elif verb == "rival":
        if move.what == pending.chosen:
            raise IllegalAction("same_group", group=move.what)
    elif verb == "poach":
        _check_poach(state, seat, move.what)


def _check_spill(state: Position, move: Move) -> None:
    board, cell = state.board, cell_of(move.q, move.r)
    if cell not in board.tiles:
        raise IllegalAction("no_tile_there", q=move.q, r=move.r)
    if cell == MIDDLE or len(board.bonds[cell]) != 1:
        bonds = len(board.bonds[cell])
        raise IllegalAction("not_an_end", q=move.q, r=move.r, bonds=bonds, start=cell == MIDDLE)


def _check_poach(state: Position, seat: Seat, other: Seat) -> None:
    if other == seat:
        raise IllegalAction("poach_self")
    if other >= state.seats or not state.cards.held[other]:
        raise IllegalAction("poach_empty", seat=other)
