"""Reporting a problem to the maintainers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.ui.features import Feature


def feature() -> Feature:
    """Return what the bot needs of this feature."""
    from bot.features.reports import handlers
    from bot.ui.at_tables import AtTables
    from bot.ui.features import Feature

    return Feature(
        handlers=(handlers.handlers,),
        forms=(handlers.forms,),
        at_tables=AtTables(report=handlers.report_button),
    )
