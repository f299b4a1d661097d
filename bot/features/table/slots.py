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
    """The rules of a game, or of a table, as someone reads them who is `playing` there or not."""

    game: str
    table: Table | None
    playing: bool


class FirstHand(NamedTuple):
    """The answer that shows someone their first hand at a table."""

    answer: Answer
    table: Table


class Trouble(NamedTuple):
    """A table at which something may be wrong, and the code of the error or an empty string."""

    table: Table
    code: str = ""


QUESTION: Slot[SeatView, Control] = Slot("question")
"""Next to the answers to the question of a hand, also while the table pauses."""
HAND: Slot[SeatView, Control] = Slot("hand")
"""In a hand, also while others are to act."""
HAND_ONLY: Slot[Table, Control] = Slot("hand only")
"""In the hand of a table that has no message."""
HAND_END: Slot[SeatView, Control] = Slot("end of a hand")
BOARD: Slot[Table, Control] = Slot("board")
"""Below the message of a table."""
END: Slot[Table, Control] = Slot("end of a table")
"""Below the message of a table that is over."""
END_PICTURE: Slot[Table, Control] = Slot("picture of the end")
"""Below the private picture of the end of a game."""
LOBBY: Slot[Table, Control] = Slot("lobby")
NEXT_GAME: Slot[Table, Control] = Slot("next game")
"""Below the last page about a finished game."""
REVIEW: Slot[Table, Control] = Slot("review")
REPLAY_END: Slot[Table, Control] = Slot("end of a replay")
TROUBLE: Slot[Trouble, Control] = Slot("trouble")
"""Below an error, a log or an explanation."""
RULES: Slot[RulesOfGame, Control] = Slot("rules")
SPECIAL_LOBBY: Slot[Table, Message] = Slot("special lobby")
"""In the place of the usual lobby."""
CLOSED: Slot[Table, str] = Slot("closed")
"""Why a table closed before its game was over."""
RESULT: Slot[Table, str] = Slot("result")
"""What the end of a game decides elsewhere, as in a tournament."""
END_NOTE: Slot[Table, str] = Slot("end note")
"""Below everything else at the end of a game."""
GREETING: Slot[FirstHand, Awaitable[str]] = Slot("greeting")
"""Above the first hand of a game; the line may be empty."""
