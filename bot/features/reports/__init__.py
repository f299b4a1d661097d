"""Reporting a problem to the maintainers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.reports import handlers
    from bot.features.table.slots import TROUBLE
    from bot.ui.features import Feature

    return Feature(
        handlers=(handlers.handlers,),
        forms=(handlers.forms,),
        slots=(TROUBLE.at(10, handlers.report_button),),
    )
