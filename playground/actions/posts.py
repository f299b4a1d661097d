"""Messages: made, edited and deleted, whoever asked for it, and everybody told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from playground import payloads
from playground import permissions as perm
from playground.errors import ApiError, invalid
from playground.files import Files, Upload, clean_name
from playground.gateway import DIRECT_MESSAGES, GUILD_MESSAGES, GUILDS, Gateway
from playground.hub import Hub
from playground.model import (
    COMPONENTS_V2,
    DM,
    EPHEMERAL,
    LOADING,
    SUPPRESS_EMBEDS,
    SUPPRESS_NOTIFICATIONS,
    Attachment,
    Channel,
    Json,
    PostedMessage,
    User,
)
from playground.rules import components, messages
from playground.schema import check as check_schema
from playground.world import World

KEPT_MESSAGES = 1000
OLD_AFTER, OLD_EDITS = 3600.0, 5
_USER_MENTION = re.compile(r"<@!?(\d+)>")
_ROLE_MENTION = re.compile(r"<@&(\d+)>")
_KEEP_FLAGS = SUPPRESS_EMBEDS | EPHEMERAL | LOADING | SUPPRESS_NOTIFICATIONS | COMPONENTS_V2

_PICKED = {"min_values": 1, "max_values": 1}
# What Discord fills in where a component leaves it out.
_DEFAULTS: dict[int, Json] = {
    **dict.fromkeys(components.SELECTS, _PICKED),
    components.CONTAINER: {"accent_color": None, "spoiler": False},
    components.THUMBNAIL: {"description": None, "spoiler": False},
    components.FILE: {"spoiler": False},
    components.SEPARATOR: {"divider": True, "spacing": 1},
}

Uploads = Mapping[int, Upload]


class Posts:
    """Changes messages and tells the gateway and the people."""

    def __init__(self, world: World, gateway: Gateway, hub: Hub, files: Files) -> None:
        self.world = world
        self.gateway = gateway
        self.hub = hub
        self.files = files

    # Checks -------------------------------------------------------------------------------

    def check(
        self,
        schema: str,
        body: Json,
        uploads: Uploads,
        *,
        old: PostedMessage | None = None,
        data_key: bool = False,
    ) -> None:
        """Check a body for a new message or an edit of `old`. Raises ApiError.

        `data_key`: the body is a callback whose message is under "data".
        """
        check_schema(schema, body)
        inner: Json = (body.get("data") or {}) if data_key else body
        prefix = ("data",) if data_key else ()
        if len(uploads) > messages.MAX_FILES:
            raise invalid((*prefix, "files"), "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
        for upload in uploads.values():
            if len(upload.data) > messages.MAX_FILE:
                raise ApiError(413, 40005, "Request entity too large")
        names: list[str] = []
        for entry in inner.get("attachments") or ():
            number = int(entry["id"])
            if number in uploads:
                names.append(entry.get("filename") or uploads[number].filename)
            elif old is None or all(a.id != number for a in old.attachments):
                raise invalid(
                    (*prefix, "attachments"),
                    "ATTACHMENT_NOT_FOUND",
                    f"Attachment data not found for id {number}",
                )
        names += [upload.filename for upload in uploads.values()]
        names += [a.filename for a in self._kept(inner, uploads, old)]
        messages.check(
            inner,
            prefix=prefix,
            old=old,
            files={*names, *(clean_name(name) for name in names)},
            emojis=self.world.emojis,
        )

    @staticmethod
    def _kept(body: Json, uploads: Uploads, old: PostedMessage | None) -> list[Attachment]:
        if old is None:
            return []
        if "attachments" not in body:
            return list(old.attachments)
        kept = {int(entry["id"]) for entry in body["attachments"] or ()} - set(uploads)
        return [a for a in old.attachments if a.id in kept]

    # Changes ------------------------------------------------------------------------------

    def create(
        self,
        channel: Channel,
        author: User,
        body: Json,
        uploads: Uploads,
        *,
        owner: User | None = None,
        kind: int = 0,
        reference: PostedMessage | None = None,
        interaction: Json | None = None,
        legacy: Json | None = None,
        webhook: bool = False,
        loading: bool = False,
    ) -> PostedMessage:
        """Make a message from a checked body and tell everybody."""
        world = self.world
        message = PostedMessage(
            world.ids.next(), channel, author, kind, created=world.clock.now(), owner=owner
        )
        message.reference, message.interaction, message.legacy_interaction = reference, interaction, legacy
        message.from_webhook, message.tts = webhook, bool(body.get("tts"))
        message.nonce = body.get("nonce")
        flags = int(body.get("flags") or 0) & _KEEP_FLAGS & ~(EPHEMERAL | LOADING)
        message.flags = flags | (EPHEMERAL if owner else 0) | (LOADING if loading else 0)
        self._fill(message, body, uploads)
        channel.messages[message.id] = world.messages[message.id] = message
        channel.last_message_id = message.id
        channel.total_sent += 1
        if channel.archived and not message.ephemeral:
            channel.archived, channel.archive_changed = False, world.clock.now()
            self.tell_channel_changed("THREAD_UPDATE", channel)
        if len(channel.messages) > KEPT_MESSAGES:
            # Ephemerals first: a table may be older than a thousand opened hands.
            oldest = next((m for m in channel.messages.values() if m.ephemeral), None)
            self._forget(oldest or next(iter(channel.messages.values())))
        event = payloads.message_event(message, world=world)
        self._tell_bot("MESSAGE_CREATE", message, event)
        self.hub.tell_channel(channel, "MESSAGE_CREATE", event, owner)
        if channel.is_thread:
            self._mentions_join(message)
        return message

    def edit(self, message: PostedMessage, body: Json, uploads: Uploads) -> PostedMessage:
        """Change a message by a checked body and tell everybody."""
        before = message.attachments
        if message.flags & LOADING:
            message.flags &= ~LOADING
        else:
            message.edited = self.world.clock.now()
        if body.get("flags") is not None:
            message.flags |= int(body["flags"]) & COMPONENTS_V2
            message.flags = message.flags & ~4 | int(body["flags"]) & 4
        self._fill(message, body, uploads)
        for attachment in before:
            if attachment not in message.attachments:
                self.files.release(attachment)
        self.tell_updated(message)
        return message

    def tell_updated(self, message: PostedMessage) -> None:
        """Tell everybody that a message looks different now."""
        event = payloads.message_event(message, world=self.world)
        self._tell_bot("MESSAGE_UPDATE", message, event)
        if not message.dismissed:
            self.hub.tell_channel(message.channel, "MESSAGE_UPDATE", event, message.owner)

    def delete(self, message: PostedMessage) -> None:
        """Delete a message and tell everybody."""
        self._forget(message)
        event = {"id": str(message.id), "channel_id": str(message.channel.id)}
        if message.channel.guild is not None and not message.ephemeral:
            event["guild_id"] = str(message.channel.guild.id)
        self._tell_bot("MESSAGE_DELETE", message, event)
        self.hub.tell_channel(message.channel, "MESSAGE_DELETE", event, message.owner)

    def dismiss(self, message: PostedMessage) -> None:
        """Put an ephemeral away for its owner; the bot's token can still reach it on Discord too."""
        body = {"id": str(message.id), "channel_id": str(message.channel.id)}
        message.dismissed = True
        self.hub.tell_channel(message.channel, "MESSAGE_DELETE", body, message.owner)

    def _forget(self, message: PostedMessage) -> None:
        message.channel.messages.pop(message.id, None)
        self.world.messages.pop(message.id, None)
        for attachment in message.attachments:
            self.files.release(attachment)

    def count_old_edit(self, message: PostedMessage) -> None:
        """Count an edit of a message that is over an hour old. Raises ApiError 30046 at the cap."""
        if self.world.clock.now() - message.created < OLD_AFTER:
            return
        if message.old_edits >= OLD_EDITS:
            raise ApiError(
                429,
                30046,
                "Maximum number of edits to messages older than 1 hour reached. Try again later.",
            )
        message.old_edits += 1

    # Parts of a message -------------------------------------------------------------------

    def _fill(self, message: PostedMessage, body: Json, uploads: Uploads) -> None:
        kept = self._kept(body, uploads, message)
        known = {int(entry["id"]): entry for entry in body.get("attachments") or ()}
        for attachment in kept:
            if known.get(attachment.id, {}).get("description") is not None:
                attachment.description = known[attachment.id]["description"]
        for number, upload in uploads.items():
            entry = known.get(number, {})
            if entry.get("filename"):
                upload.filename = entry["filename"]
            added = self.files.add(upload, message.channel.id, ephemeral=message.ephemeral)
            added.description = entry.get("description")
            added.spoiler = added.spoiler or bool(entry.get("is_spoiler"))
            kept.append(added)
        message.attachments = kept
        if "content" in body:
            message.content = body["content"] or ""
        by_name = {a.filename: a for a in kept}
        if "embeds" in body:
            message.embeds = [self._embed(embed, by_name) for embed in body["embeds"] or ()]
        if "components" in body:
            message.components = self._settle(body["components"] or [], by_name)
        if "content" in body or "components" in body:
            self._mention(message, body.get("allowed_mentions"))

    def _settle(self, items: list[Json], by_name: Mapping[str, Attachment]) -> list[Json]:
        """Return components as Discord gives them back: ids filled in, media resolved."""
        used = {c["id"] for _, c in components.walk(items) if c.get("id")}
        counter = 0

        def settle(item: Json) -> Json:
            nonlocal counter
            body = {**_DEFAULTS.get(item["type"], {})}
            body.update((key, value) for key, value in item.items() if value is not None)
            if not body.get("id"):
                counter += 1
                while counter in used:
                    counter += 1
                body["id"] = counter
            if "components" in body:
                body["components"] = [settle(child) for child in body["components"]]
            if "accessory" in body:
                body["accessory"] = settle(body["accessory"])
            if body["type"] == components.THUMBNAIL:
                body["media"] = self._media(body["media"], by_name)
            elif body["type"] == components.FILE:
                body["file"] = media = self._media(body["file"], by_name)
                body["name"], body["size"] = media.pop("name", None), media.pop("size", None)
            elif body["type"] == components.GALLERY:
                body["items"] = [
                    {
                        "description": None,
                        "spoiler": False,
                        **entry,
                        "media": self._media(entry["media"], by_name),
                    }
                    for entry in body["items"]
                ]
            return body

        return [settle(item) for item in items]

    def _media(self, media: Json, by_name: Mapping[str, Attachment]) -> Json:
        url = str(media["url"])
        if url.startswith("attachment://"):
            name = url.removeprefix("attachment://")
            found = by_name.get(name) or by_name.get(clean_name(name))
        else:
            found = self.files.by_url(url)
        if found is None:
            number = str(self.world.ids.next())
            return {"id": number, "url": url, "proxy_url": url, "loading_state": 3, "content_type": None}
        return {
            "id": str(found.id),
            "url": found.url,
            "proxy_url": found.url,
            "width": found.width,
            "height": found.height,
            "content_type": found.content_type,
            "loading_state": 2,
            "attachment_id": str(found.id),
            "name": found.filename,
            "size": len(found.data),
        }

    def _embed(self, embed: Json, by_name: Mapping[str, Attachment]) -> Json:
        body = {"type": "rich", **{key: value for key, value in embed.items() if value is not None}}
        for spot in ("image", "thumbnail"):
            if spot in body:
                media = self._media(body[spot], by_name)
                body[spot] = {k: media.get(k) for k in ("url", "proxy_url", "width", "height")}
        return body

    def _mention(self, message: PostedMessage, allowed: Any) -> None:
        texts = [message.content]
        texts += [
            c["content"] for _, c in components.walk(message.components) if c["type"] == components.TEXT
        ]
        text = "\n".join(texts)
        parse = ("users", "roles", "everyone") if allowed is None else allowed.get("parse") or ()
        named = {int(i) for i in (allowed or {}).get("users") or ()}
        found = {int(i) for i in _USER_MENTION.findall(text)}
        wanted = [u for u in found if "users" in parse or u in named]
        message.mentions = [self.world.users[u] for u in wanted if u in self.world.users]
        guild = message.channel.guild
        roles = {int(i) for i in _ROLE_MENTION.findall(text)}
        named_roles = {int(i) for i in (allowed or {}).get("roles") or ()}
        message.mention_roles = [
            r for r in roles if guild and r in guild.roles and ("roles" in parse or r in named_roles)
        ]
        may = self.world.rights(message.channel, message.author) & perm.MENTION_EVERYONE
        loud = "@everyone" in text or "@here" in text
        message.mention_everyone = bool(may and loud and "everyone" in parse)

    def _mentions_join(self, message: PostedMessage) -> None:
        channel = message.channel
        for user in (message.author, *message.mentions):
            if user.id not in channel.thread_members and not message.ephemeral:
                self.join_thread(channel, user)

    def join_thread(self, channel: Channel, user: User) -> None:
        """Add a member to a thread and tell everybody."""
        channel.thread_members[user.id] = self.world.clock.now()
        if channel.guild is None:
            return
        body = {
            "id": str(channel.id),
            "guild_id": str(channel.guild.id),
            "member_count": len(channel.thread_members),
            "added_members": [payloads.thread_member(channel, user.id)],
            "removed_member_ids": [],
        }
        if channel.guild.installed and (user is self.world.bot or self.gateway.intents() & 2):
            self.gateway.dispatch("THREAD_MEMBERS_UPDATE", body, guild_id=channel.guild.id, intent=GUILDS)
        self.hub.places_changed()

    # Telling ------------------------------------------------------------------------------

    def _tell_bot(self, event: str, message: PostedMessage, body: Json) -> None:
        channel, world = message.channel, self.world
        guild = channel.guild
        if guild is not None and not guild.installed:
            return
        if guild is None and channel.kind != DM:
            return
        if guild is None or message.ephemeral:
            body = {k: v for k, v in body.items() if k not in ("guild_id", "member")}
            self.gateway.dispatch(event, body, guild_id=None, intent=DIRECT_MESSAGES)
            return
        if not world.rights(channel, world.bot) & perm.VIEW_CHANNEL:
            return
        hidden = (
            event != "MESSAGE_DELETE"
            and message.author is not world.bot
            and world.bot not in message.mentions
        )
        self.gateway.dispatch(event, body, guild_id=guild.id, intent=GUILD_MESSAGES, without_content=hidden)

    def tell_channel_changed(self, event: str, channel: Channel) -> None:
        """Tell the bot and the people of a channel or thread that is new, changed or gone."""
        body = payloads.channel(channel)
        if event == "THREAD_DELETE":
            body = {k: body[k] for k in ("id", "guild_id", "parent_id", "type")}
        guild = channel.guild
        bot = self.world.bot
        seen = not channel.is_thread or bool(self.world.rights(channel, bot) & perm.VIEW_CHANNEL)
        if guild is not None and guild.installed and seen:
            extra: Json = {}
            if event == "THREAD_CREATE":
                extra["newly_created"] = True
                if bot.id in channel.thread_members:
                    extra["member"] = payloads.thread_member(channel, bot.id)
            self.gateway.dispatch(event, {**body, **extra}, guild_id=guild.id, intent=GUILDS)
        self.hub.places_changed()
