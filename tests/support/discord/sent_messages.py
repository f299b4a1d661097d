"""Texts and controls of messages that the bot sent to the simulated Discord."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import discord

from bot import custom_ids as ids


def custom_ids(components: Iterable[Any]) -> Iterator[str]:
    for component in components:
        if custom_id := component.get("custom_id"):
            yield custom_id
        yield from custom_ids(component.get("components", ()))
        if accessory := component.get("accessory"):
            yield from custom_ids([accessory])


def texts(components: Iterable[Any]) -> Iterator[str]:
    for component in components:
        yield component.get("content", "")
        yield from texts(component.get("components", ()))


def said(message: Any) -> str:
    """Return all texts of a message; of one that was only recorded, its components as they were sent."""
    try:
        return "\n".join(filter(None, [message.content, *texts(message.components)]))
    except AttributeError:
        return f"{message.content}\n{message.components}"


def verbs(message: Any) -> set[str]:
    return {ids.parse(custom_id).verb for custom_id in custom_ids(message.components)}


def heard(view: discord.ui.LayoutView) -> str:
    """Texts and labels, one to a line."""
    found = []
    for item in view.walk_children():
        found += getattr(item, "content", "").splitlines()
        found.append(getattr(getattr(item, "item", item), "label", None) or "")
    return "\n".join(filter(None, found))


def written(room: Any) -> list[tuple[int, str]]:
    """What the bot has written to people alone, each with who it was."""
    recipients = {
        channel.id: next(user for user in channel.recipient_ids if user != room.bot.user.id)
        for channel in room.env.backend.channels.values()
        if channel.type == discord.ChannelType.private.value
    }
    return [
        (recipients[message.channel_id], f"{message.content}\n{message.components}")
        for channel in recipients
        for message in room.env.backend.messages[channel].values()
    ]
