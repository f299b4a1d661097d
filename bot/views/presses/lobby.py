"""Presses under a lobby: sit down, choose, start, close."""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import suppress

import discord
from discord import ButtonStyle

from bot.locales import words
from bot.tables import lobby
from bot.tables.ports import Refused
from bot.tables.table import Table
from bot.views import errors, ids, rights
from bot.views.components import button, page, shown_ids
from bot.views.context import Answer, Handlers, Pressed
from bot.views.errors import MissingPermissions, missing_permissions
from bot.views.lobby import CLOCKS, fresh_name, moved_message
from bot.views.names import plain

handlers = Handlers()


async def _show(pressed: Pressed, table: Table) -> None:
    """Answer a change of the lobby with the lobby itself, if it is its message that was pressed."""
    message, publisher = pressed.interaction.message, pressed.app.publisher
    if message is None or pressed.from_private or pressed.custom_id not in shown_ids(message.components):
        await pressed.interaction.response.defer()
        return
    if not await publisher.stands_at(table, message):
        # a second message of the lobby: its answer was lost, so it was posted again
        await pressed.update(moved_message(table))
        return
    async with publisher.answering(table) as showing:
        await pressed.update(showing.message(), follow=False)
    if pressed.late:
        publisher.show_again(table)


async def _once(pressed: Pressed, work: Awaitable[None]) -> bool:
    """Do it; whether it was done. The second click of a double one does nothing, and hears no reproach."""
    return await pressed.app.clicks.once(pressed.user_id, pressed.custom_id, work)


@handlers.on("join")
async def _join(pressed: Pressed) -> None:
    table = await pressed.table()
    user = pressed.interaction.user
    await _once(pressed, lobby.join(table, user.id, plain(user.display_name), pressed.interaction.id))
    if len(table.sitters) == len(table.stored.terms.invited):
        await _deal_match(table)
    await _show(pressed, table)


async def _deal_match(table: Table) -> None:
    """A match of a tournament waits for nobody else."""
    try:
        await lobby.start(table, table.stored.host_id)
    except Refused as refusal:
        if refusal.key != "already_started":  # whoever came in the same moment has dealt
            raise


@handlers.on("stand")
async def _stand(pressed: Pressed) -> None:
    table = await pressed.table()
    await _once(pressed, lobby.leave(table, pressed.user_id))
    await _show(pressed, table)


@handlers.on("add-opponent")
async def _add_opponent(pressed: Pressed) -> None:
    table = await pressed.table()
    await lobby.add_opponent(table, pressed.user_id, pressed.value, fresh_name(table))
    await _show(pressed, table)


@handlers.on("drop-opponent")
async def _drop_opponent(pressed: Pressed) -> None:
    table = await pressed.table()
    await lobby.remove_opponent(table, pressed.user_id)
    await _show(pressed, table)


@handlers.on("opt")
async def _option(pressed: Pressed) -> None:
    table = await pressed.table()
    key = pressed.ref.word(1)
    option = next((option for option in table.game.options if option.key == key), None)
    if option is None:
        raise ids.Forged(key)
    try:
        value = option.read(pressed.value)
    except ValueError as error:
        raise ids.Forged(str(error)) from error
    await lobby.set_option(table, pressed.user_id, key, value)
    await _show(pressed, table)


@handlers.on("clock")
async def _clock(pressed: Pressed) -> None:
    table = await pressed.table()
    seconds = int(pressed.value) if pressed.value.isdecimal() else -1
    if seconds not in CLOCKS:
        raise ids.Forged(pressed.value)
    await lobby.agree(table, pressed.user_id, clock=seconds)
    await _show(pressed, table)


@handlers.on("place")
async def _place(pressed: Pressed) -> None:
    table = await pressed.table()
    thread = pressed.value == "thread"
    if thread and (missing := missing_permissions(pressed.interaction.app_permissions, thread=True)):
        raise MissingPermissions(missing)
    await lobby.agree(table, pressed.user_id, thread=thread)
    await _show(pressed, table)


@handlers.on("start")
async def _start(pressed: Pressed) -> None:
    table = await pressed.table()
    dealt = await _once(pressed, lobby.start(table, pressed.user_id))
    if not table.stored.terms.thread:
        await _show(pressed, table)
    elif dealt:
        await _move_to_thread(pressed, table)
    else:
        await pressed.interaction.response.defer()


async def _move_to_thread(pressed: Pressed, table: Table) -> None:
    """Answer Start by opening a thread under the lobby, where the table is shown from now on."""
    publisher = pressed.app.publisher
    say = words(table.stored.locale)
    game = pressed.app.title(table)
    message = pressed.interaction.message
    if message is None:
        raise discord.ClientException("a component press without its message")
    name = say("place.thread_name", game=game, table=table.id)
    thread = None
    async with publisher.answering(table) as showing:
        with suppress(*errors.NOT_DONE):  # the answer is lost, but nothing else
            await pressed.interaction.response.defer()
        try:
            await publisher.outbox.token(pressed=True)
            thread = await message.create_thread(name=name[:100])
        except errors.NOT_DONE:
            # no thread: the game goes on where the lobby stood
            await pressed.update(showing.message())
            raise
        # from here on it is posted there, whatever befalls the bot; the lobby has said its last word
        await table.placed(thread.id, None, guild_id=table.stored.guild_id)
    if thread is None:
        return
    text = say("lobby.dealt_in_thread", game=game, table=table.id, thread=thread.mention)
    try:
        await pressed.update(page(text))
    except errors.NOT_DONE:
        await publisher.outbox.token(pressed=True)
        await message.edit(view=page(text).view, attachments=[])


async def ask_to_close(answer: Answer, table: Table) -> None:
    """Answer with the question whether the table is to close."""
    say = answer.say
    yes = ids.make("close-yes", table.id)
    await answer.private(
        page(
            say("lobby.confirm_cancel", table=table.id),
            [
                button(say("lobby.confirm_cancel_yes"), yes, style=ButtonStyle.danger),
                button(say("lobby.keep"), ids.make("close-no", table.id)),
            ],
        )
    )


@handlers.on("close")
async def _close(pressed: Pressed) -> None:
    table = await pressed.table()
    rights.must_run(pressed.interaction, table)
    await ask_to_close(pressed, table)


@handlers.on("close-yes")
async def _close_yes(pressed: Pressed) -> None:
    table = await pressed.table()
    rights.must_run(pressed.interaction, table)
    await table.cancel("closed")
    await pressed.turn(page(pressed.say("lobby.cancelled", table=table.id)))


@handlers.on("close-no")
async def _close_no(pressed: Pressed) -> None:
    await pressed.turn(page(pressed.say("lobby.kept")))
