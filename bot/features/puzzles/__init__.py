"""Puzzles: positions in which one move is best."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.puzzles import command, handlers, messages
    from bot.ui import slots
    from bot.ui.features import Feature

    return Feature(
        add_commands=(command.add,),
        handlers=(handlers.handlers,),
        slots=(slots.LESSONS.at(10, messages.puzzles_button),),
    )
