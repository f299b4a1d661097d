"""**Show here**: the button under what somebody has looked up, and who may press it where."""

from __future__ import annotations

import discord
from discord import ui

from bot.core.errors import Refused
from bot.ui import rights
from bot.ui.app import Interaction
from bot.ui.components import Control, button
from bot.ui.context import Answer
from bot.ui.discord_errors import MissingPermissions, missing_permissions


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


def must_share(interaction: Interaction) -> None:
    """Return if this person may write in this channel, and the bot may show pictures there.

    Raises:
        Refused: they may not, or not by way of the bot.
        MissingPermissions: the bot may not.
    """
    rights.must_write(interaction)
    if interaction.guild_id is None:
        return
    in_thread = isinstance(interaction.channel, discord.Thread)
    if interaction.is_user_integration() and not interaction.is_guild_integration():
        if not interaction.permissions.use_external_apps:
            raise Refused("share_external")
    elif missing := missing_permissions(interaction.app_permissions, in_thread=in_thread):
        raise MissingPermissions(missing)
