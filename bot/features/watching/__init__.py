"""Watching a table as a guest."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.app import App
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.table.at_tables import AtTables
    from bot.features.table.publishing.publisher import TablePublisher
    from bot.features.watching import handlers, messages
    from bot.features.watching.service import Guesses
    from bot.features.watching.watchers import Watchers
    from bot.ui import slots
    from bot.ui.features import Feature

    def watchers(app: App) -> Watchers:
        found = Watchers(app.studio, app.database)
        app.service(TablePublisher).followers.append(found)
        return found

    def guesses(_app: App) -> Guesses:
        return Guesses()

    return Feature(
        services=(watchers, guesses),
        handlers=(handlers.handlers,),
        stats_line=messages.hits_line,
        controls=(slots.BOARD.at(70, messages.watch_button),),
        at_tables=AtTables(end_note=messages.foreseen_line),
    )
