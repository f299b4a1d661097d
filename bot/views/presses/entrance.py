"""The entrance: the poster of all games, **Play now**, and the way to a lobby."""

from __future__ import annotations

from bot.store.games import OPEN_PHASES
from bot.tables import lobby
from bot.tables.ports import Refused
from bot.tables.table import Table
from bot.views.components import page
from bot.views.context import Handlers, Pressed
from bot.views.local import games_of, server_here
from bot.views.names import plain, table_url
from bot.views.poster import poster_message
from bot.views.presses.learn import offered
from bot.views.presses.opening import deal_now, open_lobby, rotated, table_again, table_now
from bot.views.presses.play import open_hand
from bot.views.threads import deal_if_complete

handlers = Handlers[Pressed]()


@handlers.on("poster")
async def _poster(pressed: Pressed) -> None:
    await pressed.private(poster_message(pressed.locale, games_of(await server_here(pressed))))


@handlers.on("now")
async def _now(pressed: Pressed) -> None:
    game = pressed.game()
    if await pressed.first_click():
        table = await table_now(pressed, game)
        await deal_now(pressed, table, greeting=await offered(pressed, table))


@handlers.on("again")
async def _again(pressed: Pressed) -> None:
    """Play again: at once where nobody else is to be asked; else each of those who sat there presses, and
    when all have it is dealt."""
    table = await pressed.table(anywhere=True)
    people, user = table.people(), pressed.interaction.user
    if not await pressed.first_click():
        return
    async with pressed.app.one_at_a_time(table.id):
        if user.id in people and (found := await _already(pressed, table)):
            if found.phase == "live":
                await open_hand(pressed, found, found.seats_of(user.id)[0])
                return
            if not found.seats_of(user.id):
                await lobby.join(found, user.id, plain(user.display_name), pressed.interaction.id)
            await deal_if_complete(pressed, found)
            said = pressed.say("lobby.come_in", table=found.id, url=table_url(found))
            await pressed.private(page(said))
            return
        if people == [user.id]:
            fresh = await table_again(pressed, table)
            await lobby.lead_on(table, fresh.id)
            await deal_now(pressed, fresh)
            return
        opponents = [sitter for sitter in rotated(table.sitters) if sitter.level]
        order = [sitter.user_id or 0 for sitter in rotated(table.sitters)] if user.id in people else []
        fresh = await open_lobby(
            pressed,
            table.game.key,
            options=table.stored.options,
            clock=table.stored.terms.clock,
            hints=table.stored.terms.hints,
            opponents=opponents,
            order=order,
            house_rules=table.stored.terms.house_rules,
            access=table.stored.terms.access if order else None,
            guests=table.stored.terms.guests if order else (),
        )
        if order:
            await lobby.lead_on(table, fresh.id)


async def _already(pressed: Pressed, table: Table) -> Table | None:
    """The table at which those of this one play again, if it is open and has a place for the person."""
    if not table.stored.terms.next:
        return None
    try:
        found = await pressed.tables.get(table.stored.terms.next)
    except Refused:
        return None
    seated = bool(found.seats_of(pressed.user_id))
    joins = found.phase == "lobby" and pressed.user_id in lobby.awaited(found)
    return found if joins or (seated and found.phase in OPEN_PHASES) else None


@handlers.on("lobby-of")
async def _lobby(pressed: Pressed) -> None:
    game = pressed.chosen_game()
    if await pressed.first_click():
        await open_lobby(pressed, game, options={})
