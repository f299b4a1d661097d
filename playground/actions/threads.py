"""Threads: made by the bot or by people, archived, and removed with their channel."""

from __future__ import annotations

from playground.actions.posts import Posts
from playground.errors import ApiError
from playground.model import (
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    Channel,
    PostedMessage,
    User,
)


def create(
    posts: Posts,
    parent: Channel,
    owner: User,
    name: str,
    *,
    private: bool = False,
    starter: PostedMessage | None = None,
    auto_archive: int = 1440,
    invitable: bool = True,
) -> Channel:
    """Make a thread and tell everybody. Raises ApiError 160004 when the message has one."""
    world = posts.world
    if parent.guild is None or parent.is_thread:
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    if starter is not None and starter.thread is not None:
        raise ApiError(400, 160004, "A thread has already been created for this message")
    number = starter.id if starter is not None else world.ids.next()
    kind = PRIVATE_THREAD if private else PUBLIC_THREAD
    thread = Channel(number, kind, name=name, guild=parent.guild, parent_id=parent.id)
    now = world.clock.now()
    thread.owner_id, thread.created, thread.archive_changed = owner.id, now, now
    thread.auto_archive, thread.invitable = auto_archive, invitable
    thread.thread_members[owner.id] = now
    world.channels[thread.id] = thread
    posts.tell_channel_changed("THREAD_CREATE", thread)
    if starter is not None:
        starter.thread = thread
        posts.tell_updated(starter)
    return thread


def remove(posts: Posts, channel: Channel) -> None:
    """Delete a channel or thread with all that is in it, and tell everybody."""
    world = posts.world
    for thread in [c for c in world.channels.values() if c.is_thread and c.parent_id == channel.id]:
        remove(posts, thread)
    posts.tell_channel_changed("THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", channel)
    world.channels.pop(channel.id, None)
    if channel.guild is not None:
        channel.guild.channels.pop(channel.id, None)
    for message in channel.messages.values():
        world.messages.pop(message.id, None)
        for attachment in message.attachments:
            posts.files.release(attachment)
    channel.messages.clear()
