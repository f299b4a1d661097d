"""The deal of the day and the morning message about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.app import App
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.daily import command, handlers, messages, morning_handlers
    from bot.features.daily.morning_publisher import MorningPublisher
    from bot.features.daily.morning_service import Mornings
    from bot.features.daily.service import DailyDeals
    from bot.features.table.publishing.publisher import TablePublisher
    from bot.ui import slots
    from bot.ui.features import Feature

    def deals(app: App) -> DailyDeals:
        return DailyDeals(app.tables)

    def mornings(app: App) -> Mornings:
        publisher = MorningPublisher(app.service(TablePublisher))
        return Mornings(
            app.database,
            app.tables.clock,
            publisher,
            app.tables.scheduler,
            app.tables.lease_holder.shards,
        )

    return Feature(
        services=(deals, mornings),  # a morning message shows the deals of its day
        add_commands=(command.add,),
        handlers=(handlers.handlers, morning_handlers.handlers),
        forms=(morning_handlers.forms,),
        shares={"daily": handlers.shared},
        channel_lines=(morning_handlers.channel_line,),
        controls=(
            slots.NEXT_GAME.at(10, messages.board_button),
            slots.HAND_END.at(10, messages.board_button_in_hand),
        ),
    )
