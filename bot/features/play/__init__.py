"""Opening a table: /play, the start screen, and the options of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.app import App
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.play import command, controls, handlers, options_handlers
    from bot.features.play.handlers import Rematches
    from bot.features.table import slots as table_slots
    from bot.ui import slots
    from bot.ui.features import Feature

    def rematches(_app: App) -> Rematches:
        return Rematches()

    return Feature(
        services=(rematches,),
        add_commands=(command.add,),
        handlers=(handlers.handlers, options_handlers.handlers),
        forms=(options_handlers.forms,),
        slots=(
            slots.HELP.at(10, controls.games_button),
            slots.WELCOME.at(10, controls.games_button),
            slots.EMPTY_BOARD.at(10, controls.games_button),
            table_slots.END.at(20, controls.rematch_button),
            table_slots.HAND_END.at(10, controls.rematch_in_hand),
            table_slots.NEXT_GAME.at(10, controls.next_game_button),
            table_slots.RULES.at(10, controls.rules_play_button),
            slots.AFTER_LESSON.at(10, controls.lesson_play_button),
            slots.AFTER_PUZZLE.at(10, controls.puzzle_play_button),
            table_slots.LOBBY.at(10, controls.options_button),
        ),
    )
