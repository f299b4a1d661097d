"""Autocomplete of command options. If it fails, it offers nothing."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

import structlog
from discord import app_commands

from bot.core.errors import Refused
from bot.store.database import StoreError
from bot.ui.app import Interaction
from bot.ui.context import Answer
from bot.ui.discord_errors import NOT_DONE, reason

log = structlog.get_logger(__name__)

MOST = 25
"""Discord's limit for choices."""
LONGEST = 100
"""Discord's limit for the name of a choice, in characters."""
Choices: TypeAlias = Sequence[app_commands.Choice[Any]]
Lister: TypeAlias = Callable[[Answer, str], Awaitable[Choices]]
"""A function from the person's answer and the text typed so far to the choices.

`answer.interaction.namespace` holds the other options, including half-typed values.
"""


class _NotOffered(logging.Filter):
    """Filters out errors of choices that Discord did not accept.

    The person has typed on or the connection broke, and the next letter asks again. discord.py sends the
    choices itself and only logs the error.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, NOT_DONE):
            return True
        log.info("choices not offered", why=reason(error))
        return False


logging.getLogger("discord.app_commands.tree").addFilter(_NotOffered())


def completes(option: str, *commands: app_commands.Command[Any, Any, Any]) -> Callable[[Lister], Lister]:
    """Register the decorated function as the autocomplete of this option of these commands.

    It gets the first `LONGEST` characters, since Discord lets people type 6,000. Requests that come faster
    than anyone types get an empty list. The function may raise: if a command would refuse, there is nothing
    to choose, and the refusal is shown when the command is sent.
    """

    def register(lister: Lister) -> Lister:
        async def offer(interaction: Interaction, current: str) -> list[app_commands.Choice[Any]]:
            choices: list[app_commands.Choice[Any]] = []
            answer = Answer.to(interaction)
            if not answer.app.typing.allows(answer.user_id):
                return choices
            try:
                choices = list(await lister(answer, str(current or "")[:LONGEST]))[:MOST]
            except Refused:
                pass
            except StoreError as error:
                log.warning("nothing offered", option=option, kind=error.kind)
            except Exception as error:  # noqa: BLE001 - a failure must not stop the person from typing
                answer.note(error, option=option)
            return choices

        for command in commands:
            command.autocomplete(option)(offer)
        return lister

    return register
