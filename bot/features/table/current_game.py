"""The game that a person means if they name none."""

from __future__ import annotations

from bot import presenters
from bot.table.registry import Tables
from bot.ui.context import Answer


async def games_here(answer: Answer) -> list[str]:
    """Return the person's current games, then those of the channel."""
    keys = await answer.service(Tables).games_at(answer.user_id, answer.interaction.channel_id or 0)
    return [key for key in keys if presenters.offers(key)]


async def game_here(answer: Answer) -> str:
    """Return the game a person means if they name none: a current one, else the last they played."""
    if keys := await games_here(answer):
        return keys[0]
    games, _ = await answer.service(Tables).finished(answer.user_id, 1)
    return next((one.game for one in games if presenters.offers(one.game)), presenters.offered()[0])
