"""Replays of finished games, alone or led by one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.replays import command, handlers, messages, shared_handlers
    from bot.features.table import slots as table_slots
    from bot.ui.features import Feature

    return Feature(
        add_commands=(command.add,),
        handlers=(handlers.handlers, shared_handlers.handlers),
        slots=(
            table_slots.END.at(60, messages.public_replay_button),
            table_slots.HAND_END.at(40, messages.replay_button_in_hand),
            table_slots.END_PICTURE.at(10, messages.public_replay_button),
            table_slots.REVIEW.at(10, messages.replay_button),
        ),
    )
