"""The baseline of the press benchmark: a bare discord.py bot that answers the same presses without content.

It stores nothing, draws nothing and knows no rules, so it measures the cost of discord.py, the connection and
the machine. `python -m tools bench press --floor` starts it in its own process on the local Discord.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import discord
import yarl
from discord import app_commands, ui

BUTTONS = 10
"""Number of buttons, as for a hand of ten cards."""


def _view(words: str, buttons: list[ui.Button[ui.LayoutView]]) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    rows = [ui.ActionRow(*buttons[at : at + 5]) for at in range(0, len(buttons), 5)]
    view.add_item(ui.Container(ui.TextDisplay(words), *rows))
    view.stop()
    return view


def board() -> ui.LayoutView:
    """Return the public message."""
    verbs = ("join", "start", "hand")
    return _view("A table", [ui.Button(label=verb, custom_id=f"v:{verb}:1") for verb in verbs])


def hand() -> ui.LayoutView:
    """Return the message one person sees."""
    return _view(
        "A hand", [ui.Button(label=f"Card {n}", custom_id=f"v:go:1:0:1:{n}") for n in range(BUTTONS)]
    )


class Bare(discord.Client):
    """A client that answers each press at once."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        """Register the only command."""
        self.tree.add_command(app_commands.Command(name="play", description="Open a table", callback=_play))
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Open a hand for the person who asks, and edit in place the message whose button was pressed."""
        data: Any = interaction.data or {}
        if interaction.type is not discord.InteractionType.component:
            return
        verb = str(data.get("custom_id", "")).split(":")[1]
        if verb == "hand":
            await interaction.response.send_message(view=hand(), ephemeral=True)
        else:
            await interaction.response.edit_message(view=hand() if verb == "go" else board())


async def _play(interaction: discord.Interaction[Any], game: str) -> None:  # noqa: ARG001 - an option of Discord's
    await interaction.response.send_message(view=board())


def main() -> None:
    """Serve until the process receives a signal to end."""
    base = os.environ["VALENCE_DISCORD_BASE"]
    url = yarl.URL(base)
    discord.http.Route.BASE = f"{base}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = url.with_scheme("ws").with_path("/")
    sys.setswitchinterval(0.001)  # as the bot does
    Bare().run(os.environ["DISCORD_TOKEN"], log_handler=None)


if __name__ == "__main__":
    main()
