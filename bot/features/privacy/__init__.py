"""What is stored about a person: export and deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.privacy import command, handlers
    from bot.ui import slots
    from bot.ui.features import Feature

    return Feature(
        add_commands=(command.add,),
        handlers=(handlers.handlers,),
        slots=(slots.ABOUT.at(10, handlers.privacy_button),),
    )
