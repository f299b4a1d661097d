"""The teacher: hints, reviews, and practice from a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.app import App
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.table import slots as table_slots
    from bot.features.teacher import controls, handlers, review_handlers
    from bot.features.teacher.review_service import Reviews
    from bot.table.registry import Tables
    from bot.ui.features import Feature

    def reviews(app: App) -> Reviews:
        return Reviews(app.database, app.service(Tables).thinker, app.tasks.spawn)

    return Feature(
        services=(reviews,),
        handlers=(handlers.handlers, review_handlers.handlers),
        slots=(
            table_slots.QUESTION.at(10, controls.hint_button),
            table_slots.HAND_ONLY.at(10, controls.why_button),
            table_slots.BOARD.at(40, controls.why_button),
            table_slots.END.at(40, controls.why_button),
            table_slots.END.at(10, controls.retry_button),
            table_slots.HAND_END.at(10, controls.retry_in_hand),
        ),
    )
