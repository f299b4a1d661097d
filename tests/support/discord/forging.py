"""What Discord and people rarely send: presses of controls that no message shows, and errors."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import discord
from simcord.actors import _component_interaction, _dispatch_actor_interaction
from simcord.backend import serializers
from simcord.interactions import base_payload
from simcord.results import InteractionResult

BUTTON, SELECT, MODAL = 2, 3, 5


async def forge(
    person: Any,
    message: Any,
    custom_id: str,
    values: tuple[str, ...] | None = None,
    *,
    kind: int | None = None,
) -> Any:
    """Press `custom_id` on a message, whatever it shows; with `values` as a select."""
    data: dict[str, Any] = {"component_type": kind or (BUTTON if values is None else SELECT)}
    data["custom_id"] = custom_id
    if values is not None:
        data["values"] = list(values)
    stored = person._env.backend.get_message(_channel(message), message.id)
    person._env._begin_operation("forge")
    try:
        return await _component_interaction(person, stored, data)
    finally:
        person._env._end_operation()


async def double_click(
    person: Any, message: Any, custom_id: str, values: tuple[str, ...] | None = None
) -> list[Any]:
    """Two presses of a button, or with `values` of a select, that are both under way before the first is
    answered."""
    return await at_once((person, person), message, custom_id, values)


async def at_once(
    people: Sequence[Any], message: Any, custom_id: str, values: tuple[str, ...] | None = None
) -> list[Any]:
    """A press by each of these, all under way before the first is answered."""
    env, channel = people[0]._env, _channel(message)
    stored = env.backend.get_message(channel, message.id)
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": BUTTON if values is None else SELECT}
    if values is not None:
        data["values"] = list(values)
    records = []
    for person in people:
        record, payload = base_payload(
            env.backend,
            type=3,
            channel_id=channel,
            guild_id=person.guild.id,
            user_id=person.id,
            data=dict(data),
        )
        payload["message"] = dict(serializers.message_payload(env.backend, stored))
        record.source_message_id = stored.id
        records.append(record)
        env.backend.emit("INTERACTION_CREATE", payload)
    await env.settle()
    return [InteractionResult(env, record) for record in records]


def answer_of(result: Any) -> Any:
    """Return the message that answers a press, which comes below the message of a select."""
    return result.followups[0] if result.followups else result.response


async def forge_modal(person: Any, channel: Any, custom_id: str) -> Any:
    """Submit a form that nobody has sent."""
    field = {"type": 4, "custom_id": "text", "value": "hello"}
    data = {"custom_id": custom_id, "components": [{"type": 1, "components": [field]}]}
    person._env._begin_operation("forge")
    try:
        return await _dispatch_actor_interaction(person, MODAL, channel, data)
    finally:
        person._env._end_operation()


def refusal(status: int, code: int) -> discord.HTTPException:
    """What discord.py raises when Discord refuses a call."""
    reply: Any = SimpleNamespace(status=status, reason="", headers={})
    kinds = {403: discord.Forbidden, 404: discord.NotFound, 500: discord.DiscordServerError}
    return kinds.get(status, discord.HTTPException)(reply, {"code": code, "message": "no"})


def blocked(status: int) -> discord.HTTPException:
    """Return what discord.py raises when Cloudflare blocks the bot and answers with a page."""
    reply: Any = SimpleNamespace(status=status, reason="Forbidden", headers={})
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    return kinds.get(status, discord.HTTPException)(reply, "<!DOCTYPE html><html>Access denied</html>")


def _channel(message: Any) -> int:
    return getattr(message, "channel_id", None) or message.channel.id
