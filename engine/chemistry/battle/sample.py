"""Samples that a seat of Chemistry Battle cannot tell from the real position."""

from __future__ import annotations

import random

from engine.chemistry.battle.rounds import HIDDEN, Observation
from engine.chemistry.battle.state import BattleState
from engine.chemistry.deck import BASIC


def sample(seen: Observation, rng: random.Random) -> BattleState:
    """Return a position in which the unseen cards are dealt at random to the other hands and the kitty."""
    state = BattleState(seen.seats, blind=seen.blind)
    state.restore(seen)
    known = {*seen.hand, *seen.plays, *(card for pile in seen.piles for card in pile)}
    unseen = [card for card in BASIC if card not in known]
    rng.shuffle(unseen)
    for hand, size in enumerate(seen.sizes):
        own = list(seen.hand) if hand == seen.viewer else []
        state.hands.append(own + [unseen.pop() for _ in range(size - len(own))])
    # the remaining cards are the kitty, on the table or in the pile of the first round's winner
    state.kitty = unseen
    kitty = list(unseen)
    state.piles = [[kitty.pop(0) if card == HIDDEN else card for card in pile] for pile in seen.piles]
    return state
