"""Presses under a tournament: take part, start, turn its pages, call it off."""

from __future__ import annotations

from discord import ButtonStyle

from bot.tables.cup import Cup
from bot.tables.ports import Refused
from bot.views import ids, rights
from bot.views.components import button, page, shown_ids
from bot.views.context import Answer, Handlers, Pressed
from bot.views.cup import cup_message
from bot.views.names import plain, shown
from bot.views.outbox import Place

handlers = Handlers()


async def announce(answer: Answer, cup: Cup) -> None:
    """Answer with a new tournament; where the answer is lost, it is posted all the same."""
    stored, live = cup.stored, answer.app.cup_board.live(cup)
    async with live.answering() as showing:
        response = await answer.public(showing.message())
        if response.message_id is not None:
            now = live.outbox.clock.now()
            await showing.stands(Place(stored.channel_id, stored.guild_id, response.message_id, now))


async def _refresh(pressed: Pressed, cup: Cup) -> None:
    """Answer with the tournament, if it is its message that was pressed."""
    message = pressed.interaction.message
    if message is None or pressed.from_private or pressed.custom_id not in shown_ids(message.components):
        await pressed.turn(cup_message(cup, pressed.locale))
        return
    live = pressed.app.cup_board.live(cup)
    if not await live.stands_at(message):
        # a second message of it: its answer was lost, so it was posted again
        await pressed.update(live.moved(live.where.url))
        return
    async with live.answering() as showing:
        await pressed.update(showing.message())


@handlers.on("cup-join")
async def _join(pressed: Pressed) -> None:
    cup = pressed.cup()
    user = pressed.interaction.user
    await pressed.app.cups.join(cup, user.id, plain(user.display_name))
    await _refresh(pressed, cup)


@handlers.on("cup-leave")
async def _leave(pressed: Pressed) -> None:
    cup = pressed.cup()
    if cup.bracket is not None:  # an old message: the tournament has begun meanwhile
        await ask_to_withdraw(pressed, cup)
        return
    await pressed.app.cups.leave(cup, pressed.user_id)
    await _refresh(pressed, cup)


@handlers.on("cup-start")
async def _start(pressed: Pressed) -> None:
    cup = pressed.cup()
    rights.must_organise(pressed.interaction, cup)
    await pressed.app.cups.start(cup)
    await _refresh(pressed, cup)


@handlers.on("cup-page")
async def _page(pressed: Pressed) -> None:
    cup = pressed.cup()
    await pressed.turn(cup_message(cup, pressed.locale, pressed.ref.number(1)))


@handlers.on("cup-off")
async def _off(pressed: Pressed) -> None:
    cup = pressed.cup()
    rights.must_organise(pressed.interaction, cup)
    await pressed.app.cups.cancel(cup)
    await pressed.turn(page(pressed.say("cup.cancelled")))


@handlers.on("cup-on")
async def _keep(pressed: Pressed) -> None:
    pressed.cup()
    await pressed.turn(page(pressed.say("cup.kept")))


async def ask_to_call_off(answer: Answer, cup: Cup) -> None:
    """Answer with the question whether the tournament is to be called off."""
    rights.must_organise(answer.interaction, cup)
    say = answer.say
    yes = button(say("cup.off_yes"), ids.make("cup-off", cup.id), style=ButtonStyle.danger)
    no = button(say("cup.off_no"), ids.make("cup-on", cup.id))
    await answer.private(page(say("cup.off_ask", name=shown(cup.stored.name)), [yes, no]))


async def ask_to_withdraw(answer: Answer, cup: Cup) -> None:
    """Answer with the question whether the person is to leave a tournament that has begun."""
    say = answer.say
    yes = button(say("cup.leave_yes"), ids.make("cup-leave-yes", cup.id), style=ButtonStyle.danger)
    no = button(say("cup.leave_no"), ids.make("cup-leave-no", cup.id))
    await answer.private(page(say("cup.leave_ask", name=shown(cup.stored.name)), [yes, no]))


@handlers.on("cup-leave-yes")
async def _leave_yes(pressed: Pressed) -> None:
    cup = pressed.cup()
    await pressed.app.cups.leave(cup, pressed.user_id)
    await pressed.turn(page(pressed.say("cup.left", name=shown(cup.stored.name))))


@handlers.on("cup-leave-no")
async def _leave_no(pressed: Pressed) -> None:
    pressed.cup()
    await pressed.turn(page(pressed.say("cup.stayed")))


def must_be_here(guild_id: int | None) -> int:
    """The server of a tournament.

    Raises:
        Refused: tournaments need one.
    """
    if guild_id is None:
        raise Refused("cup_needs_server")
    return guild_id
