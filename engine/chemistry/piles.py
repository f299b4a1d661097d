"""The top of a shuffled pile, without the cost of a full shuffle.

`engine.fair` fixes the last place of a shuffle first. With the pile turned over, so that its last card is on
top, the first n cards are final after n steps. Most rounds turn up a dozen of 48 compounds.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.fair import Stream


def top_of(key: bytes, label: str, cards: Sequence[int], count: int) -> list[int]:
    """Return the first `count` cards of the pile; all of them are the reverse of `engine.fair.shuffled`."""
    out = Stream(key, label).shuffle(cards, settled=count)
    out.reverse()
    return out[:count]
