"""**Show here**: the button under what somebody has looked up."""

from __future__ import annotations

from discord import ui

from bot.ui.components import Control, button
from bot.ui.context import Answer


def share_button(answer: Answer, what: str, *where: object) -> ui.Button[ui.LayoutView] | None:
    """The button, where there are others to read it; `share:what:where…` says what is shown anew."""
    interaction = answer.interaction
    if interaction.guild_id is None and not interaction.context.private_channel:
        return None
    return button(answer.say("share.here"), "share", what, *where, emoji="📣")


def share_row(answer: Answer, what: str, *where: object) -> list[Control]:
    """The button as controls, none where there is none."""
    found = share_button(answer, what, *where)
    return [found] if found is not None else []
