"""A command of another version that still stands in somebody's menu."""

from __future__ import annotations

from typing import Any

from tests.support.discord.room_play import say
from tests.support.discord.sent_messages import said


async def test_who_uses_a_command_of_another_version_reads_what_to_do(room: Any, monkeypatch: Any) -> None:
    """The list was changed by another program, or by a newer version that was rolled back."""
    bot, backend = room.bot, room.env.backend
    ours = set(backend.commands[None])
    backend.register_commands(None, [{"name": "shuffle", "description": "Shuffle the deck"}])
    monkeypatch.setattr("bot.ui.commands.registered_commands.AT_LEAST_SECONDS", 0.0)
    answer = await room.ann.slash(room.channel, "shuffle")
    room.env.errors  # noqa: B018 - read, and with that forgiven: discord.py logs the unknown command
    assert say("refused.unknown_command") in said(answer.response)
    assert answer.response.ephemeral
    await room.env.settle()
    assert set(backend.commands[None]) == ours
    assert bot.commands is not None
