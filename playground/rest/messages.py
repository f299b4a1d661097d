"""REST: messages, reactions, pins, typing."""

from __future__ import annotations

from urllib.parse import unquote

from playground import payloads
from playground import permissions as perm
from playground.actions.reactions import react
from playground.errors import ApiError, invalid, missing_permissions, unknown
from playground.gateway import DIRECT_TYPING, GUILD_TYPING
from playground.ids import moment
from playground.model import Channel, Json, PostedMessage
from playground.ratelimits import DELETE, EDIT, REACTION, SEND
from playground.rest.routing import Call, route
from playground.rules.components import is_emoji

_MESSAGES = "/channels/{channel_id}/messages"
_MESSAGE = _MESSAGES + "/{message_id}"
_REACTION = _MESSAGE + "/reactions/{emoji}"


def _shown(call: Call, message: PostedMessage) -> Json:
    return payloads.message(message, world=call.core.world)


@route("POST", _MESSAGES, limit=SEND)
def create(call: Call) -> Json:
    """Send a message with the bot token."""
    body: Json = call.body or {}
    channel = call.channel(send=True)
    bits = call.core.world.rights(channel, call.core.world.bot)
    if channel.archived and channel.locked and not bits & perm.MANAGE_THREADS:
        raise ApiError(400, 50083, "Thread is archived")
    call.core.posts.check("MessageCreateRequest", body, call.uploads)
    if call.uploads and not bits & perm.ATTACH_FILES:
        raise missing_permissions()
    reference = _reference(channel, body, bits)
    kind = 19 if reference is not None else 0
    message = call.core.posts.create(
        channel, call.core.world.bot, body, call.uploads, kind=kind, reference=reference
    )
    return _shown(call, message)


def _reference(channel: Channel, body: Json, bits: int) -> PostedMessage | None:
    wanted = body.get("message_reference")
    if not wanted or not wanted.get("message_id"):
        return None
    found = channel.messages.get(int(wanted["message_id"]))
    if found is None or found.ephemeral:
        if wanted.get("fail_if_not_exists", True):
            raise invalid(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return None
    if not bits & perm.READ_MESSAGE_HISTORY:
        raise ApiError(403, 160002, "Cannot reply without permission to read message history")
    return found


@route("GET", _MESSAGES)
def history(call: Call) -> list[Json]:
    """Read a channel's messages, newest first."""
    channel = call.channel(perm.READ_MESSAGE_HISTORY)
    found = [m for m in channel.messages.values() if not m.ephemeral]
    limit = call.limit(50, 100)
    if "before" in call.query:
        found = [m for m in found if m.id < int(call.query["before"])]
    if "after" in call.query:
        later = [m for m in found if m.id > int(call.query["after"])][:limit]
        return [_shown(call, m) for m in reversed(later)]
    if "around" in call.query:
        centre = int(call.query["around"])
        near = sorted(found, key=lambda m: abs(m.id - centre))[:limit]
        return [_shown(call, m) for m in sorted(near, key=lambda m: -m.id)]
    return [_shown(call, m) for m in reversed(found[-limit:])]


@route("GET", _MESSAGE)
def read(call: Call) -> Json:
    """Read one message."""
    return _shown(call, call.message(call.channel(perm.READ_MESSAGE_HISTORY)))


@route("PATCH", _MESSAGE, limit=EDIT)
def edit(call: Call) -> Json:
    """Edit one of the bot's own messages."""
    channel = call.channel()
    message = call.message(channel)
    if message.author is not call.core.world.bot:
        raise ApiError(403, 50005, "Cannot edit a message authored by another user")
    if channel.archived:
        raise ApiError(400, 50083, "Thread is archived")
    body: Json = call.body or {}
    call.core.posts.check("MessageEditRequestPartial", body, call.uploads, old=message)
    bits = call.core.world.rights(channel, call.core.world.bot)
    if call.uploads and not bits & perm.ATTACH_FILES:
        raise missing_permissions()
    call.core.posts.count_old_edit(message)
    return _shown(call, call.core.posts.edit(message, body, call.uploads))


@route("DELETE", _MESSAGE, limit=DELETE)
def delete(call: Call) -> None:
    """Delete a message: one's own, or anybody's with the right to manage messages."""
    channel = call.channel()
    message = call.message(channel)
    if message.author is not call.core.world.bot:
        if channel.guild is None:
            raise ApiError(403, 50003, "Cannot execute action on a DM channel")
        call.channel(perm.MANAGE_MESSAGES)
    call.core.posts.delete(message)


@route("POST", _MESSAGES + "/bulk-delete")
def bulk_delete(call: Call) -> None:
    """Delete 2 to 100 messages that are younger than 14 days."""
    channel = call.channel(perm.MANAGE_MESSAGES)
    wanted = [int(i) for i in (call.body or {}).get("messages", ())]
    if not 2 <= len(wanted) <= 100:
        raise ApiError(
            400, 50016, "Provided too few or too many messages to delete. Must provide between 2 and 100."
        )
    oldest = call.core.world.clock.now() - 14 * 86400
    if any(moment(i) < oldest for i in wanted):
        raise ApiError(400, 50034, "You can only bulk delete messages that are under 14 days old.")
    for number in wanted:
        message = channel.messages.get(number)
        if message is not None and not message.ephemeral:
            call.core.posts.delete(message)


@route("POST", "/channels/{channel_id}/typing")
def typing(call: Call) -> None:
    """Show that the bot is typing."""
    channel = call.channel(send=True)
    event = {
        "channel_id": str(channel.id),
        "user_id": str(call.core.world.bot.id),
        "timestamp": int(call.core.world.clock.now()),
    }
    guild_id = channel.guild.id if channel.guild else None
    intent = GUILD_TYPING if guild_id else DIRECT_TYPING
    call.core.gateway.dispatch("TYPING_START", event, guild_id=guild_id, intent=intent)
    call.core.hub.tell_channel(channel, "TYPING_START", event)


# Reactions --------------------------------------------------------------------------------


def _emoji(call: Call) -> str:
    text = unquote(call.params["emoji"])
    name, _, number = text.partition(":")
    if number:
        if not number.isdecimal() or int(number) not in call.core.world.emojis:
            raise unknown("Emoji")
        return f"{call.core.world.emojis[int(number)].name}:{number}"
    # Reactions take a pictograph with or without its variation selector.
    if not (is_emoji(name) or is_emoji(name + "\ufe0f")):
        raise unknown("Emoji")
    return name


@route("PUT", _REACTION + "/@me", limit=REACTION)
def add_reaction(call: Call) -> None:
    """React as the bot."""
    channel = call.channel(perm.READ_MESSAGE_HISTORY)
    message, emoji = call.message(channel), _emoji(call)
    if emoji not in message.reactions:
        call.channel(perm.ADD_REACTIONS)
    react(call.core.posts, message, emoji, call.core.world.bot.id, add=True)


@route("DELETE", _REACTION + "/{user_id}", limit=REACTION)
def remove_reaction(call: Call) -> None:
    """Take a reaction off: the bot's own, or anybody's with the right to manage messages."""
    mine = call.params["user_id"] == "@me"
    channel = call.channel() if mine else call.channel(perm.MANAGE_MESSAGES)
    user_id = call.core.world.bot.id if mine else call.number("user_id")
    react(call.core.posts, call.message(channel), _emoji(call), user_id, add=False)


@route("GET", _REACTION)
def reactors(call: Call) -> list[Json]:
    """List who reacted."""
    message = call.message(call.channel(perm.READ_MESSAGE_HISTORY))
    users = call.core.world.users
    return [payloads.user(users[u]) for u in message.reactions.get(_emoji(call), ())]


@route("DELETE", _MESSAGE + "/reactions")
def clear_reactions(call: Call) -> None:
    """Take every reaction off."""
    message = call.message(call.channel(perm.MANAGE_MESSAGES))
    message.reactions.clear()
    call.core.posts.tell_updated(message)


# Pins -------------------------------------------------------------------------------------


@route("PUT", _MESSAGES + "/pins/{message_id}")
@route("PUT", "/channels/{channel_id}/pins/{message_id}")
def pin(call: Call) -> None:
    """Pin a message."""
    _set_pin(call, pinned=True)


@route("DELETE", _MESSAGES + "/pins/{message_id}")
@route("DELETE", "/channels/{channel_id}/pins/{message_id}")
def unpin(call: Call) -> None:
    """Take a pin off."""
    _set_pin(call, pinned=False)


def _set_pin(call: Call, *, pinned: bool) -> None:
    channel = call.channel()
    if channel.guild is not None:
        call.channel(perm.PIN_MESSAGES)
    message = call.message(channel)
    if pinned and sum(m.pinned for m in channel.messages.values()) >= 250:
        raise ApiError(400, 30003, "Maximum number of pins reached (250)")
    message.pinned = pinned
    call.core.posts.tell_updated(message)


@route("GET", _MESSAGES + "/pins")
def pins(call: Call) -> Json:
    """List the pinned messages, newest first."""
    channel = call.channel(perm.READ_MESSAGE_HISTORY)
    found = [m for m in reversed(channel.messages.values()) if m.pinned]
    items = [{"pinned_at": payloads.iso(m.created), "message": _shown(call, m)} for m in found]
    return {"items": items, "has_more": False}


@route("GET", "/channels/{channel_id}/pins")
def old_pins(call: Call) -> list[Json]:
    """List the pinned messages in the old form."""
    channel = call.channel(perm.READ_MESSAGE_HISTORY)
    return [_shown(call, m) for m in reversed(channel.messages.values()) if m.pinned]
