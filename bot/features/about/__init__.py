"""Help, credits, and the welcome message in a new server."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.about import command
    from bot.features.about.welcome import Welcome
    from bot.ui.features import Feature

    return Feature(
        services=(Welcome,),
        add_commands=(command.add,),
        handlers=(command.handlers,),
    )
