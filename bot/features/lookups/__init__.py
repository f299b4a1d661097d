"""Looking up cards, elements and rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.lookups import command, elements_handlers, handlers, rules_handlers
    from bot.ui.features import Feature

    return Feature(
        services=(handlers.CardNames,),
        add_commands=(command.add,),
        handlers=(elements_handlers.handlers, handlers.handlers, rules_handlers.handlers),
        shares={"card": handlers.share_card_page, "rules": rules_handlers.share_rules},
    )
