"""The top of a shuffled pile, without the price of shuffling all of it.

`engine.fair` fixes the last place of a shuffle first. So with the pile turned over, its last card on top,
the first cards are final after as many steps. Most rounds turn up a dozen of 48 compounds.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.fair import Stream


def top_of(key: bytes, label: str, cards: Sequence[int], count: int) -> list[int]:
    """The first `count` cards of the pile: with all of them the reverse of `engine.fair.shuffled`."""
    out = Stream(key, label).shuffle(cards, settled=count)
    out.reverse()
    return out[:count]
