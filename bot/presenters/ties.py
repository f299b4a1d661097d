"""What told those apart whose scores were equal."""

from __future__ import annotations

from engine.game import Outcome, Seat


def decided(outcome: Outcome) -> tuple[Seat, Seat, int]:
    """Of winners who were level with the next one: the first of them, that next one, and the first place in
    the tie-break at which they differ."""
    seats = range(len(outcome.standings))
    first, winners = outcome.winners()[0], outcome.winners()
    follows = min((s for s in seats if s not in winners), key=lambda seat: outcome.standings[seat].rank)
    pairs = zip(outcome.tiebreak[first], outcome.tiebreak[follows], strict=True)
    return first, follows, next(place for place, (own, other) in enumerate(pairs) if own != other)
