"""The last round of level 7: rows sealed in secret, cards that flip together.

Source: docs/rules/atom_duel.md, decision 35.
"""

from __future__ import annotations

from engine.atom_duel import powers
from engine.atom_duel.moves import CLOCKWISE, Move
from engine.atom_duel.position import Position
from engine.game import Event, Seat


def seal(state: Position, seat: Seat, move: Move) -> bool:
    """Put the next card into a row; whether all rows are complete now, so that the first hand flips."""
    row = state.sealed[seat]
    row.append((move.card, move.power))
    if state.events is not None:
        secret = {"card": move.card, "power": move.power, "position": len(row)}
        state.events.append(Event("seal", seat, {}, secret, (seat,), public=False))
    if len(row) < state.counts[seat] or state.to_act():
        return False
    state.lay([[card for card, _ in order] for order in state.sealed])
    state.announced = {card: power for order in state.sealed for card, power in order if power}
    state.begin()
    state.tell("rows_sealed", -1)
    return True


def flip_all(state: Position) -> None:
    """All leftmost cards flip together; their instant powers queue in virtual order."""
    counts, rows, announced = state.counts, state.rows, state.announced
    for seat in CLOCKWISE[state.seats][state.leader]:
        if not counts[seat]:
            continue
        row = rows[seat]
        slot = 0
        while not row[slot]:
            slot += 1
        card = row[slot]
        used = state.put(seat, card, announced.pop(card, "") if announced else "", slot)
        if state.events is not None:
            state.tell("play", seat, card=card, power=used)
        if used in powers.INSTANT:
            state.queue.append((seat, used))


def work_off(state: Position) -> bool:
    """Let the instant powers of the flipped cards work, up to the next choice; whether all have worked."""
    while state.queue:
        seat, used = state.queue.pop(0)
        state.turn = seat
        powers.INSTANT[used](state, seat)
        if state.pending is not None:
            return False
    return True
