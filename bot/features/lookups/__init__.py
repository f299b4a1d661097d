"""Looking up cards, elements and rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.lookups import command, elements_handlers, handlers, rules_handlers
    from bot.features.table import slots as table_slots
    from bot.ui.features import Feature

    return Feature(
        services=(handlers.CardNames,),
        add_commands=(command.add,),
        handlers=(elements_handlers.handlers, handlers.handlers, rules_handlers.handlers),
        slots=(
            table_slots.HAND.at(20, handlers.help_button),
            table_slots.BOARD.at(50, rules_handlers.rules_button),
            table_slots.LOBBY.at(40, rules_handlers.rules_button_in_lobby),
        ),
        shares={"card": handlers.share_card_page, "rules": rules_handlers.share_rules},
    )
