"""A table as people see and play it: lobby, board and hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.app import App
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs to play at tables, as if it were a feature."""
    from bot.features.table import board_handlers, consent_handlers, leaving_handlers, status, table_commands
    from bot.features.table.hand import commands as hand_commands
    from bot.features.table.hand import handlers as hand_handlers
    from bot.features.table.lobby import handlers as lobby_handlers
    from bot.features.table.publishing.archived_threads import ArchivedThreads
    from bot.features.table.publishing.deleted_channels import DeletedChannels
    from bot.features.table.publishing.publisher import TablePublisher
    from bot.ui.features import Feature
    from bot.ui.outbox import Outbox

    def deleted_channels(app: App) -> DeletedChannels:
        return DeletedChannels(app.tables, app.service(TablePublisher))

    def archived_threads(app: App) -> ArchivedThreads:
        return ArchivedThreads(app.tables, app.service(Outbox))

    return Feature(
        add_commands=(hand_commands.add, table_commands.add),
        handlers=(
            board_handlers.handlers,
            consent_handlers.handlers,
            hand_commands.handlers,
            hand_handlers.handlers,
            leaving_handlers.handlers,
            lobby_handlers.handlers,
            status.handlers,
        ),
        forms=(hand_handlers.forms, lobby_handlers.forms),
        services=(archived_threads, deleted_channels),
    )
