"""The parts that every answer needs, in one place; client.py puts them together."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias, TypeVar, cast

import discord
from cachetools import LRUCache

from bot.core.clock import Clock
from bot.core.service import Service
from bot.core.tasks import Tasks
from bot.render.pool import Studio
from bot.settings import Settings
from bot.store.database import Database
from bot.telemetry.metrics import Metrics
from bot.ui.components import Message
from bot.ui.debouncer import Debouncer
from bot.ui.preferences import Preferences
from bot.ui.rate_limiter import PostLimiter, RateLimiter
from bot.ui.reply_priority import ReplyPriority

MOST_MESSAGES = 5000
MOST_UNPAINTED = 200
T = TypeVar("T")


class Connected(discord.AutoShardedClient):
    """The bot's connection, as far as answers need it; `bot.client` makes it."""

    app: App
    """The parts, once the tables are open."""
    closing: str
    """Why nothing is pressed any more, as a key of the strings; empty while all is well."""

    def note_press(self) -> None:
        """The running task answers a press or a command: a stop waits for it."""
        raise NotImplementedError  # pragma: no cover - only `bot.client` connects

    def refresh_commands(self) -> None:
        """Compare the commands that Discord has with those of this version soon."""
        raise NotImplementedError  # pragma: no cover - only `bot.client` connects


Interaction: TypeAlias = discord.Interaction[Connected]
"""Whatever somebody pressed or typed."""


@dataclass(frozen=True, slots=True)
class Unpainted:
    """An answer whose pictures are missing, and the person to whom it was given."""

    user_id: int
    message: Message


@dataclass(slots=True)
class App:
    """The parts of one bot: settings, storage, clock, pictures, metrics, and services by type."""

    settings: Settings
    database: Database
    clock: Clock
    tasks: Tasks
    studio: Studio
    rate_limiter: RateLimiter
    """How fast one person may press."""
    typing: RateLimiter
    """How often lists of choices are made for one person who types."""
    debouncer: Debouncer
    preferences: Preferences
    metrics: Metrics
    reply_priority: ReplyPriority
    chance: Random
    """Where answers draw lots, such as the names of opponents; handed in, as time is."""
    accounts: MutableMapping[int, str]
    """Account names of people seen since the start."""
    newest: LRUCache[int, int] = field(default_factory=lambda: LRUCache(MOST_MESSAGES))
    """By message, the last press that it shows: a picture that comes late never covers a newer answer."""

    unpainted: LRUCache[str, Unpainted] = field(default_factory=lambda: LRUCache(MOST_UNPAINTED))
    """Answers whose pictures are missing, by the custom id of their **Try the picture again**."""
    answer_numbers: Iterator[int] = field(default_factory=itertools.count)
    """Numbers that tell the answers to one interaction apart."""

    parts: dict[type, object] = field(default_factory=dict)
    """Everything that `service` finds, by type."""

    posts: PostLimiter = field(init=False)
    """How often presses make the bot post in public."""

    def __post_init__(self) -> None:
        self.posts = PostLimiter(self.clock)

    @property
    def services(self) -> list[Service]:
        """The services, in the order in which they were added."""
        return [part for part in self.parts.values() if isinstance(part, Service)]

    def service(self, kind: type[T]) -> T:
        """Return the service or other part of this type.

        Raises:
            KeyError: the bot has no such part.
        """
        return cast("T", self.parts[kind])

    def add(self, *parts: object) -> None:
        """Offer services and other parts by their types."""
        self.parts.update((type(each), each) for each in parts)

    def forget(self, user_id: int) -> None:
        """Drop what memory holds about a person who was deleted."""
        for memory in (self.preferences, self.debouncer):
            memory.forget(user_id)
        for service in self.services:
            service.forget(user_id)
        for retry in [retry for retry, answer in self.unpainted.items() if answer.user_id == user_id]:
            del self.unpainted[retry]
