"""Game nights: planned ahead, opened as a lobby at their time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.app import App
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.nights import command, handlers
    from bot.features.nights.messages import NightBoard
    from bot.features.nights.service import Nights
    from bot.features.table import TablePublisher
    from bot.table.registry import Tables
    from bot.ui import slots
    from bot.ui.features import Feature

    def nights(app: App) -> Nights:
        return Nights(app.database, app.clock, app.service(Tables), NightBoard(app.service(TablePublisher)))

    return Feature(
        services=(nights,),
        add_commands=(command.add,),
        handlers=(handlers.handlers,),
        forms=(handlers.forms,),
        slots=(slots.SETTINGS.at(10, handlers.zone_button),),
    )
