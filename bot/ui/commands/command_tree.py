"""The tree of slash commands."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import discord
import structlog
from discord import app_commands

from bot.core.errors import Refused
from bot.telemetry.trace import begin
from bot.typed_names import release_converters
from bot.ui.app import Connected
from bot.ui.commands.command_translations import MenuTranslator
from bot.ui.context import Answer
from bot.ui.feature_loader import load
from bot.ui.router import explain, gate, refuse

log = structlog.get_logger(__name__)

ENTRY_POINT = 4
"""The type of a command that starts an Activity."""
UPDATED = frozenset(
    (
        "id",
        "type",
        "name",
        "name_localizations",
        "handler",
        "contexts",
        "integration_types",
        "default_member_permissions",
    )
)
"""The fields of an existing command that may be sent back when all commands are replaced."""


UNKNOWN = (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch)
"""Errors of commands that Discord knows but this version does not, or not with these options."""


class Tree(app_commands.CommandTree[Connected]):
    """The commands of the bot. Every failure in one is explained to the person."""

    async def interaction_check(self, interaction: Any, /) -> bool:
        """Refuse commands while the bot is stopping, or from people who send them too fast."""
        if interaction.type is discord.InteractionType.autocomplete:
            interaction.client.note_press()
            return True  # autocomplete changes nothing, and offers nothing if it fails
        if refusal := gate(interaction):
            await refuse(Answer.to(interaction), refusal)
        else:
            self._follow(interaction)
            await interaction.client.app.preferences.of(interaction.user.id)
            Answer.to(interaction).note_language()
        return not refusal

    @staticmethod
    def _follow(interaction: Any) -> None:
        """Measure the time of the command until its task ends."""
        name = interaction.command.qualified_name if interaction.command is not None else "unknown"
        trace, task = interaction.client.app.reply_priority.press(f"/{name}"), asyncio.current_task()
        begin(trace)
        if task is not None:
            task.add_done_callback(lambda _: interaction.client.app.metrics.ended(trace))

    async def payload(self) -> list[dict[str, Any]]:
        """Return all commands in the form that Discord stores, with translations for every language of its
        menu."""
        translator = self.translator or MenuTranslator()
        payload = [await command.get_translated_payload(self, translator) for command in self.get_commands()]
        release_converters()  # the converter into Traditional Chinese takes 8 MiB and is only used here
        return payload

    async def listed(self) -> list[Any] | None:
        """Return the commands that Discord has, or None if it has no list, as with a test server."""
        with contextlib.suppress(discord.NotFound):  # for an unknown application the next request fails too
            return list(await self.client.http.get_global_commands(self._number))
        return None

    @property
    def _number(self) -> int:
        if self.client.application_id is None:
            raise discord.app_commands.MissingApplicationID
        return self.client.application_id

    async def publish(self, payload: list[dict[str, Any]], known: list[Any]) -> list[Any]:
        """Replace the commands that Discord has (`known`). Return its new list.

        Discord adds an Entry Point command to an app with an Activity. It is not ours, but Discord refuses a
        list without it, and `sync` of discord.py 2.7 does not know it.
        """
        foreign = [
            {key: value for key, value in command.items() if key in UPDATED and value is not None}
            for command in known
            if command["type"] == ENTRY_POINT
        ]
        commands: list[Any] = [*payload, *foreign]
        return list(await self.client.http.bulk_upsert_global_commands(self._number, payload=commands) or ())

    async def on_error(self, interaction: Any, error: app_commands.AppCommandError, /) -> None:
        """Tell the person what went wrong, without a traceback."""
        cause: Exception = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        if isinstance(error, UNKNOWN):
            log.warning("unknown command", why=str(error))
            self.client.refresh_commands()
            cause = Refused("unknown_command")
        await explain(Answer.to(interaction), cause)


def add_all(tree: Tree) -> None:
    """Add every command to the tree."""
    for feature in load().values():
        for add in feature.add_commands:
            add(tree)
