"""Slots: places in messages to which features add controls or lines.

A message asks its slot for them. A feature names the slot in `Feature.slots`, so that no other code needs to
know its verbs, and what it adds is gone if its folder is deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from bot.ui.feature_loader import load

if TYPE_CHECKING:
    from bot.locales import Words
    from bot.ui.components import Control

T = TypeVar("T")
R = TypeVar("R")


class Contribution(NamedTuple):
    """A control or line that a feature adds to the slot of another message."""

    slot: Slot[Any, Any]
    order: int
    make: Callable[[Words, Any], object]


@dataclass(frozen=True)
class Slot(Generic[T, R]):
    """A place in messages about a thing of type `T`. Features add items of type `R` to it."""

    name: str

    def at(self, order: int, make: Callable[[Words, T], R | None]) -> Contribution:
        """Return a contribution to this slot. The items with a lower `order` come first.

        `make` returns the item for a thing, or None or an empty string for things to which it does not apply.
        """
        return Contribution(self, order, make)

    def items(self, say: Words, thing: T) -> list[R]:
        """Return what the features add for a thing, in order."""
        return [item for _, item in sorted(self._made(say, thing), key=_by_order)]

    def controls(
        self: Slot[T, Control], say: Words, thing: T, own: Iterable[tuple[int, Control]] = ()
    ) -> list[Control]:
        """Return the controls of all features for a thing, among those that the message has itself."""
        return [control for _, control in sorted([*own, *self._made(say, thing)], key=_by_order)]

    def _made(self, say: Words, thing: T) -> list[tuple[int, R]]:
        made = ((each.order, each.make(say, thing)) for each in _contributions(self))
        return [(order, cast("R", item)) for order, item in made if item]


def _by_order(item: tuple[int, object]) -> int:
    return item[0]


@cache
def _contributions(slot: Slot[Any, Any]) -> tuple[Contribution, ...]:
    return tuple(each for feature in load().values() for each in feature.slots if each.slot == slot)


AFTER_LESSON: Slot[str, Control] = Slot("after a lesson")
"""After a lesson of this game."""
AFTER_PUZZLE: Slot[str, Control] = Slot("after a puzzle")
"""After a puzzle of this game."""
LESSONS: Slot[None, Control] = Slot("lessons")
"""Below the list of all lessons."""
EMPTY_BOARD: Slot[None, Control] = Slot("empty board")
"""Below a leaderboard or statistics without a game."""
HELP: Slot[None, Control] = Slot("help")
WELCOME: Slot[None, Control] = Slot("welcome")
ABOUT: Slot[None, Control] = Slot("about")
SHARE: Slot[tuple[object, ...], Control] = Slot("share")
"""Below an answer that everyone can be shown: its name in `Feature.shares`, and its arguments."""
SETTINGS: Slot[None, Control] = Slot("settings")
"""Below the settings of a person."""
RETRY: Slot[tuple[int, int], str] = Slot("retry")
"""The custom id of **Try the picture again**, by interaction and number of the answer."""
BLOCKED: Slot[None, Control] = Slot("blocked")
"""Below the list of people whom a person blocked."""
