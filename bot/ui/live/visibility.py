"""Visibility of channels to the members of a server."""

from __future__ import annotations

import discord


def can_see(channel: discord.abc.GuildChannel | discord.Thread, member: discord.Member) -> bool:
    """Return whether a member can see a channel. A thread counts as seen if its channel is."""
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return False
    return channel.permissions_for(member).view_channel
