"""The slots of tables: places in their messages to which features add controls or lines."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, NamedTuple

from bot.ui.slots import Slot

if TYPE_CHECKING:
    from bot.features.table.hand.seat_view import SeatView
    from bot.table.table import Table
    from bot.ui.components import Control, Message
    from bot.ui.context import Answer


class RulesOfGame(NamedTuple):
    """The rules of a game or a table, for a reader who is `playing` there or not."""

    game: str
    table: Table | None
    playing: bool


class FirstHand(NamedTuple):
    """An answer that shows a person's first hand at a table."""

    answer: Answer
    table: Table


class Trouble(NamedTuple):
    """A table that may have a problem, with the error code or an empty string."""

    table: Table
    code: str = ""


QUESTION: Slot[SeatView, Control] = Slot("question")
"""Controls next to the answers in a hand, also while the table is paused."""
HAND: Slot[SeatView, Control] = Slot("hand")
"""Controls in a hand, also while others must act."""
HAND_ONLY: Slot[Table, Control] = Slot("hand only")
"""Controls in the hand of a table that has no message."""
HAND_END: Slot[SeatView, Control] = Slot("end of a hand")
BOARD: Slot[Table, Control] = Slot("board")
"""Controls below the message of a table."""
END: Slot[Table, Control] = Slot("end of a table")
"""Controls below the message of a table that is over."""
END_PICTURE: Slot[Table, Control] = Slot("picture of the end")
"""Controls below the private picture of the end of a game."""
LOBBY: Slot[Table, Control] = Slot("lobby")
NEXT_GAME: Slot[Table, Control] = Slot("next game")
"""Controls below the last page about a finished game."""
REVIEW: Slot[Table, Control] = Slot("review")
REPLAY_END: Slot[Table, Control] = Slot("end of a replay")
TROUBLE: Slot[Trouble, Control] = Slot("trouble")
"""Controls below an error, a log or an explanation."""
RULES: Slot[RulesOfGame, Control] = Slot("rules")
SPECIAL_LOBBY: Slot[Table, Message] = Slot("special lobby")
"""The replacement for the usual lobby."""
CLOSED: Slot[Table, str] = Slot("closed")
"""The reason why a table closed before its game was over."""
RESULT: Slot[Table, str] = Slot("result")
"""The effect of a game's end elsewhere, as in a tournament."""
END_NOTE: Slot[Table, str] = Slot("end note")
"""The line below everything else at the end of a game."""
GREETING: Slot[FirstHand, Awaitable[str]] = Slot("greeting")
"""The line above the first hand of a game, which may be empty."""
