"""A simulated Discord that refuses files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord
import pytest


def refuse_files(patch: pytest.MonkeyPatch, error: Callable[[], Exception]) -> None:
    """Let Discord refuse every message with a file."""
    ways = [
        (discord.InteractionResponse, "send_message"),
        (discord.InteractionResponse, "edit_message"),
        (discord.Interaction, "edit_original_response"),
        (discord.Webhook, "send"),
        (discord.PartialMessage, "edit"),
        (discord.PartialMessageable, "send"),
    ]
    for kind, name in ways:
        whole = getattr(kind, name)

        async def send(self: Any, *args: Any, whole: Any = whole, **how: Any) -> Any:
            files = [*(how.get("files") or ()), *(how.get("attachments") or ())]
            if any(isinstance(file, discord.File) for file in files):
                raise error()
            return await whole(self, *args, **how)

        patch.setattr(kind, name, send)
