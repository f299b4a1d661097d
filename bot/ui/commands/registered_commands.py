"""Synchronisation of Discord's list of commands with those of this version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import structlog

from bot.core.backoff import Backoff
from bot.core.clock import Clock
from bot.core.tasks import Spawn
from bot.store import people
from bot.store.database import Database
from bot.ui.commands.command_tree import ENTRY_POINT, Tree
from bot.ui.discord_errors import MANY_COMMANDS, NOT_DONE, reason
from bot.ui.outbox import is_passing

log = structlog.get_logger(__name__)

DAY_SECONDS = 86_400.0
RETRY = Backoff(first=60.0, factor=1.0)
"""Pauses until the commands are checked again if that failed at the start."""
AT_LEAST_SECONDS = 600.0
"""Minimum seconds between checks because of unknown commands, since a person with an old menu may press
again."""


class PublishedCommands:
    """Keeps Discord's list of commands equal to that of this version.

    Another program with the same token may empty the list, and after a rollback it is that of a newer
    version. Discord gives each command a new version number when it changes, so these numbers tell if the
    list is still the published one.
    """

    def __init__(
        self, tree: Tree, application_id: int, database: Database, clock: Clock, spawn: Spawn
    ) -> None:
        self._tree = tree
        self._where = ("application", application_id, "commands")
        self._database = database
        self._clock = clock
        self._spawn = spawn
        self._checked_at = -AT_LEAST_SECONDS

    async def first_check(self) -> float:
        """Publish the commands unless Discord has them. Return the seconds until the next check.

        If Discord does not answer, or creates no more commands today, those of the last start are probably
        still there, so the bot starts.

        Raises:
            discord.HTTPException: Discord refused for good.
            StoreError: the database did not answer.
        """
        try:
            return await self.check()
        except NOT_DONE as error:
            if not is_passing(error) and getattr(error, "code", 0) != MANY_COMMANDS:
                raise
            log.warning("commands not checked", why=reason(error))
            return RETRY.first

    async def check(self) -> float:
        """Publish the commands unless Discord has them. Return the seconds until the next check.

        Creations are limited to 200 a day, so an unchanged list is not published.

        Raises:
            discord.HTTPException: Discord refused.
            StoreError: the database did not answer.
        """
        self._checked_at = self._clock.monotonic()
        payload = await self._tree.payload()
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        listed = await self._tree.listed()
        stored = await self._database.read_at_once(lambda c: people.get_setting(c, *self._where))
        if listed is not None and stored == {"digest": digest, "versions": _versions(listed)}:
            return DAY_SECONDS
        published = await self._tree.publish(payload, listed or [])
        log.info("commands published", n=len(payload), before=len(listed or ()))
        state = {"digest": digest, "versions": _versions(published)}
        await self._database.write_at_once(lambda c: people.put_setting(c, *self._where, state))
        return DAY_SECONDS

    def refresh(self) -> None:
        """Check soon, because someone used a command that this version does not know."""
        if self._clock.monotonic() - self._checked_at >= AT_LEAST_SECONDS:
            self._checked_at = self._clock.monotonic()
            self._spawn(self.check(), "commands checked")


def _versions(commands: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the version numbers of commands by their ids."""
    return {
        str(command.get("id")): str(command.get("version"))
        for command in commands
        if command.get("type") != ENTRY_POINT
    }
