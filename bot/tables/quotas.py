"""How much one person, one channel and one server may keep open at a time."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.games import OpenCounts
from bot.tables.ports import Refused


@dataclass(frozen=True, slots=True)
class Quotas:
    """The most tables that may be open. Those that are asleep do not count."""

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
                raise Refused(key, most=most)
