"""Settings of people, channels and servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.settings import command, handlers, messages, server_handlers
    from bot.features.settings.deleted_things import DeletedThings
    from bot.ui import slots
    from bot.ui.features import Feature

    return Feature(
        services=(DeletedThings,),
        add_commands=(command.add,),
        handlers=(handlers.handlers, server_handlers.handlers),
        forms=(handlers.forms, server_handlers.forms),
        slots=(
            slots.HELP.at(30, messages.settings_button),
            slots.BLOCKED.at(10, messages.back_button),
        ),
    )
