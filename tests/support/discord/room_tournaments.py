"""Tournaments announced in the simulated Discord."""

from __future__ import annotations

from typing import Any

from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import Tournament
from tests.support.tables.tables import settle


async def quiet(room: Any) -> None:
    for _ in range(3):
        await settle(room.bot.app.tables)
        await room.env.settle()


async def announced(room: Any, *, entered: tuple[str, ...] = (), **options: Any) -> Tournament:
    await room.ann.slash(room.channel, "tournament create", name="Autumn cup", game="probe", **options)
    (tournament,) = room.bot.app.service(Tournaments).of_guild(room.guild.id)
    for name in entered:
        await getattr(room, name).slash(room.channel, "tournament join")
    return tournament


def entered(tournament: Tournament) -> list[str]:
    return [entrant.name for entrant in tournament.entrants]
