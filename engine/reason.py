"""Reasons for a decision that a person can see on the table: patterns and happenings.

A *pattern* is a fact about one decision that follows from what the player sees: it captures a card, it keeps
a bomb, nothing in the hand beats the table. A *happening* is something a decision often leads to in sampled
games: a certain card wins a trick later. A game declares both, and the presenter has a sentence for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

SHARE: Final = 0.1
"""Smallest difference between the frequencies of a happening that is worth mentioning."""


class Reason(msgspec.Struct, frozen=True):
    """An argument for a decision: a key of `Game.reasons`, and the facts that its sentence names."""

    key: str
    facts: dict[str, Any] = {}
    against: bool = False
    """Whether it speaks against the other decision instead."""


@dataclass(frozen=True, slots=True)
class MovePattern:
    """A fact about a decision that can be seen on the table.

    `find(observation, action)` returns the facts of the sentence if the pattern holds, else None. It depends
    only on what the observer knows. If both decisions show it, `by` names the fact that must be larger for
    one to have the advantage; without it they are equal in this respect. A pattern that `warns` speaks
    against a decision, so it is a reason for any other.
    """

    key: str
    find: Callable[[Any, Any], Mapping[str, Any] | None]
    by: str = ""
    warns: bool = False

    def reason(self, observation: Any, action: Any) -> Reason | None:
        """Return the pattern as a reason, or None if it does not hold."""
        found = self.find(observation, action)
        return None if found is None else Reason(self.key, dict(found), self.warns)

    def between(self, observation: Any, better: Any, other: Any) -> Reason | None:
        """Return the pattern if it distinguishes the better decision from the other in its favour."""
        mine, yours = (better, other) if not self.warns else (other, better)
        found, beside = self.reason(observation, mine), self.reason(observation, yours)
        if found is None or beside is None:
            return found
        return found if self.by and found.facts[self.by] > beside.facts[self.by] else None


class Happening(NamedTuple):
    """Something that happened in a sampled game after a decision.

    `key` is a key of `Game.reasons`. `about` is its fact of that name, such as a card or a lane. `good` says
    whether the player likes it; the sentence of one that is not good says that it is avoided.
    """

    key: str
    about: int = -1
    good: bool = True

    def reason(self) -> Reason:
        """Return it as a reason, without a fact if it is about nothing in particular."""
        return Reason(self.key, {} if self.about < 0 else {"about": self.about})


Happenings: TypeAlias = Callable[[Sequence[Any], int], Iterable[Happening]]
"""`(events, seat)`: what happened in a sampled game from a seat's decision on, in the words of reasons."""


def pattern_for(patterns: Iterable[MovePattern], observation: Any, action: Any) -> Reason | None:
    """Return the first pattern that holds for a decision, compared with nothing else.

    Warnings do not count.
    """
    found = (each.reason(observation, action) for each in patterns if not each.warns)
    return next(filter(None, found), None)


def pattern_between(
    patterns: Iterable[MovePattern], observation: Any, better: Any, other: Any
) -> Reason | None:
    """Return the first pattern that distinguishes one decision from another in its favour."""
    return next(filter(None, (each.between(observation, better, other) for each in patterns)), None)
