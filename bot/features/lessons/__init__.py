"""Lessons: guided first games."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.lessons import command, handlers, messages
    from bot.features.table import slots as table_slots
    from bot.ui import slots
    from bot.ui.features import Feature

    return Feature(
        add_commands=(command.add,),
        handlers=(handlers.handlers,),
        slots=(
            slots.HELP.at(20, messages.lessons_button),
            slots.WELCOME.at(20, messages.lessons_button),
            table_slots.GREETING.at(10, handlers.offer_lesson),
            table_slots.RULES.at(20, messages.rules_lesson_button),
        ),
    )
