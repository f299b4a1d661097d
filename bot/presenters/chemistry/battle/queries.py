"""What of an observation is asked beside the pictures."""

from __future__ import annotations

from engine.chemistry.battle.rounds import Observation


def in_view(seen: Observation) -> tuple[str, ...]:
    """The cards of the round on the table, or of the last one, then those that are held."""
    played = seen.plays or (seen.last.cards if seen.last else ())
    return tuple(dict.fromkeys(f"z{card}" for card in (*played, *sorted(seen.hand, reverse=True)) if card))


def sizes(seen: Observation) -> list[tuple[int, ...]]:
    """How many cards each hand had, from the last card played from a hand to the end."""
    counts = [list(map(len, seen.before))]
    for one in seen.finale:
        after = [size - 1 for size in counts[-1]]
        after[one.winner] += len(one.cards)
        counts.append(after)
    return [tuple(one) for one in counts]
