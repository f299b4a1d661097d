"""The last round of level 7: rows sealed in secret, cards that flip together.

Source: docs/rules/atom_duel.md, decision 35.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.atom_duel import powers
from engine.game import Event, Seat

if TYPE_CHECKING:
    from engine.atom_duel.moves import Move
    from engine.atom_duel.state import AtomDuelState


def seal(state: AtomDuelState, seat: Seat, move: Move) -> None:
    """Put the next card into a row; when all rows are complete the first hand flips."""
    row = state.sealed[seat]
    row.append((move.card, move.power))
    if state.events is not None:
        secret = {"card": move.card, "power": move.power, "position": len(row)}
        state.events.append(Event("seal", seat, {}, secret, (seat,), public=False))
    if state.to_act():
        return
    state.lay([[card for card, _ in order] for order in state.sealed])
    state.announced = {card: power for order in state.sealed for card, power in order if power}
    state.begin()
    state.tell("rows_sealed", -1)
    flip_all(state)


def flip_all(state: AtomDuelState) -> None:
    """All leftmost cards flip together; then the instant powers work in virtual order."""
    for seat in [*range(state.leader, state.seats), *range(state.leader)]:
        if not state.counts[seat]:
            continue
        row = state.rows[seat]
        slot = next(slot for slot, card in enumerate(row) if card)
        card = row[slot]
        state.draw(seat, slot, card)
        power = state.announced.pop(card, "")
        used = state.put(seat, card, power)
        state.tell("play", seat, card=card, power=used)
        if used in powers.INSTANT:
            state.queue.append((seat, used))
    work_off(state)


def work_off(state: AtomDuelState) -> None:
    """Let the instant powers of the flipped cards work, up to the next choice or the end of the hand."""
    while state.queue:
        seat, used = state.queue.pop(0)
        state.turn = seat
        powers.INSTANT[used](state, seat)
        if state.pending is not None:
            return
    state.finish_hand()
