"""Closing a table: what that means is asked first, because a game that counts cannot be thrown away."""

from __future__ import annotations

from discord import ButtonStyle

from bot.store.terms import Asked
from bot.tables.people import consent, leaving
from bot.tables.ports import Refused
from bot.tables.table import Table
from bot.ui import custom_ids as ids
from bot.ui import rights
from bot.ui.components import Control, button, page
from bot.ui.context import Answer, Handlers, Pressed, Reach
from bot.ui.effective_settings import server_here
from bot.ui.live.publisher import TablePublisher
from bot.ui.table.leave_question import ask_to_leave

handlers = Handlers[Pressed]()


async def ask_to_close(answer: Answer, table: Table) -> None:
    """Answer with the question whether the table is to close, and what that means."""
    say = answer.say
    if table.stored.terms.tournament and table.phase == "live" and table.seats_of(answer.user_id):
        await ask_to_leave(answer, table)
        return
    meaning = await leaving.closing(table, answer.user_id, answer.tables.database)
    if meaning == "free":
        ask = "lobby.confirm_cancel_lobby" if table.phase == "lobby" else "lobby.confirm_cancel"
    else:
        ask = f"closing.{meaning}"
    ways: list[Control] = [
        button(say("lobby.confirm_cancel_yes"), ids.make("close-yes", table.id), style=ButtonStyle.danger)
    ]
    if meaning == "ask":
        ways = [
            button(say("closing.ask_all"), ids.make("close-ask", table.id), style=ButtonStyle.primary),
            button(say("leave.yes"), ids.make("leave", table.id), style=ButtonStyle.danger),
        ]
    ways.append(button(say("lobby.keep"), ids.make("close-no", table.id)))
    await answer.private(page(say(ask, table=table.id), ways))


@handlers.on("close", Reach.TABLE)
async def _close(pressed: Pressed) -> None:
    table = await _may_close(pressed)
    await ask_to_close(pressed, table)


@handlers.on("close-yes", Reach.TABLE)
async def _close_yes(pressed: Pressed) -> None:
    table = await _may_close(pressed)
    played = table.phase == "live" and len(table.people()) > 1
    await leaving.close(table, pressed.user_id, pressed.tables.database)
    if played:
        pressed.app.service(TablePublisher).closed(table)
    await pressed.turn(page(pressed.say("lobby.cancelled", table=table.id)))


@handlers.on("close-ask", Reach.TABLE)
async def _close_ask(pressed: Pressed) -> None:
    """Ask the others whether the table is to close without a result."""
    table = await _may_close(pressed)
    if not table.seats_of(pressed.user_id):
        raise Refused("not_seated")
    what = Asked(what="pause", by=pressed.user_id, seq=table.seq, closing=True)
    done = await consent.ask(table, pressed.user_id, what, pressed.tables.database)
    key = "lobby.cancelled" if done else "consent.asked"
    await pressed.turn(page(pressed.say(key, table=table.id)))


@handlers.on("close-no")
async def _close_no(pressed: Pressed) -> None:
    await pressed.turn(page(pressed.say("lobby.kept")))


async def _may_close(pressed: Pressed) -> Table:
    table = await pressed.table()
    rights.must_close(pressed.interaction, table, await server_here(pressed))
    return table
