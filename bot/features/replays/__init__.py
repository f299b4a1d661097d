"""Replays of finished games, alone or led by one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.replays import command, handlers, shared_handlers
    from bot.ui.features import Feature

    return Feature(
        add_commands=(command.add,),
        handlers=(handlers.handlers, shared_handlers.handlers),
    )
