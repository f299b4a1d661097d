"""The controls that ask the teacher, for hands and tables."""

from __future__ import annotations

from discord import ButtonStyle

from bot.features.table import SeatView
from bot.locales import Words
from bot.table.table import Table
from bot.table.table_kinds import can_retry
from bot.ui.components import Control, button


def hint_button(say: Words, view: SeatView) -> Control | None:
    """Return the button that asks for a hint, where there are any."""
    if not view.hints:
        return None
    return button(say("hand.hint"), "hint", view.table.id, view.seat, view.decision, emoji="💡")


def why_button(say: Words, table: Table) -> Control:
    """Return the button that asks how the last result came about."""
    return button(say("table.why"), "why", table.id)


def retry_button(say: Words, table: Table) -> Control | None:
    """Return the button that plays the position of a practice table again."""
    return button(say("review.try_again"), "retry", table.id, emoji="🔁") if can_retry(table) else None


def retry_in_hand(say: Words, view: SeatView) -> Control | None:
    """Return the same for a hand, where it is what most people want next."""
    table = view.table
    if table.stored.terms.daily or not can_retry(table):
        return None
    return button(say("review.try_again"), "retry", table.id, style=ButtonStyle.success)
