"""The cards that have just come into a hand, for its picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def newly_held(held: Iterable[int], gained: Iterable[int]) -> Counter[int]:
    """Return how many of each held card are new.

    A hand that is entirely new has none: a mark on every card would say nothing.

    >>> newly_held([1, 1, 7], [1, 5]), newly_held([3, 4], [3, 4])
    (Counter({1: 1}), Counter())
    """
    have = Counter(held)
    found = have & Counter(gained)
    return Counter() if found == have else found
