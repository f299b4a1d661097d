"""Looking for people to play."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.seek import command, games_handlers, handlers, server_settings
    from bot.ui.features import Feature

    return Feature(
        add_commands=(command.add,),
        handlers=(games_handlers.handlers, handlers.handlers, server_settings.handlers),
        server_lines=(server_settings.role_lines,),
    )
