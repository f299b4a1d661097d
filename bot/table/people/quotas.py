"""Limits on the tables that one person, one channel and one server may keep open at a time."""

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
    """Maximum numbers of open tables.

    Pausing a table or letting its clock run out makes no room at once (`open_counts`): otherwise one person
    could keep any number of tables open. Other tables that are asleep do not count.
    """

    lobbies_of_person: int = 5
    tables_of_person: int = 10
    tables_of_channel: int = 10
    tables_of_server: int = 50

    def check(self, now: OpenCounts) -> None:
        """Check that one more table may be opened.

        Raises:
            Refused: a limit is reached. It says which one, and what to do.
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
    """Check that the quotas of the operator and the limits of the server allow this table to open.

    The limits of a server ignore the person's tables elsewhere.

    Raises:
        Refused: a limit is reached. It says which one, and what to do.
    """
    host, channel, guild = stored.host_id, stored.channel_id, stored.guild_id
    since = stored.created_at - IDLE_MS
    quotas.check(open_counts(connection, host, channel, guild, PAUSED, since))
    limits = server_of(connection, guild).limits if guild is not None else ServerLimits()
    if limits == ServerLimits():
        return
    counts = open_counts(connection, host, channel, guild, PAUSED, since, here=True)
    for key, count, most in (
        ("limit_lobbies", counts.lobbies, limits.lobbies_of_person),
        ("limit_person", counts.person, limits.tables_of_person),
        ("limit_channel", counts.channel, limits.tables_of_channel),
        ("limit_server", counts.server, limits.tables_of_server),
    ):
        if most is not None and count >= most:
            raise Refused(key, n=most)
