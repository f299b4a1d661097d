"""People with whom someone does not want to play."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.blocking import command, handlers
    from bot.ui import slots
    from bot.ui.features import Feature

    return Feature(
        add_commands=(command.add,),
        handlers=(handlers.handlers,),
        slots=(slots.SETTINGS.at(20, handlers.list_button),),
    )
