"""Which game a person means if they name none."""

from __future__ import annotations

from bot import presenters
from bot.store import queries
from bot.ui.context import Answer
from bot.ui.effective_settings import games_of, server_here


async def games_here(answer: Answer) -> list[str]:
    """The games at hand: those that the person plays, then those of the channel."""
    found = await answer.tables.games_at(answer.user_id, answer.interaction.channel_id or 0)
    return [key for key in found if presenters.offers(key)]


async def game_here(answer: Answer) -> str:
    """The game that a person most likely means who names none: one at hand, else what they played last."""
    if here := await games_here(answer):
        return here[0]
    last, _ = await answer.tables.finished(answer.user_id, 1)
    return next((one.game for one in last if presenters.offers(one.game)), presenters.offered()[0])


async def usual_game(answer: Answer) -> str:
    """The game that the person last played, where it may be opened here, else the first that may."""
    open_here = games_of(await server_here(answer))
    last = await answer.app.database.read_at_once(lambda c: queries.last_played(c, answer.user_id))
    return last[0].game if last and last[0].game in open_here else open_here[0]
