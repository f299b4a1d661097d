"""Slots: places in messages to which features contribute controls.

A message asks its slot for the controls. A feature names the slot in `Feature.controls`, so that no other
code needs to know its verbs, and its controls are gone if its folder is deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from bot.ui.feature_loader import load

if TYPE_CHECKING:
    from bot.features.table.hand.seat_view import SeatView
    from bot.locales import Words
    from bot.table.table import Table
    from bot.ui.components import Control

T = TypeVar("T")


class Contribution(NamedTuple):
    """A control of a feature in the slot of another message."""

    slot: Slot[Any]
    order: int
    make: Callable[[Words, Any], Control | None]


@dataclass(frozen=True)
class Slot(Generic[T]):
    """A place for controls in a message about a thing of type `T`."""

    name: str

    def at(self, order: int, make: Callable[[Words, T], Control | None]) -> Contribution:
        """Return a contribution to this slot. The controls with a lower `order` come first.

        `make` returns the control for a thing, or None for things to which it does not apply.
        """
        return Contribution(self, order, make)

    def controls(self, say: Words, thing: T, own: Iterable[tuple[int, Control]] = ()) -> list[Control]:
        """Return the controls of all features for a thing, among those that the message has itself."""
        contributed = ((each.order, each.make(say, thing)) for each in _contributions(self))
        found = [*own, *((order, control) for order, control in contributed if control is not None)]
        return [control for _, control in sorted(found, key=lambda each: each[0])]


@cache
def _contributions(slot: Slot[Any]) -> tuple[Contribution, ...]:
    return tuple(each for feature in load().values() for each in feature.controls if each.slot == slot)


class RulesOfGame(NamedTuple):
    """The rules of a game, or of a table, as someone reads them who is `playing` there or not."""

    game: str
    table: Table | None
    playing: bool


class Trouble(NamedTuple):
    """A table at which something may be wrong, and the code of the error or an empty string."""

    table: Table
    code: str = ""


QUESTION: Slot[SeatView] = Slot("question")
"""Next to the answers to the question of a hand, also while the table pauses."""
HAND: Slot[SeatView] = Slot("hand")
"""In a hand, also while others are to act."""
HAND_ONLY: Slot[Table] = Slot("hand only")
"""In the hand of a table that has no message."""
HAND_END: Slot[SeatView] = Slot("end of a hand")
BOARD: Slot[Table] = Slot("board")
"""Below the message of a table."""
END: Slot[Table] = Slot("end of a table")
"""Below the message of a table that is over."""
END_PICTURE: Slot[Table] = Slot("picture of the end")
"""Below the private picture of the end of a game."""
LOBBY: Slot[Table] = Slot("lobby")
NEXT_GAME: Slot[Table] = Slot("next game")
"""Below the last page about a finished game."""
REVIEW: Slot[Table] = Slot("review")
REPLAY_END: Slot[Table] = Slot("end of a replay")
TROUBLE: Slot[Trouble] = Slot("trouble")
"""Below an error, a log or an explanation."""
RULES: Slot[RulesOfGame] = Slot("rules")
AFTER_LESSON: Slot[str] = Slot("after a lesson")
"""After a lesson of this game."""
AFTER_PUZZLE: Slot[str] = Slot("after a puzzle")
"""After a puzzle of this game."""
LESSONS: Slot[None] = Slot("lessons")
"""Below the list of all lessons."""
EMPTY_BOARD: Slot[None] = Slot("empty board")
"""Below a leaderboard or statistics without a game."""
HELP: Slot[None] = Slot("help")
WELCOME: Slot[None] = Slot("welcome")
ABOUT: Slot[None] = Slot("about")
SHARE: Slot[tuple[object, ...]] = Slot("share")
"""Below an answer that everyone can be shown: its name in `Feature.shares`, and its arguments."""
SETTINGS: Slot[None] = Slot("settings")
"""Below the settings of a person."""
BLOCKED: Slot[None] = Slot("blocked")
"""Below the list of people whom a person blocked."""
