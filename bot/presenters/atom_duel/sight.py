"""What of an observation may be shown, and what lies where."""

from __future__ import annotations

from engine.atom_duel.observation import EMPTY, HandView, Observation, PlayView


def public(seen: Observation, seat: int, slot: int) -> bool:
    """Whether everybody knows the card in this slot: it was shown and has not moved unseen since."""
    return bool(seen.seen) and ((seat, slot),) in seen.seen[-1]


def own(seen: Observation, slot: int) -> int:
    """A card of the observer's row that it may look at: 0 for none and for one that lies face down.

    In the last round Germanium hides the row from its owner, who has ordered it and may remember.
    """
    if seen.viewer is None:
        return 0
    card = seen.rows[seen.viewer][slot]
    if seen.hidden and seen.simultaneous and not public(seen, seen.viewer, slot):
        return 0
    return max(card, 0)


def slots(seen: Observation, seat: int) -> list[int]:
    """The slots of a player that hold a card."""
    return [slot for slot, card in enumerate(seen.rows[seat]) if card != EMPTY]


def finished(seen: Observation) -> HandView | None:
    """The hand that is over and not yet followed by a card: it stays on the table to be looked at."""
    return None if seen.plays or seen.sealing else seen.last_hand


def plays(seen: Observation) -> tuple[PlayView, ...]:
    """The cards in the middle of the table."""
    done = finished(seen)
    return done.plays if done else seen.plays
