"""Show here: post a private answer to the channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.sharing import handlers
    from bot.ui import slots
    from bot.ui.features import Feature

    return Feature(
        handlers=(handlers.handlers,),
        slots=(slots.SHARE.at(10, handlers.share_control),),
    )
