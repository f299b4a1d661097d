"""The world's things as the JSON that Discord sends."""

from __future__ import annotations

from datetime import UTC, datetime

from playground import permissions as perm
from playground.model import (
    DM,
    GROUP_DM,
    HAS_THREAD,
    Channel,
    Command,
    Emoji,
    Guild,
    Json,
    Member,
    PostedMessage,
    Role,
    User,
)
from playground.world import World

ATTACHMENT_LIMIT = 10 * 1024 * 1024


def iso(seconds: float) -> str:
    """Return a time as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")


def user(u: User) -> Json:
    """A user object."""
    return {
        "id": str(u.id),
        "username": u.username,
        "discriminator": "0000" if u.bot else "0",
        "global_name": None if u.bot else u.name,
        "avatar": None,
        "bot": u.bot,
        "system": False,
        "public_flags": 0,
        "flags": 0,
        "banner": None,
        "accent_color": None,
        "avatar_decoration_data": None,
        "primary_guild": None,
        "collectibles": None,
    }


def own_user(world: World) -> Json:
    """The bot's own user object."""
    return {**user(world.bot), "mfa_enabled": True, "verified": True, "email": None, "locale": "en-US"}


def member(m: Member, *, with_user: bool = True, channel: Channel | None = None) -> Json:
    """A member object; with a channel also the rights there, as interactions carry them."""
    body: Json = {
        "roles": [str(role) for role in m.roles],
        "nick": m.nick,
        "avatar": None,
        "banner": None,
        "joined_at": iso(m.joined),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
        "communication_disabled_until": None,
        "avatar_decoration_data": None,
    }
    if with_user:
        body["user"] = user(m.user)
    if channel is not None:
        body["permissions"] = str(perm.in_channel(channel, m))
    return body


def role(r: Role, guild: Guild) -> Json:
    """A role object."""
    body: Json = {
        "id": str(r.id),
        "name": r.name,
        "color": r.colour,
        "colors": {"primary_color": r.colour, "secondary_color": None, "tertiary_color": None},
        "hoist": r.hoist,
        "icon": None,
        "unicode_emoji": None,
        "position": r.position,
        "permissions": str(r.permissions),
        "managed": r.managed_by is not None,
        "mentionable": r.id != guild.id and r.managed_by is None,
        "flags": 0,
    }
    if r.managed_by is not None:
        body["tags"] = {"bot_id": str(r.managed_by)}
    return body


def channel(c: Channel, *, viewer: User | None = None) -> Json:
    """A channel object of any kind."""
    body: Json = {"id": str(c.id), "type": c.kind, "flags": 0}
    body["last_message_id"] = str(c.last_message_id) if c.last_message_id else None
    if c.kind in (DM, GROUP_DM):
        body["recipients"] = [user(u) for u in c.recipients if u is not viewer]
        if c.kind == GROUP_DM:
            body.update(name=c.name, icon=None, owner_id=str(c.owner_id))
        return body
    if c.guild is None:
        raise AssertionError("a guild channel without a guild")
    body.update(
        guild_id=str(c.guild.id),
        name=c.name,
        parent_id=str(c.parent_id) if c.parent_id else None,
        rate_limit_per_user=c.slowmode,
        # may be there as null by now; in a group DM it still is a number, and there only where an app made it
        application_id=None,
    )
    if c.is_thread:
        body.update(
            owner_id=str(c.owner_id),
            message_count=c.total_sent,
            total_message_sent=c.total_sent,
            member_count=len(c.thread_members),
            thread_metadata=thread_metadata(c),
            applied_tags=[],
        )
        return body
    body.update(
        topic=c.topic,
        position=c.position,
        nsfw=False,
        default_auto_archive_duration=1440,
        permission_overwrites=[
            {"id": str(o.id), "type": o.kind, "allow": str(o.allow), "deny": str(o.deny)}
            for o in c.overwrites.values()
        ],
    )
    return body


def thread_metadata(c: Channel) -> Json:
    """The part of a thread that says whether it is archived."""
    body: Json = {
        "archived": c.archived,
        "archive_timestamp": iso(c.archive_changed),
        "auto_archive_duration": c.auto_archive,
        "locked": c.locked,
        "create_timestamp": iso(c.created),
    }
    if c.is_private_thread:
        body["invitable"] = c.invitable
    return body


def thread_member(c: Channel, user_id: int) -> Json:
    """One member of a thread."""
    joined = c.thread_members.get(user_id, c.created)
    return {"id": str(c.id), "user_id": str(user_id), "join_timestamp": iso(joined), "flags": 0}


def guild(g: Guild) -> Json:
    """A guild object as REST answers it."""
    return {
        "id": str(g.id),
        "name": g.name,
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "banner": None,
        "description": None,
        "owner_id": str(g.owner_id),
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "home_header": None,
        "nsfw": False,
        "widget_channel_id": None,
        "widget_enabled": False,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "features": [],
        "emojis": [],
        "stickers": [],
        "roles": [role(r, g) for r in g.roles.values()],
        "application_id": None,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "safety_alerts_channel_id": None,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": g.locale,
        "nsfw_level": 0,
        "max_members": 500000,
        "max_presences": None,
        "max_video_channel_users": 25,
        "max_stage_video_channel_users": 50,
        "incidents_data": None,
    }


def guild_create(world: World, g: Guild, *, all_members: bool) -> Json:
    """The GUILD_CREATE event; without the members intent it holds the bot alone."""
    body = guild(g)
    shown = [m for m in g.members.values() if all_members or m.user is world.bot]
    threads = [
        c
        for c in world.channels.values()
        if c.guild is g and c.is_thread and not c.archived and world.rights(c, world.bot) & perm.VIEW_CHANNEL
    ]
    body.update(
        joined_at=iso(g.members[world.bot.id].joined),
        large=not all_members and len(g.members) > 50,
        unavailable=False,
        member_count=len(g.members),
        members=[member(m) for m in shown],
        channels=[channel(c) for c in g.channels.values()],
        threads=[
            {**channel(c), "member": thread_member(c, world.bot.id)}
            if world.bot.id in c.thread_members
            else channel(c)
            for c in threads
        ],
        voice_states=[],
        presences=[],
        stage_instances=[],
        guild_scheduled_events=[],
        soundboard_sounds=[],
    )
    return body


def message(m: PostedMessage, *, world: World, depth: int = 0) -> Json:
    """A message object."""
    body: Json = {
        "id": str(m.id),
        "channel_id": str(m.channel.id),
        "type": m.kind,
        "author": user(m.author),
        "content": m.content,
        "timestamp": iso(m.created),
        "edited_timestamp": iso(m.edited) if m.edited else None,
        "tts": m.tts,
        "mention_everyone": m.mention_everyone,
        "mentions": [user(u) for u in m.mentions],
        "mention_roles": [str(r) for r in m.mention_roles],
        "attachments": [a.payload() for a in m.attachments],
        "embeds": m.embeds,
        "components": m.components,
        "pinned": m.pinned,
        "flags": m.flags | (HAS_THREAD if m.thread else 0),
    }
    if m.reactions:
        body["reactions"] = [reaction(world, e, who) for e, who in m.reactions.items()]
    if m.from_webhook:
        body["webhook_id"] = str(world.application_id)
    if m.author is world.bot:
        body["application_id"] = str(world.application_id)
    if m.interaction is not None:
        body["interaction_metadata"] = m.interaction
    if m.legacy_interaction is not None:
        body["interaction"] = m.legacy_interaction
    if m.nonce is not None:
        body["nonce"] = m.nonce
    if m.thread is not None:
        body["thread"] = channel(m.thread)
    if m.reference is not None:
        other = m.reference
        body["message_reference"] = {
            "type": 0,
            "channel_id": str(other.channel.id),
            "message_id": str(other.id),
            **({"guild_id": str(other.channel.guild.id)} if other.channel.guild else {}),
        }
        if depth == 0:
            alive = other.id in world.messages
            body["referenced_message"] = message(other, world=world, depth=1) if alive else None
    return body


def reaction(world: World, emoji: str, who: list[int]) -> Json:
    """One reaction of a message."""
    name, _, number = emoji.partition(":")
    return {
        "emoji": {"id": number or None, "name": name},
        "count": len(who),
        "count_details": {"normal": len(who), "burst": 0},
        "me": world.bot.id in who,
        "me_burst": False,
        "burst_me": False,
        "burst_count": 0,
        "burst_colors": [],
        "user_ids": [str(u) for u in who],
    }


def message_event(m: PostedMessage, *, world: World, body: Json | None = None) -> Json:
    """A message as MESSAGE_CREATE carries it: with guild and member, which ephemerals lack."""
    event = dict(body if body is not None else message(m, world=world))
    place = m.channel.guild
    if place is not None and not m.ephemeral:
        event["guild_id"] = str(place.id)
        author = place.members.get(m.author.id)
        if author is not None:
            event["member"] = member(author, with_user=False)
    event["channel_type"] = m.channel.kind
    return event


def application(world: World) -> Json:
    """The application object of the bot."""
    owner = next(u for u in world.users.values() if u.key == "owner")
    return {
        "id": str(world.application_id),
        "name": world.bot.name,
        "icon": None,
        "description": world.bio,
        "type": None,
        "bot": user(world.bot),
        "summary": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "hook": True,
        "is_monetized": False,
        "owner": user(owner),
        "team": None,
        "rpc_origins": [],
        "tags": ["games"],
        "install_params": {"scopes": ["bot", "applications.commands"], "permissions": str(perm.BOT)},
        "integration_types_config": {"0": {}, "1": {}},
        "approximate_guild_count": sum(g.installed for g in world.guilds.values()),
        "approximate_user_install_count": len(world.people),
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
        "interactions_endpoint_url": None,
        "redirect_uris": [],
        "role_connections_verification_url": None,
        "event_webhooks_status": 1,
    }


def emoji(e: Emoji) -> Json:
    """An application emoji."""
    return {
        "id": str(e.id),
        "name": e.name,
        "animated": e.animated,
        "user": user(e.creator),
        "roles": [],
        "require_colons": True,
        "managed": False,
        "available": True,
    }


def command(c: Command, world: World) -> Json:
    """A registered command."""
    body: Json = {
        "id": str(c.id),
        "application_id": str(world.application_id),
        "version": str(c.version),
        "type": c.kind,
        "default_member_permissions": None,
        "name_localizations": None,
        "description_localizations": None,
        "description": "",
        "nsfw": False,
        **{k: v for k, v in c.body.items() if k != "id"},
    }
    permissions = body["default_member_permissions"]
    body["default_member_permissions"] = None if permissions is None else str(permissions)
    if c.guild_id is not None:
        body["guild_id"] = str(c.guild_id)
    else:
        body.setdefault("integration_types", [0])
        body.setdefault("contexts", None)
        body.setdefault("dm_permission", True)
    return body
