"""Handlers of the **More** menu: undo, pause, hands for spectators, pings, leaving."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from discord import ButtonStyle

from bot.core.errors import Refused
from bot.features.table.hand.handlers import open_hand, seat_to_show, show_hand, view_of
from bot.features.table.hand.open_hands import OpenHands
from bot.features.table.names import word_look
from bot.features.table.publishing.publisher import TablePublisher
from bot.features.table.rights import HAND, PLAYER, RUNNER, TABLE
from bot.features.table.side_answers import show_side_answer
from bot.locales import Words
from bot.store.terms import ConsentRequest
from bot.table.people import consent
from bot.table.people.absent import let_opponent_play
from bot.table.people.consent import Undo, find_undo
from bot.table.people.habits import set_pings
from bot.table.people.shown_hands import hide_hands, may_show_hands, must_show, show_hands
from bot.table.registry import Tables
from bot.table.table import Table
from bot.table.turns import at_leisure
from bot.ui.components import Control, button, page
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from bot.ui.names import joined, shown
from engine.game import Seat

handlers = Handlers[Pressed]()

LOOK_SECONDS = 60.0
"""Seconds until the same person can make the bot look again for players who have left the server."""


@handlers.on("more", HAND, who=PLAYER)
async def _more(pressed: Pressed, table: Table) -> None:
    """Show the other actions that a player at this table has."""
    say = pressed.say
    if table.phase != "live" or table.outcome() is not None:
        raise Refused("over")
    if table.paused:
        pause_button = button(say("pause.resume"), "resume", table.id, style=ButtonStyle.success)
    else:
        pause_button = button(say("pause.label"), "pause", table.id, emoji="⏸️")
    quiet = pressed.user_id in table.stored.terms.quiet
    controls: list[Control] = [
        button(say("undo.label"), "undo", table.id, emoji="↩️", disabled=table.paused),
        pause_button,
        button(say("more.pings_on" if quiet else "more.pings_off"), "ping", table.id, emoji="🔔"),
    ]
    if table.stored.terms.hands:
        controls.append(button(say("hands.hide"), "hands-hide", table.id, emoji="👁️"))
    elif may_show_hands(table):
        controls.append(button(say("hands.show"), "hands-show", table.id, emoji="👁️"))
    late = [seat for seat in table.waiting() if table.sitters[seat].user_id not in (None, pressed.user_id)]
    waited_for = any(not table.away(seat) for seat in late) or {*consent.to_agree(table)} - {pressed.user_id}
    if at_leisure(table.stored.terms) and not table.paused and waited_for:
        controls.append(button(say("more.computer"), "computer", table.id, emoji="🤖"))
    controls.append(button(say("table.leave"), "leave", table.id, style=ButtonStyle.danger))
    await show_side_answer(
        pressed, table, page(say("more.heading", table=table.id), say("more.note"), controls)
    )


@handlers.on("ping", HAND, who=PLAYER)
async def _ping(pressed: Pressed, table: Table) -> None:
    """Turn the pings of this table off or on again."""
    wanted = pressed.user_id in table.stored.terms.quiet
    await set_pings(table, pressed.user_id, wanted=wanted)
    await _more(pressed, table)


@handlers.on("computer", TABLE, who=RUNNER)
async def _computer(pressed: Pressed, table: Table) -> None:
    """Let the computer play for the players the table is waiting for."""
    await call_computer(pressed, table)


async def call_computer(answer: Answer, table: Table) -> None:
    """Let the computer play for late players, and announce their names.

    Raises:
        Refused: no one is late enough.
    """
    seats = await _hold_late_seats(answer, table)
    look = word_look(table, answer.locale)
    names = joined(list(dict.fromkeys(look.name(seat) for seat in seats)), answer.locale)
    await answer.tell(answer.say("table.computer_plays", names=names, table=table.id))
    publisher, by = answer.service(TablePublisher), shown(answer.interaction.user.display_name)
    late = {
        sitter.user_id: sitter.name for seat in seats if (sitter := table.sitters[seat]).user_id is not None
    }
    for user, name in late.items():
        facts = {"by": by, "who": shown(name), "table": table.id}
        telling = publisher.tell(
            table,
            [user],
            partial(_say, "table.stand_in_you", facts),
            aloud=partial(_say, "table.stand_in", facts),
        )
        publisher.outbox.spawn(telling, f"stand-in at {table.id}")


def _say(key: str, facts: Mapping[str, object], say: Words) -> str:
    return say(key, **facts)


async def _hold_late_seats(answer: Answer, table: Table) -> list[Seat]:
    """Let the computer play for late players, or else for those who have left the server. Return their seats.

    The bot looks for members only if no one is late, and once in `LOOK_SECONDS` for each person who asks.

    Raises:
        Refused: no one is late, and no one has left.
    """
    tables, by = answer.service(Tables), answer.user_id
    try:
        return await let_opponent_play(table, by, tables.database, tables.clock)
    except Refused:
        if not answer.app.debouncer.start_cooldown(by, "look for members", LOOK_SECONDS):
            raise
        if not (former_members := await _gone(answer, table)):
            raise
    return await let_opponent_play(table, by, tables.database, tables.clock, former_members)


async def _gone(answer: Answer, table: Table) -> list[int]:
    """Return the other players at a table who, according to Discord, are no longer members of its server."""
    guild_id, publisher = table.stored.guild_id, answer.service(TablePublisher)
    others = [user for user in table.people() if user != answer.user_id and not table.is_absent(user)]
    if guild_id is None:
        return []
    return [user for user in others if await publisher.is_member(guild_id, user) is False]


@handlers.on("undo", HAND, who=PLAYER)
async def _undo(pressed: Pressed, table: Table) -> None:
    """Take the last move back: at once if that hurts no one, else ask whether to ask the others."""
    await take_back(pressed, table)


async def take_back(answer: Answer, table: Table) -> None:
    """Take back the last move of the person who asks, or explain why the others must agree.

    Raises:
        Refused: the person has made no move.
    """
    database = answer.app.database
    candidate = await find_undo(table, answer.user_id, database)
    if candidate.free:
        await consent.undo(table, candidate, database)
        counts = candidate.peeked and not table.stored.terms.practice
        await _show(answer, table, candidate.seat, answer.say("undo.peeked" if counts else "undo.done"))
        return
    ask_button = button(
        answer.say("undo.ask"), "undo-ask", table.id, candidate.seq, style=ButtonStyle.primary
    )
    message = page(answer.say("undo.again" if candidate.again else "undo.needs"), [ask_button])
    if isinstance(answer, Pressed):
        await show_side_answer(answer, table, message)
    else:
        await answer.private(message)


@handlers.on("undo-ask", HAND, who=PLAYER)
async def _undo_ask(pressed: Pressed, table: Table) -> None:
    candidate: Undo = await find_undo(table, pressed.user_id, pressed.app.database)
    if candidate.seq != pressed.ref.number(1):
        raise Refused("stale")
    request = ConsentRequest(
        what="undo", by=pressed.user_id, seq=candidate.seq, seat=candidate.seat, first=candidate.first
    )
    done = await consent.ask(table, pressed.user_id, request, pressed.app.database)
    await _show(pressed, table, candidate.seat, pressed.say("undo.done" if done else "consent.asked"))


@handlers.on("pause", HAND, who=PLAYER)
async def _pause(pressed: Pressed, table: Table) -> None:
    await take_a_pause(pressed, table)


async def take_a_pause(answer: Answer, table: Table) -> None:
    """Pause a table if the player is alone there, or else ask the others to agree.

    Raises:
        Refused: the game has not begun, is over or is already paused.
    """
    seats = table.seats_of(answer.user_id)
    if consent.is_alone_here(table, answer.user_id):
        await consent.pause(table, answer.user_id)
        await _show(answer, table, seats[0], "")
        return
    request = ConsentRequest(what="pause", by=answer.user_id, seq=table.seq)
    done = await consent.ask(table, answer.user_id, request, answer.app.database)
    await _show(answer, table, seats[0], "" if done else answer.say("consent.asked"))


@handlers.on("hands-show", HAND, who=PLAYER)
async def _hands_show(pressed: Pressed, table: Table) -> None:
    """Show earlier hands to spectators, or ask the others whether they agree."""
    must_show(table, pressed.user_id)
    seat = table.seats_of(pressed.user_id)[0]
    if table.people() == [pressed.user_id]:
        await show_hands(table, pressed.user_id)
        await _show(pressed, table, seat, pressed.say("hands.shown"))
        return
    request = ConsentRequest(what="hands", by=pressed.user_id, seq=table.seq)
    await consent.ask(table, pressed.user_id, request, pressed.app.database)
    await _show(pressed, table, seat, pressed.say("consent.asked"))


@handlers.on("hands-hide", HAND, who=PLAYER)
async def _hands_hide(pressed: Pressed, table: Table) -> None:
    await hide_hands(table, pressed.user_id)
    await _show(pressed, table, table.seats_of(pressed.user_id)[0], pressed.say("hands.hidden"))


@handlers.on("resume", HAND, who=PLAYER)
async def _resume(pressed: Pressed, table: Table) -> None:
    await consent.resume(table, pressed.user_id)
    await _show(pressed, table, table.seats_of(pressed.user_id)[0], "")


@handlers.on("agree", HAND, who=PLAYER)
async def _agree(pressed: Pressed, table: Table) -> None:
    await _answered(pressed, table, yes=True)


@handlers.on("decline", HAND, who=PLAYER)
async def _decline(pressed: Pressed, table: Table) -> None:
    await _answered(pressed, table, yes=False)


async def _answered(pressed: Pressed, table: Table, *, yes: bool) -> None:
    wish, database = pressed.ref.word(1), pressed.app.database
    done = await consent.answer(table, pressed.user_id, wish, yes=yes, database=database)
    if done and table.phase == "cancelled":
        await pressed.turn(page(pressed.say("lobby.cancelled", table=table.id)))
        return
    key = ("consent.done" if done else "consent.noted") if yes else "consent.declined"
    await _show(pressed, table, table.seats_of(pressed.user_id)[0], pressed.say(key))


async def _show(answer: Answer, table: Table, seat: int, notice: str) -> None:
    """Answer with the current hand: in the pressed message or the open hand, else in a new one."""
    seat = seat_to_show(table, seat, answer.user_id)
    if isinstance(answer, Pressed) and answer.from_private:
        await show_hand(answer, view_of(answer, table, seat), notice=notice)
        return
    if answer.service(OpenHands).is_open(table, answer.user_id, answer.interaction.channel_id):
        await answer.tell(notice or answer.say("consent.seen"))
        if await answer.service(OpenHands).refresh_now(table, answer.user_id):
            return
    await open_hand(answer, table, seat, notice=notice)
