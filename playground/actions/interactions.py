"""Interactions: sent to the bot, answered within 3 s, followed up for 15 minutes."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque

from playground import payloads
from playground import permissions as perm
from playground.actions.posts import Posts, Uploads
from playground.errors import (
    ApiError,
    already_acknowledged,
    invalid,
    invalid_webhook_token,
    unknown,
)
from playground.gateway import Gateway
from playground.model import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    DM,
    EPHEMERAL,
    LOADING,
    MODAL_SUBMIT,
    Channel,
    Interaction,
    Json,
    PostedMessage,
    User,
)
from playground.rules import commands, messages
from playground.schema import CALLBACKS
from playground.schema import check as check_schema
from playground.world import World

ANSWER_WITHIN, TOKEN_LIVES = 3.0, 15 * 60.0
FOREIGN_FOLLOWUPS = 5

_ALLOWED = {
    COMMAND: (4, 5, 9),
    COMPONENT: (4, 5, 6, 7, 9),
    AUTOCOMPLETE: (8,),
    MODAL_SUBMIT: (4, 5),
}


class Interactions:
    """All interactions that may still be answered or followed up."""

    def __init__(self, world: World, gateway: Gateway, posts: Posts) -> None:
        self.world = world
        self.gateway = gateway
        self.posts = posts
        self._clock = world.clock
        self._by_id: dict[int, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}
        self._order: deque[Interaction] = deque()

    # Opening ------------------------------------------------------------------------------

    def open(
        self,
        kind: int,
        user: User,
        channel: Channel,
        data: Json,
        *,
        owners: Json,
        message: PostedMessage | None = None,
        command_name: str | None = None,
        opener: Interaction | None = None,
    ) -> Interaction:
        """Send an interaction to the bot and start its 3 s."""
        self._prune()
        it = Interaction(
            self.world.ids.next(),
            secrets.token_urlsafe(48),
            kind,
            user,
            channel,
            self._clock.now(),
            data,
            message=message,
            command_name=command_name,
            owners=owners,
            opener=opener,
        )
        it.started = time.perf_counter()
        it.first = asyncio.get_running_loop().create_future()
        self._by_id[it.id] = self._by_token[it.token] = it
        self._order.append(it)
        it.timer = self._clock.call_later(ANSWER_WITHIN, lambda: self._fail(it))
        guild_id = channel.guild.id if channel.guild else None
        self.gateway.dispatch("INTERACTION_CREATE", self._payload(it), guild_id=guild_id)
        return it

    def _payload(self, it: Interaction) -> Json:
        world, channel, user = self.world, it.channel, it.user
        place = payloads.channel(channel, viewer=user if channel.kind == DM else None)
        if channel.kind == DM:
            place["recipients"] = [payloads.user(u) for u in channel.recipients]
        place["permissions"] = str(world.rights(channel, user))
        body: Json = {
            "id": str(it.id),
            "application_id": str(world.application_id),
            "type": it.kind,
            "token": it.token,
            "version": 1,
            "data": it.data,
            "channel": place,
            "channel_id": str(channel.id),
            "locale": user.locale,
            "app_permissions": str(self.app_rights(channel, user)),
            "entitlements": [],
            "entitlement_sku_ids": [],
            "authorizing_integration_owners": it.owners,
            "context": context_of(channel),
            "attachment_size_limit": payloads.ATTACHMENT_LIMIT,
        }
        guild = channel.guild
        if guild is not None:
            body["guild_id"] = str(guild.id)
            body["guild"] = {"id": str(guild.id), "locale": guild.locale, "features": []}
            body["guild_locale"] = guild.locale
            body["member"] = payloads.member(guild.members[user.id], channel=channel)
        else:
            body["user"] = payloads.user(user)
        if it.message is not None:
            body["message"] = payloads.message(it.message, world=world)
        return body

    def app_rights(self, channel: Channel, user: User) -> int:
        """Return the rights that the application has in an interaction here."""
        if channel.guild is not None and not channel.guild.installed:
            brought = perm.EMBED_LINKS | perm.ATTACH_FILES | perm.MENTION_EVERYONE | perm.USE_EXTERNAL_EMOJIS
            return self.world.rights(channel, user) & brought
        if channel.guild is None:
            return perm.DIRECT
        return self.world.rights(channel, self.world.bot)

    def _fail(self, it: Interaction) -> None:
        if not it.answered:
            it.failed = True
            self._settle(it, {"kind": "failed"})

    def _settle(self, it: Interaction, result: Json) -> None:
        if it.timer is not None:
            it.timer.cancel()
            it.timer = None
        result.update(id=str(it.id), latency=time.perf_counter() - it.started)
        if it.first is not None and not it.first.done():
            it.first.set_result(result)

    def _prune(self) -> None:
        limit = self._clock.now() - TOKEN_LIVES - 60
        while self._order and self._order[0].created < limit:
            old = self._order.popleft()
            self._by_id.pop(old.id, None)
            self._by_token.pop(old.token, None)

    def get(self, interaction_id: int) -> Interaction | None:
        """Return an interaction that is not yet forgotten."""
        return self._by_id.get(interaction_id)

    # First answers ------------------------------------------------------------------------

    def answer(self, interaction_id: int, token: str, body: Json, uploads: Uploads) -> Json:
        """Take the bot's first answer. Returns the callback response. Raises ApiError."""
        it = self._by_id.get(interaction_id)
        if it is None or it.token != token:
            raise unknown("interaction")
        if it.answered:
            raise already_acknowledged()
        if it.failed or self._clock.now() - it.created > ANSWER_WITHIN:
            raise unknown("interaction")
        kind = body.get("type")
        allowed = _ALLOWED[it.kind]
        if it.kind == MODAL_SUBMIT and it.message is not None:
            allowed = (*allowed, 6, 7)
        if kind not in allowed or not isinstance(kind, int):
            options = ", ".join(str(k) for k in allowed)
            raise invalid(("type",), "BASE_TYPE_CHOICES", f"Value must be one of {{{options}}}.")
        message, extra = self._first(it, kind, body, uploads)
        it.answered, it.answer_kind = True, kind
        if message is not None:
            it.touched.add(message.id)
        result: Json = {"kind": kind, "message_id": str(message.id) if message else None, **extra}
        result["ephemeral"] = bool(message and message.ephemeral)
        self._settle(it, result)
        return self._callback_response(it, kind, message)

    def _first(
        self, it: Interaction, kind: int, body: Json, uploads: Uploads
    ) -> tuple[PostedMessage | None, Json]:
        data: Json = body.get("data") or {}
        if kind in (4, 5):
            if it.channel.id not in self.world.channels:
                raise unknown("Channel")
            if kind == 4:
                self.posts.check(CALLBACKS[4], body, uploads, data_key=True)
            else:
                check_schema(CALLBACKS[5], body)
            owner = it.user if int(data.get("flags") or 0) & EPHEMERAL else None
            it.original = self._post(it, data if kind == 4 else {}, uploads, owner=owner, loading=kind == 5)
            return it.original, {}
        if kind == 6:
            it.original = it.message
            return None, {}
        if kind == 7:
            message = it.message
            if message is None or message.id not in self.world.messages:
                raise unknown("Message")
            self.posts.check(CALLBACKS[7], body, uploads, old=message, data_key=True)
            it.original = self.posts.edit(message, data, uploads)
            return message, {}
        check_schema(CALLBACKS[kind], body)
        if kind == 8:
            commands.check_choices(data)
            return None, {"choices": data.get("choices") or []}
        messages.check_modal(data, self.world.emojis)
        it.modal = data
        return None, {"modal": data}

    def _post(
        self, it: Interaction, data: Json, uploads: Uploads, *, owner: User | None, loading: bool = False
    ) -> PostedMessage:
        kind, reference = 0, None
        root = it.opener if it.kind == MODAL_SUBMIT and it.opener else it
        if root.kind == COMMAND:
            kind = 20 if root.data.get("type", 1) == 1 else 23
        elif it.message is not None:
            kind, reference = 19, it.message
        legacy = None
        if root.kind == COMMAND:
            legacy = {
                "id": str(root.id),
                "type": COMMAND,
                "name": root.command_name,
                "user": payloads.user(it.user),
            }
        return self.posts.create(
            it.channel,
            self.world.bot,
            data,
            uploads,
            owner=owner,
            kind=kind,
            reference=reference,
            interaction=metadata(it),
            legacy=legacy,
            webhook=True,
            loading=loading,
        )

    def _callback_response(self, it: Interaction, kind: int, message: PostedMessage | None) -> Json:
        inner: Json = {"id": str(it.id), "type": it.kind}
        resource: Json = {"type": kind}
        if message is not None:
            inner["response_message_id"] = str(message.id)
            inner["response_message_loading"] = bool(message.flags & LOADING)
            inner["response_message_ephemeral"] = message.ephemeral
            resource["message"] = payloads.message(message, world=self.world)
        return {"interaction": inner, "resource": resource}

    # Follow-ups ---------------------------------------------------------------------------

    def by_token(self, token: str) -> Interaction:
        """Return the answered interaction of a live token. Raises ApiError 50027 or 10015."""
        it = self._by_token.get(token)
        if it is None or self._clock.now() - it.created > TOKEN_LIVES:
            raise invalid_webhook_token()
        if not it.answered:
            raise unknown("Webhook")
        return it

    def follow_up(self, token: str, body: Json, uploads: Uploads) -> PostedMessage:
        """Post a follow-up; the first one after a deferral fills the deferred message in."""
        it = self.by_token(token)
        if it.channel.id not in self.world.channels:
            raise unknown("Channel")
        self.posts.check("IncomingWebhookRequestPartial", body, uploads)
        waiting = it.original
        if it.answer_kind == 5 and waiting and waiting.flags & LOADING and waiting.id in self.world.messages:
            return self.posts.edit(waiting, body, uploads)
        if "0" not in it.owners and it.channel.guild is not None:
            if it.followups >= FOREIGN_FOLLOWUPS:
                raise ApiError(
                    400, 40094, "This interaction has reached maximum number of follow-up messages"
                )
            it.followups += 1
        owner = it.user if int(body.get("flags") or 0) & EPHEMERAL else None
        reference = it.original if it.original and it.original.id in self.world.messages else None
        message = self.posts.create(
            it.channel,
            self.world.bot,
            body,
            uploads,
            owner=owner,
            kind=19 if reference else 0,
            reference=reference,
            interaction=metadata(it),
            webhook=True,
        )
        it.touched.add(message.id)
        return message

    def message_of(self, token: str, which: str) -> PostedMessage:
        """Return the message that a token may read and change. Raises ApiError 10008."""
        it = self.by_token(token)
        if which == "@original":
            found = it.original
        else:
            number = int(which) if which.isdecimal() else 0
            mine = number in it.touched or (it.message is not None and number == it.message.id)
            found = self.world.messages.get(number) if mine else None
        if found is None or found.id not in self.world.messages:
            raise unknown("Message")
        return found

    def edit(self, token: str, which: str, body: Json, uploads: Uploads) -> PostedMessage:
        """Edit a message by token."""
        message = self.message_of(token, which)
        self.posts.check("IncomingWebhookUpdateRequestPartial", body, uploads, old=message)
        return self.posts.edit(message, body, uploads)

    def delete(self, token: str, which: str) -> None:
        """Delete a message by token."""
        self.posts.delete(self.message_of(token, which))


def context_of(channel: Channel) -> int:
    """Return the interaction context of a channel: guild, DM with the bot, or a private channel."""
    if channel.guild is not None:
        return 0
    return 1 if channel.kind == DM else 2


def metadata(it: Interaction) -> Json:
    """Return what a message says of the interaction that made it."""
    body: dict[str, object] = {
        "id": str(it.id),
        "type": it.kind,
        "user": payloads.user(it.user),
        "authorizing_integration_owners": it.owners,
    }
    if it.kind == COMMAND:
        body["name"] = it.command_name
        body["command_type"] = it.data.get("type", 1)
        if "target_id" in it.data:
            body["target_message_id"] = it.data["target_id"]
    elif it.kind == COMPONENT and it.message is not None:
        body["interacted_message_id"] = str(it.message.id)
    elif it.kind == MODAL_SUBMIT and it.opener is not None:
        body["triggering_interaction_metadata"] = metadata(it.opener)
    return body
