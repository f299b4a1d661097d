"""Open tables, leaderboards and statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.stats import command, handlers
    from bot.ui.features import Feature

    return Feature(
        add_commands=(command.add,),
        handlers=(handlers.handlers,),
        shares={"board": handlers.share_board, "stats": handlers.share_stats},
    )
