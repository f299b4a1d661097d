"""Tournaments announced in the simulated Discord."""

from __future__ import annotations

from typing import Any

from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import Tournament
from tests.support.discord.sent_messages import custom_ids
from tests.support.tables.tables import settle


async def quiet(room: Any) -> None:
    for _ in range(3):
        await settle(room.bot.tables)
        await room.env.settle()


async def announced(room: Any, *, entered: tuple[str, ...] = (), **options: Any) -> Tournament:
    await room.ann.slash(room.channel, "tournament create", name="Autumn cup", game="probe", **options)
    (tournament,) = room.bot.app.service(Tournaments).of_guild(room.guild.id)
    for name in entered:
        await getattr(room, name).slash(room.channel, "tournament join")
    return tournament


def entered(tournament: Tournament) -> list[str]:
    return [entrant.name for entrant in tournament.entrants]


async def confirmed(room: Any, person: Any, asked: Any, verb: str) -> Any:
    """Press the button with this verb in an answer. Return the answer to that."""
    custom_id = next(each for each in custom_ids(asked.components) if each.split(":")[1] == verb)
    answer = await person.click(asked, custom_id=custom_id)
    await quiet(room)
    return answer.response


async def reported(room: Any, person: Any, match: str, winner: str, **options: Any) -> Any:
    """Report a match and confirm it. Return the answer to that."""
    asked = await person.slash(room.channel, "tournament report", match=match, winner=winner, **options)
    return await confirmed(room, person, asked.response, "cup-note")
