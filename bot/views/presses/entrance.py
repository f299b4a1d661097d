"""The entrance: the poster of all games, **Play now**, and the way to a lobby."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from bot.store.database import StoreTrouble
from bot.tables import lobby
from bot.views.context import Handlers, Pressed
from bot.views.errors import NOT_DONE
from bot.views.ids import Forged
from bot.views.poster import poster_message
from bot.views.presses.opening import open_lobby, table_now
from bot.views.presses.play import open_hand
from engine import catalog

handlers = Handlers()

POSTED_SECONDS = 1.0
"""For so long a hand waits for its table to be posted above it."""


@handlers.on("poster")
async def _poster(pressed: Pressed) -> None:
    await pressed.private(poster_message(pressed.locale))


@handlers.on("now")
async def _now(pressed: Pressed) -> None:
    """Deal, show everybody the table, and below it the person their hand."""
    game, publisher, message = pressed.game(), pressed.app.publisher, pressed.interaction.message
    if not pressed.app.clicks.first(pressed.user_id, f"{pressed.custom_id} {message and message.id}"):
        await pressed.interaction.response.defer()
        return
    table = await table_now(pressed, game)
    async with publisher.answering(table):
        await lobby.start(table, pressed.user_id)
    # the hand lies below the table then; where that takes long, or fails, the hand comes first and says so
    with suppress(TimeoutError, StoreTrouble, *NOT_DONE):
        async with asyncio.timeout(POSTED_SECONDS):
            await publisher.stand(table)
    await open_hand(pressed, table, table.seats_of(pressed.user_id)[0])


@handlers.on("lobby-of")
async def _lobby(pressed: Pressed) -> None:
    if pressed.value not in catalog.listed():
        raise Forged(pressed.value)
    await open_lobby(pressed, pressed.value, options={})
