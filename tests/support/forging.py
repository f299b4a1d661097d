"""Presses that no client would send: of controls that a message does not show, or of the wrong kind."""

from __future__ import annotations

from typing import Any

from simcord.actors import _component_interaction, _dispatch_actor_interaction

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


async def forge_modal(person: Any, channel: Any, custom_id: str) -> Any:
    """Submit a form that nobody has sent."""
    field = {"type": 4, "custom_id": "text", "value": "hello"}
    data = {"custom_id": custom_id, "components": [{"type": 1, "components": [field]}]}
    person._env._begin_operation("forge")
    try:
        return await _dispatch_actor_interaction(person, MODAL, channel, data)
    finally:
        person._env._end_operation()


def _channel(message: Any) -> int:
    return getattr(message, "channel_id", None) or message.channel.id
