"""Reactions under messages, by the bot and by people."""

from __future__ import annotations

from playground import payloads
from playground import permissions as perm
from playground.actions.posts import Posts
from playground.gateway import DIRECT_REACTIONS, GUILD_REACTIONS
from playground.model import DM, Json, PostedMessage


def react(posts: Posts, message: PostedMessage, emoji: str, user_id: int, *, add: bool) -> None:
    """Add one reaction or take it off, and tell everybody. `emoji` is a character or `name:id`."""
    who = message.reactions.setdefault(emoji, [])
    if add and user_id not in who:
        who.append(user_id)
        changed = True
    elif not add and user_id in who:
        who.remove(user_id)
        changed = True
    else:
        changed = False
    if not who:
        message.reactions.pop(emoji)
    if not changed:
        return
    channel, world = message.channel, posts.world
    name, _, number = emoji.partition(":")
    event: Json = {
        "user_id": str(user_id),
        "channel_id": str(channel.id),
        "message_id": str(message.id),
        "emoji": {"id": number or None, "name": name},
        "type": 0,
        "burst": False,
    }
    title = "MESSAGE_REACTION_ADD" if add else "MESSAGE_REACTION_REMOVE"
    guild = channel.guild
    if channel.kind == DM:
        posts.gateway.dispatch(title, event, guild_id=None, intent=DIRECT_REACTIONS)
    elif guild and guild.installed and world.rights(channel, world.bot) & perm.VIEW_CHANNEL:
        event["guild_id"] = str(guild.id)
        if add:
            event["member"] = payloads.member(guild.members[user_id])
            event["message_author_id"] = str(message.author.id)
        posts.gateway.dispatch(title, event, guild_id=guild.id, intent=GUILD_REACTIONS)
    shown = payloads.message_event(message, world=world)
    posts.hub.tell_channel(channel, "MESSAGE_UPDATE", shown, message.owner)
