"""The mechanics of a play: drawing, laying and scoring tiles and group cards.

Source: docs/rules/molecular.md, sections 2 to 4.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Event, Seat
from engine.molecular.board import cell_of
from engine.molecular.cards import SHAPE_KIND, SHAPE_OF
from engine.molecular.hidden_pieces import PUBLIC, entry
from engine.molecular.moves import Move
from engine.molecular.observation import Scored
from engine.molecular.position import HAND, POOL, Position
from engine.molecular.scoring import tile_score


def draw_tiles(state: Position, seat: Seat, most: int) -> None:
    """Draw up to `most` tiles, fewer if the supply is short."""
    tiles = state.tiles
    drawn = [tiles.draw(seat) for _ in range(min(most, len(tiles.pile)))]
    if drawn and state.events is not None:
        facts = {"what": "tiles", "count": len(drawn)}
        state.events.append(Event("drew", seat, facts, {"kinds": drawn}, (seat,)))


def _draw_cards(state: Position, seat: Seat, most: int) -> None:
    """Draw up to `most` group cards. An empty deck is first rebuilt from the discard pile."""
    drawn: list[int] = []
    cards = state.cards
    for _ in range(most):
        if not cards.pile:
            if not state.used_cards:
                break
            gone, state.used_cards = state.used_cards, []
            cards.mix_in(PUBLIC, [entry(group, 0) for group in gone], state.mixer("groups"))
            state.tell("groups_shuffled", -1, count=len(gone))
        drawn.append(cards.draw(seat))
    if drawn and state.events is not None:
        facts = {"what": "groups", "count": len(drawn)}
        state.events.append(Event("drew", seat, facts, {"kinds": drawn}, (seat,)))


def refill(state: Position, seat: Seat) -> None:
    """Draw up to the pool size and the hand limit. A larger pool or hand is kept."""
    size, limit = (state.pool_size(), state.hand_limit()) if state.actives else (POOL, HAND)
    missing = size - len(state.tiles.held[seat])
    if missing > 0:
        draw_tiles(state, seat, missing)
    missing = limit - len(state.cards.held[seat])
    if missing > 0:
        _draw_cards(state, seat, missing)


def lift(state: Position, cells: Sequence[int]) -> None:
    """Return tiles from the board to the supply in view of everyone, and mix it. Scores do not change."""
    pieces = [entry(SHAPE_KIND[state.board.lift(cell)], 0) for cell in cells]
    for piece in pieces:
        state.left[piece] += 1
        state.unplayed |= 1 << piece
    state.tiles.mix_in(PUBLIC, pieces, state.mixer("tiles"))
    state.counts.clear()
    if state.last_cell in cells:
        state.last_cell = -1


def play_tile(state: Position, seat: Seat, move: Move, *, free: bool) -> None:
    """Lay a tile on the board and score it."""
    _, kind, q, r, turn = move
    cell = cell_of(q, r)
    board, tiles = state.board, state.tiles
    score = tile_score(board, cell, kind, state.actives, state.reagent, per_edge=state.rules.per_edge)
    piece = tiles.take(seat, kind, state.chance)
    if tiles.marked:
        tiles.show(piece, seat)
    board.lay(cell, SHAPE_OF[kind][turn])
    state.left[kind] -= 1
    if not state.left[kind]:
        state.unplayed &= ~(1 << kind)
    state.counts.clear()
    state.last_cell = cell
    points = score.total
    state.scores[seat] += points
    state.last = Scored("tile", seat, kind, score, points)
    if state.events is not None:
        facts = {"kind": kind, "q": q, "r": r, "turn": turn, "points": points}
        state.tell("tile", seat, **facts, free=free, score=list(score), total=state.scores[seat])


def play_group(state: Position, seat: Seat, group: int) -> None:
    """Discard a group card and score it. If the molecule has an example, put a counter on the group."""
    score = state.worth(group)
    piece = state.cards.take(seat, group, state.chance)
    state.cards.show(piece, seat)
    state.used_cards.append(group)
    points = score.total
    state.scores[seat] += points
    if score.examples:
        state.counters[group] += 1
    state.last = Scored("group", seat, group, score, points)
    if state.events is not None:
        facts = {"group": group, "points": points, "score": list(score), "total": state.scores[seat]}
        state.tell("group", seat, **facts)
