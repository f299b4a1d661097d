"""**Try the picture again**: paint the pictures of an answer that had to go out in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.pictures import handlers
    from bot.ui import slots
    from bot.ui.features import Feature

    return Feature(
        handlers=(handlers.handlers,),
        slots=(slots.RETRY.at(10, handlers.retry_id),),
    )
