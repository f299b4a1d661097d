"""Opening a table: /play, the start screen, and the options of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.play import command, handlers, options_handlers
    from bot.ui.features import Feature

    return Feature(
        add_commands=(command.add,),
        handlers=(handlers.handlers, options_handlers.handlers),
        forms=(options_handlers.forms,),
    )
