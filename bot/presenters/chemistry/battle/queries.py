"""What of an observation is asked beside the pictures."""

from __future__ import annotations

from engine.chemistry.battle.rounds import Observation


def in_view(seen: Observation) -> tuple[str, ...]:
    """The cards of the round on the table, or of the last one, then those that are held."""
    played = seen.plays or (seen.last.cards if seen.last else ())
    return tuple(dict.fromkeys(f"z{card}" for card in (*played, *sorted(seen.hand, reverse=True)) if card))
