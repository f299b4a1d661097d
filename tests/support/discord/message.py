"""What stands in a message of the bot."""

from __future__ import annotations

import discord

from bot.ui.components import Message


def words_of(message: Message) -> str:
    """All its texts, from top to bottom."""
    return "\n".join(
        item.content for item in message.view.walk_children() if isinstance(item, discord.ui.TextDisplay)
    )
