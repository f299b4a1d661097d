"""Watching a table as a guest."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.app import App
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.table import TablePublisher
    from bot.features.table import slots as table_slots
    from bot.features.watching import handlers, messages
    from bot.features.watching.service import Guesses
    from bot.features.watching.watchers import Watchers
    from bot.table.runtime import TableRuntime
    from bot.ui.features import Feature

    def watchers(app: App) -> Watchers:
        service = Watchers(app.studio, app.database)
        app.service(TablePublisher).followers.append(service)
        return service

    def guesses(app: App) -> Guesses:
        service = Guesses()
        app.service(TableRuntime).at_end.append(service.note)
        return service

    return Feature(
        services=(watchers, guesses),
        handlers=(handlers.handlers,),
        stats_line=messages.hits_line,
        slots=(
            table_slots.BOARD.at(70, messages.watch_button),
            table_slots.END_NOTE.at(10, messages.foreseen_line),
        ),
    )
