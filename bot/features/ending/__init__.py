"""The picture of the end of a game, and what a player may learn from the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.ending import handlers
    from bot.features.table import slots as table_slots
    from bot.ui.features import Feature

    return Feature(
        handlers=(handlers.handlers,),
        slots=(
            table_slots.END.at(30, handlers.end_button),
            table_slots.HAND_END.at(20, handlers.end_button_in_hand),
            table_slots.HAND_END.at(30, handlers.moral_button),
            table_slots.REPLAY_END.at(10, handlers.end_button),
        ),
    )
