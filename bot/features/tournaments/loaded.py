"""The tournaments in memory, found by number and by server."""

from __future__ import annotations

from collections import defaultdict

from bot.features.tournaments.tournament import Tournament


class LoadedTournaments:
    """All tournaments in memory. Those of one server are found without a look at any other: each key that
    someone types and each thread that Discord changes asks for them."""

    def __init__(self) -> None:
        self._by_id: dict[int, Tournament] = {}
        self._by_server: defaultdict[int, dict[int, Tournament]] = defaultdict(dict)

    def add(self, tournament: Tournament) -> Tournament:
        """Return the tournament of this number, which is this one unless there is one already."""
        known = self._by_id.setdefault(tournament.id, tournament)
        self._by_server[known.stored.guild_id][known.id] = known
        return known

    def drop(self, tournament: Tournament) -> None:
        """Remove a tournament, if it is there."""
        self._by_id.pop(tournament.id, None)
        others = self._by_server[tournament.stored.guild_id]
        others.pop(tournament.id, None)
        if not others:
            del self._by_server[tournament.stored.guild_id]

    def get(self, tournament_id: int) -> Tournament | None:
        """Return a tournament by its number, if it is there."""
        return self._by_id.get(tournament_id)

    def of_server(self, guild_id: int) -> list[Tournament]:
        """Return the tournaments of a server."""
        return list(self._by_server[guild_id].values()) if guild_id in self._by_server else []

    def all(self) -> list[Tournament]:
        """Return the tournaments of all servers."""
        return list(self._by_id.values())
