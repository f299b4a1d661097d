"""Hands that lie open on somebody's screen, so that they can be turned over when something changes.

An ephemeral message can be changed for 15 minutes after its last press, with the token of that
press and in no other way. What is too old or forgotten is opened again by **My hand**.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import discord
import structlog
from cachetools import TTLCache

from bot.render.pool import Pictures
from bot.tables.table import Table
from bot.views.hand import hand_message
from bot.views.parts import Message
from bot.views.trouble import DEAD_TOKEN, UNKNOWN_INTERACTION, UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK
from engine.game import Seat

if TYPE_CHECKING:
    from bot.views.router import Answer, Interaction

log = structlog.get_logger(__name__)

MINUTES = 14
MOST_HANDS = 2000
_GONE = (UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK, DEAD_TOKEN, UNKNOWN_INTERACTION)


class _Open(NamedTuple):
    interaction: Interaction
    user_id: int
    locale: str
    moment: int


class OpenHands:
    """The last open hand of each seat."""

    def __init__(self) -> None:
        self._open: TTLCache[tuple[int, Seat], _Open] = TTLCache(MOST_HANDS, MINUTES * 60)

    def shown(self, answer: Answer, table: Table, seat: Seat, message: Message) -> None:
        """This answer shows the hand of this seat."""
        self._open[table.id, seat] = _Open(answer.interaction, answer.user_id, answer.locale, message.moment)

    def of_table(self, table: Table) -> list[Seat]:
        """The seats whose hand lies open somewhere."""
        return [seat for seat in range(len(table.sitters)) if (table.id, seat) in self._open]

    async def turn_over(self, studio: Pictures, table: Table, seat: Seat) -> None:
        """Show an open hand as it is now, if it has changed; who has left the seat sees no more of it."""
        here = self._open.get((table.id, seat))
        if here is None or here.user_id != table.sitters[seat].user_id:
            self._open.pop((table.id, seat), None)
            return
        message = hand_message(table, seat, here.locale)
        if message.moment == here.moment:
            return
        self._open[table.id, seat] = here._replace(moment=message.moment)
        try:
            files = await message.attachments(studio, later=True)
            await here.interaction.edit_original_response(view=message.view, attachments=files)
        except discord.HTTPException as error:
            self._open.pop((table.id, seat), None)
            if error.code not in _GONE:
                log.warning("open hand not turned over", table=table.id, code=error.code)
