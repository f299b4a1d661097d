"""What is offered while somebody types an option: the one way in which a list can fail is to be empty."""

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
"""The most choices that Discord takes."""
LONGEST = 100
"""The longest name of a choice at Discord, in characters."""
Choices: TypeAlias = Sequence[app_commands.Choice[Any]]
Lister: TypeAlias = Callable[[Answer, str], Awaitable[Choices]]
"""From who asks and what is typed so far to the choices; what was filled in stands in
`answer.interaction.namespace`, half typed values too."""


class _NotOffered(logging.Filter):
    """Choices that Discord did not take, since the person typed on or the line broke, are no error: the
    next letter asks again. discord.py hands them out itself and lets nobody else hear of it."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, NOT_DONE):
            return True
        log.info("choices not offered", why=reason(error))
        return False


logging.getLogger("discord.app_commands.tree").addFilter(_NotOffered())


def completes(option: str, *commands: app_commands.Command[Any, Any, Any]) -> Callable[[Lister], Lister]:
    """Offer what the decorated function lists for this option of these commands.

    It gets the first `LONGEST` characters, since Discord lets people type 6,000. Someone who asks faster than
    anybody types gets an empty list. The function may raise: where a command would refuse there is nothing to
    choose, and the refusal is told when the command is sent.
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
            except StoreError as trouble:
                log.warning("nothing offered", option=option, kind=trouble.kind)
            except Exception as error:  # noqa: BLE001 - whatever it is, the person can go on typing
                answer.note(error, option=option)
            return choices

        for command in commands:
            command.autocomplete(option)(offer)
        return lister

    return register
