"""Which card to call with five players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.atom.cards import ORDER, by_rank, total
from engine.atom.moves import Move
from engine.atom.observation import Observation

HELD: Final = 0.5
"""What each card of the rank in the own hand takes off, in ranks."""


def calls(seen: Observation, actions: Sequence[Move]) -> list[float]:
    """How good each call is: the higher the card the stronger are those who hold two of it, and the fewer of
    its rank the caller holds the more of them are left for partners."""
    hand = by_rank(card for card, many in enumerate(seen.hand) for _ in range(many))
    return [ORDER.index(rank) - HELD * total(hand[rank]) for rank in (move.cards[0] >> 2 for move in actions)]
