"""REST: channels and threads."""

from __future__ import annotations

from playground import payloads
from playground import permissions as perm
from playground.actions import threads
from playground.errors import ApiError, invalid, missing_permissions, unknown
from playground.model import DM, Channel, Json, Overwrite, User
from playground.rest.routing import Call, route
from playground.schema import check as check_schema

_CHANNEL = "/channels/{channel_id}"


@route("GET", _CHANNEL)
def read(call: Call) -> Json:
    """Read a channel or thread."""
    return payloads.channel(call.channel())


@route("PATCH", _CHANNEL)
def edit(call: Call) -> Json:
    """Rename, describe, archive or lock."""
    body: Json = call.body or {}
    channel = call.channel()
    if channel.guild is None:
        raise ApiError(403, 50003, "Cannot execute action on a DM channel")
    if channel.is_thread:
        check_schema("UpdateThreadRequestPartial", body)
        _edit_thread(call, channel, body)
    else:
        check_schema("UpdateGuildChannelRequestPartial", body)
        call.channel(perm.MANAGE_CHANNELS)
        channel.name = body.get("name") or channel.name
        channel.topic = body.get("topic", channel.topic)
        channel.slowmode = body.get("rate_limit_per_user", channel.slowmode) or 0
        call.core.posts.tell_channel_changed("CHANNEL_UPDATE", channel)
    return payloads.channel(channel)


def _edit_thread(call: Call, thread: Channel, body: Json) -> None:
    world = call.core.world
    bits = world.rights(thread, world.bot)
    mine = thread.owner_id == world.bot.id
    manager = bool(bits & perm.MANAGE_THREADS)
    if not (mine or manager) and not (set(body) == {"archived"} and body["archived"] is False):
        raise missing_permissions()
    if "locked" in body and not manager:
        raise missing_permissions()
    if thread.archived and body.get("archived") is not False:
        raise ApiError(400, 50083, "Thread is archived")
    if body.get("archived") is not None and body["archived"] != thread.archived:
        thread.archived, thread.archive_changed = body["archived"], world.clock.now()
    thread.name = body.get("name") or thread.name
    thread.auto_archive = body.get("auto_archive_duration") or thread.auto_archive
    thread.locked = body.get("locked", thread.locked) or False
    thread.invitable = body.get("invitable", thread.invitable)
    thread.slowmode = body.get("rate_limit_per_user", thread.slowmode) or 0
    call.core.posts.tell_channel_changed("THREAD_UPDATE", thread)


@route("DELETE", _CHANNEL)
def delete(call: Call) -> Json:
    """Delete a channel or thread."""
    channel = call.channel()
    if channel.guild is None:
        return payloads.channel(channel)
    call.channel(perm.MANAGE_THREADS if channel.is_thread else perm.MANAGE_CHANNELS)
    body = payloads.channel(channel)
    threads.remove(call.core.posts, channel)
    return body


@route("PUT", _CHANNEL + "/permissions/{overwrite_id}")
def set_overwrite(call: Call) -> None:
    """Allow or deny rights in a channel."""
    channel = call.channel(perm.MANAGE_ROLES)
    body: Json = call.body or {}
    number = call.number("overwrite_id")
    allow, deny = int(body.get("allow") or 0), int(body.get("deny") or 0)
    channel.overwrites[number] = Overwrite(number, int(body.get("type") or 0), allow, deny)
    call.core.posts.tell_channel_changed("CHANNEL_UPDATE", channel)


@route("DELETE", _CHANNEL + "/permissions/{overwrite_id}")
def delete_overwrite(call: Call) -> None:
    """Forget what was allowed or denied."""
    channel = call.channel(perm.MANAGE_ROLES)
    if channel.overwrites.pop(call.number("overwrite_id"), None) is None:
        raise unknown("Permission Overwrite")
    call.core.posts.tell_channel_changed("CHANNEL_UPDATE", channel)


@route("POST", "/guilds/{guild_id}/channels")
def create(call: Call) -> Json:
    """Make a text channel."""
    guild = call.guild()
    body: Json = call.body or {}
    check_schema("CreateGuildChannelRequest", body)
    if not perm.guild_level(guild.members[call.core.world.bot.id]) & perm.MANAGE_CHANNELS:
        raise missing_permissions()
    channel = call.core.world.add_channel(guild, body["name"], body.get("topic"))
    call.core.posts.tell_channel_changed("CHANNEL_CREATE", channel)
    return payloads.channel(channel)


# Threads ----------------------------------------------------------------------------------


@route("POST", _CHANNEL + "/messages/{message_id}/threads")
def thread_from_message(call: Call) -> Json:
    """Start a public thread at a message."""
    body: Json = call.body or {}
    check_schema("CreateTextThreadWithMessageRequest", body)
    channel = call.channel(perm.CREATE_PUBLIC_THREADS)
    thread = threads.create(
        call.core.posts,
        channel,
        call.core.world.bot,
        body["name"],
        starter=call.message(channel),
        auto_archive=body.get("auto_archive_duration") or 1440,
    )
    return _own(call, thread)


@route("POST", _CHANNEL + "/threads")
def thread(call: Call) -> Json:
    """Start a thread without a message; private unless the body says type 11."""
    body: Json = call.body or {}
    check_schema("CreateTextThreadWithoutMessageRequest", body)
    private = body.get("type", 12) == 12
    channel = call.channel(perm.CREATE_PRIVATE_THREADS if private else perm.CREATE_PUBLIC_THREADS)
    made = threads.create(
        call.core.posts,
        channel,
        call.core.world.bot,
        body["name"],
        private=private,
        auto_archive=body.get("auto_archive_duration") or 1440,
        invitable=body.get("invitable") is not False,
    )
    return _own(call, made)


def _own(call: Call, thread: Channel) -> Json:
    return {**payloads.channel(thread), "member": payloads.thread_member(thread, call.core.world.bot.id)}


def _thread(call: Call) -> Channel:
    channel = call.channel()
    if not channel.is_thread:
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    return channel


@route("PUT", _CHANNEL + "/thread-members/{user_id}")
def join(call: Call) -> None:
    """Join a thread, or add somebody to it."""
    thread = _thread(call)
    if thread.archived:
        raise ApiError(400, 50083, "Thread is archived")
    user = _thread_user(call)
    call.channel(send=user is not call.core.world.bot)
    call.core.posts.join_thread(thread, user)


def _thread_user(call: Call) -> User:
    if call.params["user_id"] == "@me":
        return call.core.world.bot
    user = call.core.world.users.get(call.number("user_id"))
    if user is None:
        raise unknown("User")
    return user


@route("DELETE", _CHANNEL + "/thread-members/{user_id}")
def leave(call: Call) -> None:
    """Leave a thread, or take somebody out of it."""
    thread, user = _thread(call), _thread_user(call)
    if user is not call.core.world.bot and thread.owner_id != call.core.world.bot.id:
        call.channel(perm.MANAGE_THREADS)
    thread.thread_members.pop(user.id, None)
    call.core.posts.tell_channel_changed("THREAD_UPDATE", thread)


@route("GET", _CHANNEL + "/thread-members")
def thread_members(call: Call) -> list[Json]:
    """List who is in a thread."""
    thread = _thread(call)
    return [payloads.thread_member(thread, u) for u in thread.thread_members]


@route("GET", _CHANNEL + "/thread-members/{user_id}")
def read_thread_member(call: Call) -> Json:
    """Read one member of a thread."""
    thread, user = _thread(call), _thread_user(call)
    if user.id not in thread.thread_members:
        raise unknown("Member")
    return payloads.thread_member(thread, user.id)


@route("GET", "/guilds/{guild_id}/threads/active")
def active_threads(call: Call) -> Json:
    """List a guild's threads that are not archived."""
    guild, world = call.guild(), call.core.world
    found = [c for c in world.channels.values() if c.guild is guild and c.is_thread and not c.archived]
    return _thread_list(call, [c for c in found if world.rights(c, world.bot) & perm.VIEW_CHANNEL])


@route("GET", _CHANNEL + "/threads/archived/public")
def archived_public(call: Call) -> Json:
    """List a channel's archived public threads."""
    return _archived(call, private=False)


@route("GET", _CHANNEL + "/threads/archived/private")
def archived_private(call: Call) -> Json:
    """List a channel's archived private threads."""
    return _archived(call, private=True)


@route("GET", _CHANNEL + "/users/@me/threads/archived/private")
def archived_mine(call: Call) -> Json:
    """List the archived private threads that the bot has joined."""
    return _archived(call, private=True)


def _archived(call: Call, *, private: bool) -> Json:
    channel = call.channel(perm.READ_MESSAGE_HISTORY)
    found = [
        c
        for c in call.core.world.channels.values()
        if c.is_thread and c.parent_id == channel.id and c.archived and c.is_private_thread == private
    ]
    return {**_thread_list(call, found), "has_more": False}


def _thread_list(call: Call, found: list[Channel]) -> Json:
    bot = call.core.world.bot.id
    return {
        "threads": [payloads.channel(c) for c in found],
        "members": [payloads.thread_member(c, bot) for c in found if bot in c.thread_members],
    }


# Direct messages --------------------------------------------------------------------------


@route("POST", "/users/@me/channels")
def open_dm(call: Call) -> Json:
    """Open the DM with a person."""
    body: Json = call.body or {}
    number = str(body.get("recipient_id", ""))
    if not number.isdecimal():
        raise invalid(("recipient_id",), "BASE_TYPE_REQUIRED", "This field is required")
    user = call.core.world.users.get(int(number))
    if user is None:
        raise unknown("User")
    if user.bot:
        raise ApiError(400, 50007, "Cannot send messages to this user")
    channel = call.core.world.dm(user)
    if channel.kind != DM:
        raise AssertionError("a DM that is none")
    return payloads.channel(channel)
