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
    from bot.features.table import TablePublisher
    from bot.features.table import slots as table_slots
    from bot.table.registry import Tables
    from bot.table.runtime import TableRuntime
    from bot.ui.features import Feature

    def deals(app: App) -> DailyDeals:
        return DailyDeals(app.service(Tables))

    def mornings(app: App) -> Mornings:
        publisher = MorningPublisher(app.service(TablePublisher))
        return Mornings(
            app.database,
            app.clock,
            publisher,
            app.service(TableRuntime).scheduler,
            app.service(Tables).lease_holder.shards,
        )

    return Feature(
        services=(deals, mornings),  # a morning message shows the deals of its day
        add_commands=(command.add,),
        handlers=(handlers.handlers, morning_handlers.handlers),
        forms=(morning_handlers.forms,),
        shares={"daily": handlers.shared},
        channel_lines=(morning_handlers.channel_line,),
        slots=(
            table_slots.NEXT_GAME.at(10, messages.board_button),
            table_slots.HAND_END.at(10, messages.board_button_in_hand),
        ),
    )
