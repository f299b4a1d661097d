"""Tables as people see and play them: lobby, board and hand.

Other features may use the names below, the slots for controls in `slots`, and the permissions in `rights`.
The modules themselves may change (`.importlinter`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.table.board import TABLE_PICTURE, lines_of, recent_lines, turn_words
from bot.features.table.board_handlers import viewer_of
from bot.features.table.closing import absence_lines, counts_for_leaver
from bot.features.table.current_game import game_here, games_here
from bot.features.table.hand.borrowed_hand import borrowed_hand
from bot.features.table.hand.handlers import open_hand, own_seat, show_hand, view_of
from bot.features.table.hand.messages import (
    FEWEST_ROWS,
    HAND_PICTURE,
    TOP_CHOICE,
    ChoiceCursor,
    choice_button,
    hand_button,
    hand_message,
    picking,
)
from bot.features.table.hand.recent_log import MOST_ROWS, shortened
from bot.features.table.hand.seat_view import SeatView
from bot.features.table.lobby.handlers import offer_correction, show_changed
from bot.features.table.lobby.invitations import call_people, expire_if_closed
from bot.features.table.lobby.messages import (
    SOUGHT,
    clock_words,
    come_button,
    fair_line,
    fresh_name,
    join_button,
    option_names,
    options_line,
)
from bot.features.table.lobby.opening import (
    deal_if_complete,
    find_room,
    open_lobby,
    start_and_show,
)
from bot.features.table.lobby.table_defaults import (
    WIDER,
    language_lines,
    opening_form,
    opening_words,
    read_opening,
)
from bot.features.table.names import picture_look, table_url, word_look
from bot.features.table.publishing.publisher import TablePublisher, way_to
from bot.features.table.side_answers import show_side_answer
from bot.features.table.terms import differing, rules_line, rules_named, table_rules, terms_line

if TYPE_CHECKING:
    from bot.ui.app import App
    from bot.ui.features import Feature


__all__ = [
    "FEWEST_ROWS",
    "HAND_PICTURE",
    "MOST_ROWS",
    "SOUGHT",
    "TABLE_PICTURE",
    "TOP_CHOICE",
    "WIDER",
    "ChoiceCursor",
    "SeatView",
    "TablePublisher",
    "absence_lines",
    "borrowed_hand",
    "call_people",
    "choice_button",
    "clock_words",
    "come_button",
    "counts_for_leaver",
    "deal_if_complete",
    "differing",
    "expire_if_closed",
    "fair_line",
    "find_room",
    "fresh_name",
    "game_here",
    "games_here",
    "hand_button",
    "hand_message",
    "join_button",
    "language_lines",
    "lines_of",
    "offer_correction",
    "open_hand",
    "open_lobby",
    "opening_form",
    "opening_words",
    "option_names",
    "options_line",
    "own_seat",
    "picking",
    "picture_look",
    "read_opening",
    "recent_lines",
    "rules_line",
    "rules_named",
    "shortened",
    "show_changed",
    "show_hand",
    "show_side_answer",
    "start_and_show",
    "table_rules",
    "table_url",
    "terms_line",
    "turn_words",
    "view_of",
    "viewer_of",
    "way_to",
    "word_look",
]


def feature() -> Feature:
    """Return everything the bot needs for tables, in the form of a feature."""
    from bot.features.table import board_handlers, consent_handlers, leaving_handlers, status, table_commands
    from bot.features.table.hand import commands as hand_commands
    from bot.features.table.hand import handlers as hand_handlers
    from bot.features.table.lobby import handlers as lobby_handlers
    from bot.features.table.publishing.archived_threads import ArchivedThreads
    from bot.features.table.publishing.deleted_channels import DeletedChannels
    from bot.features.table.publishing.publisher import TablePublisher
    from bot.table.registry import Tables
    from bot.ui.features import Feature
    from bot.ui.outbox import Outbox

    def deleted_channels(app: App) -> DeletedChannels:
        return DeletedChannels(app.service(Tables), app.service(TablePublisher))

    def archived_threads(app: App) -> ArchivedThreads:
        return ArchivedThreads(app.service(Tables), app.service(Outbox))

    def last_asked(_app: App) -> status.LastAsked:
        return status.LastAsked()

    return Feature(
        add_commands=(hand_commands.add, table_commands.add),
        handlers=(
            board_handlers.handlers,
            consent_handlers.handlers,
            hand_commands.handlers,
            hand_handlers.handlers,
            leaving_handlers.handlers,
            lobby_handlers.handlers,
            status.handlers,
        ),
        forms=(hand_handlers.forms, lobby_handlers.forms),
        services=(archived_threads, deleted_channels, last_asked),
    )
