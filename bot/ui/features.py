"""Features: what each consists of, and how they are found.

A feature is a folder of `bot.features` whose `__init__.py` has a function `feature`, which returns one
`Feature`. The function imports the modules of the folder, so a worker process that needs only the rows or the
service of a feature does not load Discord with them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.ui.feature_loader import load

if TYPE_CHECKING:
    from discord import app_commands
    from sqlalchemy import Connection

    from bot.core.service import Service
    from bot.locales import Words
    from bot.ui.app import App, Connected
    from bot.ui.components import Control, Message, TextWithButton
    from bot.ui.context import Answer, Pressed, Submitted
    from bot.ui.handlers import Handlers
    from bot.ui.slots import Contribution


@dataclass(frozen=True, kw_only=True)
class Feature:
    """One feature of the bot.

    Its services hold due rows, metrics and reactions to core events (`bot.core.service`). Its models and
    `personal_data.py` declare the personal data it stores, so that a process can export and delete that data
    without loading Discord.

    Attributes:
        add_commands: Functions that put its slash commands on the tree.
        handlers: What answers its buttons and selects, by verb.
        forms: What answers its forms, by verb.
        services: Functions that make its services, in the order in which they are opened.
        shares: Functions that make its answers again for everyone (`share:name:…`), by name.
        channel_lines: Functions that return its lines in the settings of a channel.
        slots: The controls and lines that it adds to other messages.
        server_lines: Functions that return its text and controls in the settings of a server.
        stats_line: Returns a line below the statistics of a person, or an empty string.
        before_deletion: Returns what a person has to do before they can be deleted, or an empty string.
    """

    add_commands: tuple[Callable[[app_commands.CommandTree[Connected]], None], ...] = ()
    handlers: tuple[Handlers[Pressed], ...] = ()
    forms: tuple[Handlers[Submitted], ...] = ()
    services: tuple[Callable[[App], Service], ...] = ()
    shares: Mapping[str, Callable[[Pressed, Answer], Awaitable[Message]]] = field(default_factory=dict)
    channel_lines: tuple[Callable[[Answer], Awaitable[list[TextWithButton]]], ...] = ()
    slots: tuple[Contribution, ...] = ()
    server_lines: tuple[Callable[[Answer], Awaitable[list[str | list[Control]]]], ...] = ()
    stats_line: Callable[[Connection, int, Words], str] | None = None
    before_deletion: Callable[[Connection, int, Words], str] | None = None


def open_services(app: App, attach: Callable[[Service], None]) -> None:
    """Make the services of all features, and `attach` each; `App.service` finds them by type."""
    for feature in load().values():
        for make in feature.services:
            service = make(app)
            app.add(service)
            attach(service)
