"""Round scores, and how a match ends (docs/rules/chemistry.md, sections 3.6, 3.7 and 4.6)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress, repeat

from engine.chemistry.deck import KINDS, WILD
from engine.chemistry.moves import RUN
from engine.game import Outcome, Standing

TARGET = 250
COMPOUND, RUN_CARD, ELEMENT_LEFT, WILD_LEFT = 25, 10, -1, -5

_KINDS = tuple(range(KINDS))


def cards_of(hand: bytearray) -> tuple[int, ...]:
    """Return the cards of a hand, ascending."""
    return tuple(chain.from_iterable(map(repeat, compress(_KINDS, hand), filter(None, hand))))


def points(compounds: int, runs: int, hand: bytearray, size: int) -> int:
    """Return a seat's points for captures and runs minus the cost of its hand; may be negative."""
    wilds = hand[WILD]
    board = COMPOUND * compounds + RUN_CARD * RUN * runs
    return board + ELEMENT_LEFT * (size - wilds) + WILD_LEFT * wilds


def cost_of(hand: bytearray) -> int:
    """Return the penalty for the cards left in a hand at the end of a round."""
    return -points(0, 0, hand, sum(hand))


def outcome(totals: Sequence[int], played: int, rounds: int) -> Outcome:
    """Return the outcome of a match after `played` of at most `rounds` rounds. Equal totals share a rank.

    A solo player loses by missing the target in the last round; a single-round match cannot be lost.
    """
    reason = "one_round" if rounds == 1 else "target" if max(totals) >= TARGET else "last_round"
    if len(totals) == 1 and reason == "last_round":
        reason = "target_missed"
    standings = tuple(Standing(1 + sum(other > own for other in totals), float(own)) for own in totals)
    return Outcome(
        standings,
        reason,
        {"totals": list(totals), "rounds": played, "target": TARGET},
        won=reason != "target_missed" if len(totals) == 1 else None,
    )
