"""Leaving a table: what that counts for is asked first."""

from __future__ import annotations

from bot.store import people
from bot.tables.game_runner import steady
from bot.tables.people.leaving import forfeit, leave_game
from bot.tables.table import Table
from bot.ui.components import page
from bot.ui.context import Handlers, Pressed, Reach
from bot.ui.live.open_hands import OpenHands
from bot.ui.live.publisher import TablePublisher
from bot.ui.table.closing import counts_for_leaver
from bot.ui.table.leave_question import leave_question
from bot.ui.table.lobby import fresh_name
from bot.ui.table.side_answers import show_aside

handlers = Handlers[Pressed]()


@handlers.on("leave", Reach.HAND)
async def _leave(pressed: Pressed) -> None:
    """Asked beside the hand: what stands there must not stay when its seat is gone."""
    table = await pressed.table()
    ask, yes = leave_question(pressed, table)
    await show_aside(pressed, table, page(ask), yes)


@handlers.on("leave-yes", Reach.HAND)
async def _leave_yes(pressed: Pressed) -> None:
    table = await pressed.table()
    if table.stored.terms.tournament:
        await forfeit(table, pressed.user_id)
        await _tell_left(pressed, table, pressed.say("leave.closed", table=table.id))
        return
    name, level = fresh_name(table, pressed.app.chance), steady(table.game)
    was = [table.sitters[seat] for seat in table.seats_of(pressed.user_id)]
    if was:  # their result will stand on leaderboards, where no seat tells their name any more
        names, now = {pressed.user_id: was[0].name}, pressed.tables.clock.now()
        guild_id, accounts = table.stored.guild_id, table.accounts
        await pressed.tables.database.write_at_once(
            lambda c: people.remember(c, names, now, guild_id=guild_id, accounts=accounts)
        )
    decided = table.stored.terms.decided
    await leave_game(table, pressed.user_id, level, name)
    key = "closed" if table.phase == "cancelled" else "left"
    told = pressed.say(f"leave.{key}", table=table.id, name=name)
    if key == "left" and was:
        counted = counts_for_leaver(
            table, table.stored.locale, pressed.user_id, was[0].name, decided_before=decided
        )
        pressed.app.service(TablePublisher).seat_taken(table, name, was[0].name, counted)
    await _tell_left(pressed, table, told)


async def _tell_left(pressed: Pressed, table: Table, told: str) -> None:
    """Say that they have left, also in the place of a hand that lies open: it is theirs no more."""
    await pressed.turn(page(told))
    await pressed.app.service(OpenHands).show_instead(table, pressed.user_id, page(told))


@handlers.on("leave-no")
async def _leave_no(pressed: Pressed) -> None:
    await pressed.turn(page(pressed.say("leave.stayed")))
