"""Tournaments: brackets, leagues and their matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.app import App
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.table import TablePublisher
    from bot.features.table import slots as table_slots
    from bot.features.tournaments import command, correction_handlers, handlers, match_messages
    from bot.features.tournaments.messages import TournamentBoard, organised_line
    from bot.features.tournaments.service import Tournaments
    from bot.table.registry import Tables
    from bot.ui.features import Feature

    def board(app: App) -> TournamentBoard:
        return TournamentBoard(app.service(TablePublisher))

    def tournaments(app: App) -> Tournaments:
        return Tournaments(
            app.database,
            app.clock,
            app.service(Tables),
            app.service(TournamentBoard),
            in_server=app.settings.tournaments_per_server,
            of_person=app.settings.tournaments_per_person,
        )

    return Feature(
        services=(board, tournaments),
        add_commands=(command.add,),
        handlers=(handlers.handlers, correction_handlers.handlers),
        before_deletion=organised_line,
        slots=(
            table_slots.SPECIAL_LOBBY.at(10, match_messages.match_lobby),
            table_slots.CLOSED.at(10, match_messages.match_closed),
            table_slots.RESULT.at(10, match_messages.match_decided),
        ),
    )
