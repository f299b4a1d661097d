"""The parts that every answer needs, in one place; client.py puts them together."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias, TypeVar, cast

import discord
from cachetools import LRUCache

from bot import presenters
from bot.core.keyed_lock import KeyedLock
from bot.render.pool import Studio
from bot.settings import Settings
from bot.store.database import Database
from bot.table.registry import Tables
from bot.table.service import Service
from bot.table.table import Table
from bot.telemetry.metrics import Metrics
from bot.ui.components import Message
from bot.ui.debouncer import Debouncer
from bot.ui.preferences import Preferences
from bot.ui.rate_limiter import PostLimiter, RateLimiter
from bot.ui.reply_priority import ReplyPriority

MOST_MESSAGES = 5000
MOST_UNPAINTED = 200
S = TypeVar("S", bound=Service)


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
    """Settings, storage, tables, pictures and figures of one bot."""

    settings: Settings
    database: Database
    studio: Studio
    tables: Tables
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
    newest: LRUCache[int, int] = field(default_factory=lambda: LRUCache(MOST_MESSAGES))
    """By message, the last press that it shows: a picture that comes late never covers a newer answer."""

    asked: LRUCache[tuple[int, int], int] = field(default_factory=lambda: LRUCache(MOST_MESSAGES))
    """By person and table, how much had happened there when they last asked how it stands."""

    unpainted: LRUCache[str, Unpainted] = field(default_factory=lambda: LRUCache(MOST_UNPAINTED))
    """Answers whose pictures are missing, by the custom id of their **Try the picture again**."""
    answer_numbers: Iterator[int] = field(default_factory=itertools.count)
    """Numbers that tell the answers to one interaction apart."""

    services: dict[type[Service], Service] = field(default_factory=dict)
    """What keeps messages current, and the services of features, by type."""

    rematches: KeyedLock = field(default_factory=KeyedLock)
    """Locks by table, for everyone who opens a rematch of it."""

    posts: PostLimiter = field(init=False)
    """How often presses make the bot post in public."""

    def __post_init__(self) -> None:
        self.posts = PostLimiter(self.tables.clock)

    def service(self, kind: type[S]) -> S:
        """Return the service of this type.

        Raises:
            KeyError: there is none.
        """
        return cast("S", self.services[kind])

    def add(self, *services: Service) -> None:
        """Offer these services by their types."""
        self.services.update((type(each), each) for each in services)

    def forget(self, user_id: int) -> None:
        """Know nothing of a person any more: they were deleted."""
        for memory in (self.preferences, self.debouncer):
            memory.forget(user_id)
        for service in self.services.values():
            service.forget(user_id)
        for key in [key for key in self.asked if key[0] == user_id]:
            del self.asked[key]
        for retry in [retry for retry, answer in self.unpainted.items() if answer.user_id == user_id]:
            del self.unpainted[retry]

    def title(self, table: Table) -> str:
        """The name of a table's game in the language of its channel."""
        return presenters.get(table.game.key).title(table.stored.locale)
