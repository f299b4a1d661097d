"""How much one person, one channel and one server may keep open at a time."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from bot.core.errors import Refused
from bot.store.games import StoredGame
from bot.store.queries import OpenCounts, open_counts
from bot.store.servers import ServerLimits, server_of
from bot.table.table import PAUSED
from bot.table.turns import IDLE_MS


@dataclass(frozen=True, slots=True)
class Quotas:
    """The most tables that may be open at a time.

    Pausing a table or letting its clock run out makes no room at once (`open_counts`): otherwise one person
    could keep any number of tables open. Other tables that are asleep do not count.
    """

    lobbies_of_person: int = 5
    tables_of_person: int = 10
    tables_of_channel: int = 10
    tables_of_server: int = 50

    def check(self, now: OpenCounts) -> None:
        """Return if one more table may be opened.

        Raises:
            Refused: with what is full, and what to do.
        """
        for key, count, most in (
            ("quota_lobbies", now.lobbies, self.lobbies_of_person),
            ("quota_person", now.person, self.tables_of_person),
            ("quota_channel", now.channel, self.tables_of_channel),
            ("quota_server", now.server, self.tables_of_server),
        ):
            if count >= most:
                raise Refused(key, n=most)


def check_opening(connection: Connection, stored: StoredGame, quotas: Quotas) -> None:
    """Return if this table may be opened besides those that are: by the quotas of the operator, and by the
    limits of its server, where the person's tables elsewhere do not count.

    Raises:
        Refused: with what is full, and what to do.
    """
    host, channel, guild = stored.host_id, stored.channel_id, stored.guild_id
    since = stored.created_at - IDLE_MS
    quotas.check(open_counts(connection, host, channel, guild, PAUSED, since))
    limits = server_of(connection, guild).limits if guild is not None else ServerLimits()
    if limits == ServerLimits():
        return
    now = open_counts(connection, host, channel, guild, PAUSED, since, here=True)
    for key, count, most in (
        ("limit_lobbies", now.lobbies, limits.lobbies_of_person),
        ("limit_person", now.person, limits.tables_of_person),
        ("limit_channel", now.channel, limits.tables_of_channel),
        ("limit_server", now.server, limits.tables_of_server),
    ):
        if most is not None and count >= most:
            raise Refused(key, n=most)
