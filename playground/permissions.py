"""Permission bits and how roles and overwrites add up."""

from __future__ import annotations

from playground.model import Channel, Member

CREATE_INVITE = 1 << 0
ADMINISTRATOR = 1 << 3
MANAGE_CHANNELS = 1 << 4
MANAGE_GUILD = 1 << 5
ADD_REACTIONS = 1 << 6
VIEW_CHANNEL = 1 << 10
SEND_MESSAGES = 1 << 11
MANAGE_MESSAGES = 1 << 13
EMBED_LINKS = 1 << 14
ATTACH_FILES = 1 << 15
READ_MESSAGE_HISTORY = 1 << 16
MENTION_EVERYONE = 1 << 17
USE_EXTERNAL_EMOJIS = 1 << 18
MANAGE_ROLES = 1 << 28
USE_APPLICATION_COMMANDS = 1 << 31
MANAGE_THREADS = 1 << 34
CREATE_PUBLIC_THREADS = 1 << 35
CREATE_PRIVATE_THREADS = 1 << 36
SEND_MESSAGES_IN_THREADS = 1 << 38
CREATE_EVENTS = 1 << 44
USE_EXTERNAL_APPS = 1 << 50
PIN_MESSAGES = 1 << 51

ALL = (1 << 53) - 1

EVERYONE = (
    CREATE_INVITE
    | ADD_REACTIONS
    | VIEW_CHANNEL
    | SEND_MESSAGES
    | EMBED_LINKS
    | ATTACH_FILES
    | READ_MESSAGE_HISTORY
    | USE_EXTERNAL_EMOJIS
    | USE_APPLICATION_COMMANDS
    | CREATE_PUBLIC_THREADS
    | CREATE_PRIVATE_THREADS
    | SEND_MESSAGES_IN_THREADS
    | USE_EXTERNAL_APPS
)
MODERATOR = (
    EVERYONE
    | MANAGE_MESSAGES
    | MANAGE_GUILD
    | MANAGE_CHANNELS
    | MANAGE_THREADS
    | PIN_MESSAGES
    | CREATE_EVENTS
)
BOT = EVERYONE | MANAGE_THREADS
DIRECT = (
    VIEW_CHANNEL
    | SEND_MESSAGES
    | EMBED_LINKS
    | ATTACH_FILES
    | READ_MESSAGE_HISTORY
    | ADD_REACTIONS
    | USE_EXTERNAL_EMOJIS
    | USE_APPLICATION_COMMANDS
)

# The ones that the page lets people switch for the bot in a channel.
SWITCHES = {
    "view_channel": VIEW_CHANNEL,
    "send_messages": SEND_MESSAGES,
    "send_messages_in_threads": SEND_MESSAGES_IN_THREADS,
    "embed_links": EMBED_LINKS,
    "attach_files": ATTACH_FILES,
    "read_message_history": READ_MESSAGE_HISTORY,
    "create_public_threads": CREATE_PUBLIC_THREADS,
    "create_private_threads": CREATE_PRIVATE_THREADS,
    "manage_threads": MANAGE_THREADS,
    "manage_messages": MANAGE_MESSAGES,
    "add_reactions": ADD_REACTIONS,
    "use_external_emojis": USE_EXTERNAL_EMOJIS,
}


def guild_level(member: Member) -> int:
    """Return what a member's roles give in the whole guild."""
    guild = member.guild
    if member.user.id == guild.owner_id:
        return ALL
    bits = guild.roles[guild.id].permissions
    for role_id in member.roles:
        if role_id in guild.roles:
            bits |= guild.roles[role_id].permissions
    return ALL if bits & ADMINISTRATOR else bits


def in_channel(channel: Channel, member: Member | None) -> int:
    """Return what a member may do in a channel; nobody's rights are nought.

    In a thread the parent's overwrites count, and sending is its own right there.
    """
    if channel.guild is None:
        return DIRECT
    if member is None:
        return 0
    base = guild_level(member)
    if base == ALL:
        return ALL
    place = channel
    if channel.is_thread and channel.parent_id in channel.guild.channels:
        place = channel.guild.channels[channel.parent_id]
    everyone = place.overwrites.get(channel.guild.id)
    if everyone:
        base = base & ~everyone.deny | everyone.allow
    allow = deny = 0
    for role_id in member.roles:
        overwrite = place.overwrites.get(role_id)
        if overwrite:
            allow |= overwrite.allow
            deny |= overwrite.deny
    base = base & ~deny | allow
    own = place.overwrites.get(member.user.id)
    if own:
        base = base & ~own.deny | own.allow
    if not base & VIEW_CHANNEL:
        return 0
    if (
        channel.is_private_thread
        and member.user.id not in channel.thread_members
        and not base & MANAGE_THREADS
    ):
        return 0
    sending = SEND_MESSAGES_IN_THREADS if channel.is_thread else SEND_MESSAGES
    if not base & sending:
        base &= ~(EMBED_LINKS | ATTACH_FILES | MENTION_EVERYONE)
    return base


def may_send(channel: Channel, bits: int) -> bool:
    """Say whether these rights allow a message here."""
    return bool(bits & (SEND_MESSAGES_IN_THREADS if channel.is_thread else SEND_MESSAGES))
