"""Leaving and closing a table, and removing a person from a lobby: what that means is asked first."""

from __future__ import annotations

from discord import ButtonStyle

from bot.core.errors import Refused
from bot.features.table.closing import counts_for_leaver
from bot.features.table.hand.open_hands import OpenHands
from bot.features.table.lobby.messages import fresh_name
from bot.features.table.publishing.publisher import TablePublisher
from bot.features.table.rights import CLOSER, HAND, HOST, LOBBY, PLAYER, TABLE
from bot.features.table.side_answers import show_side_answer
from bot.locales import Words
from bot.store import people
from bot.store.games import OPEN_PHASES, Sitter
from bot.store.terms import ConsentRequest
from bot.table.game_runner import steady
from bot.table.people import consent, guests, leaving
from bot.table.table import Table
from bot.ui import rights
from bot.ui.components import Control, MenuLine, Message, button, page, select
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from bot.ui.names import shown

handlers = Handlers[Pressed]()


def _leave_question(answer: Answer, table: Table) -> tuple[str, Control]:
    """Return the question whether this person wants to leave a table, and the button that says so.

    Raises:
        Refused: it is over.
    """
    say = answer.say
    if table.outcome() is not None or table.phase not in OPEN_PHASES:
        raise Refused("over")
    last = table.people() == [answer.user_id]
    if table.phase == "lobby":
        stand = button(say("lobby.leave"), "stand", table.id, style=ButtonStyle.danger)
        return say(f"leave.{'ask_last' if last else 'ask_lobby'}", table=table.id), stand
    key = "ask_match" if table.stored.terms.tournament else "ask_last" if last else "ask"
    if key == "ask" and table.stored.terms.friendly:
        key = "ask_friendly"
    yes = button(say("leave.yes"), "leave-yes", table.id, style=ButtonStyle.danger)
    return say(f"leave.{key}", table=table.id), yes


async def ask_to_leave(answer: Answer, table: Table) -> None:
    """Ask, in a message of its own, whether this person wants to leave a table.

    Raises:
        Refused: it is over.
    """
    ask, yes = _leave_question(answer, table)
    no = button(answer.say("leave.no"), "leave-no", table.id)
    await answer.private(page(ask, [yes, no]))


@handlers.on("leave", HAND, who=PLAYER)
async def _leave(pressed: Pressed, table: Table) -> None:
    """Asked beside the hand: what stands there must not stay when its seat is gone."""
    ask, yes = _leave_question(pressed, table)
    await show_side_answer(pressed, table, page(ask), yes)


@handlers.on("leave-yes", HAND, who=PLAYER)
async def _leave_yes(pressed: Pressed, table: Table) -> None:
    if table.stored.terms.tournament:
        await leaving.forfeit(table, pressed.user_id)
        await _tell_left(pressed, table, pressed.say("leave.closed", table=table.id))
        return
    name, level = fresh_name(table, pressed.app.chance), steady(table.game)
    was = [table.sitters[seat] for seat in table.seats_of(pressed.user_id)]
    if was:  # their result will stand on leaderboards, where no seat tells their name any more
        names, now = {pressed.user_id: was[0].name}, pressed.app.clock.now()
        guild_id, accounts = table.stored.guild_id, table.accounts
        await pressed.app.database.write_at_once(
            lambda c: people.remember(c, names, now, guild_id=guild_id, accounts=accounts)
        )
    decided = table.stored.terms.decided
    await leaving.leave_game(table, pressed.user_id, level, name)
    key = "closed" if table.phase == "cancelled" else "left"
    told = pressed.say(f"leave.{key}", table=table.id, name=name)
    if key == "left" and was:
        counted = counts_for_leaver(
            table, table.stored.locale, pressed.user_id, was[0].name, decided_before=decided
        )
        pressed.service(TablePublisher).seat_taken(table, name, was[0].name, counted)
    await _tell_left(pressed, table, told)


async def _tell_left(pressed: Pressed, table: Table, told: str) -> None:
    """Say that they have left, also in the place of a hand that lies open: it is theirs no more."""
    await pressed.turn(page(told))
    await pressed.service(OpenHands).show_instead(table, pressed.user_id, page(told))


@handlers.on("leave-no")
async def _leave_no(pressed: Pressed) -> None:
    await pressed.turn(page(pressed.say("leave.stayed")))


@handlers.on("remove", LOBBY, who=HOST)
async def _remove(pressed: Pressed, table: Table) -> None:
    """Ask the host of a lobby whom to remove: one person at once, one of several by `remove-who`."""
    say = pressed.say
    guests.must_let_remove(table)
    there = guests.removable(table)
    if len(there) == 1:
        await pressed.private(_removal_question(pressed, table, there[0]))
        return
    if not there:
        raise Refused("gone_already")
    lines = [MenuLine(str(sitter.user_id), shown(sitter.name)) for sitter in there]
    menu = select(say("remove.menu"), lines, "remove-who", table.id)
    await pressed.private(page(say("remove.who"), [menu]))


@handlers.on("remove-who", LOBBY, who=HOST)
async def _remove_who(pressed: Pressed, table: Table) -> None:
    guests.must_let_remove(table)
    chosen = [sitter for sitter in guests.removable(table) if str(sitter.user_id) == pressed.value]
    if not chosen:
        raise Refused("gone_already")
    await pressed.turn(_removal_question(pressed, table, chosen[0]))


def _removal_question(answer: Answer, table: Table, sitter: Sitter) -> Message:
    say = answer.say
    yes = button(say("remove.yes"), "remove-yes", table.id, sitter.user_id, style=ButtonStyle.danger)
    no = button(say("remove.no"), "remove-no")
    return page(say("remove.ask", name=shown(sitter.name), table=table.id), [yes, no])


@handlers.on("remove-yes", LOBBY, who=HOST)
async def _remove_yes(pressed: Pressed, table: Table) -> None:
    """Remove a person from a lobby, `remove-yes:table:user`, and tell them."""
    user = pressed.ref.person(1)
    name = next((shown(sitter.name) for sitter in table.sitters if sitter.user_id == user), "")
    await guests.remove(table, pressed.user_id, user)

    def told(say: Words) -> str:
        return say("remove.told", table=table.id)

    telling = pressed.service(TablePublisher).tell(table, [user], told)
    pressed.app.tasks.spawn(telling, f"removed from {table.id}")
    await pressed.turn(page(pressed.say("remove.done", name=name, table=table.id), accent=None))


@handlers.on("remove-no")
async def _remove_no(pressed: Pressed) -> None:
    await pressed.turn(page(pressed.say("remove.kept"), accent=None))


async def ask_to_close(answer: Answer, table: Table) -> None:
    """Ask whether the table is to close, and say what that means."""
    say = answer.say
    if table.stored.terms.tournament and table.phase == "live" and table.seats_of(answer.user_id):
        await ask_to_leave(answer, table)
        return
    moderates = rights.moderates(answer.interaction, table.stored.guild_id)
    meaning = await leaving.closing(table, answer.user_id, answer.app.database, moderates=moderates)
    if meaning == "free":
        ask = "lobby.confirm_cancel_lobby" if table.phase == "lobby" else "lobby.confirm_cancel"
    else:
        ask = f"closing.{meaning}"
    ways: list[Control] = [
        button(say("lobby.confirm_cancel_yes"), "close-yes", table.id, style=ButtonStyle.danger)
    ]
    if meaning == "ask":
        ways = [
            button(say("closing.ask_all"), "close-ask", table.id, style=ButtonStyle.primary),
            button(say("leave.yes"), "leave", table.id, style=ButtonStyle.danger),
        ]
    ways.append(button(say("lobby.keep"), "close-no", table.id))
    await answer.private(page(say(ask, table=table.id), ways))


@handlers.on("close", TABLE, who=CLOSER)
async def _close(pressed: Pressed, table: Table) -> None:
    await ask_to_close(pressed, table)


@handlers.on("close-yes", TABLE, who=CLOSER)
async def _close_yes(pressed: Pressed, table: Table) -> None:
    played = table.phase == "live" and len(table.people()) > 1
    moderates = rights.moderates(pressed.interaction, table.stored.guild_id)
    await leaving.close(table, pressed.user_id, pressed.app.database, moderates=moderates)
    if played:
        pressed.service(TablePublisher).closed(table)
    await pressed.turn(page(pressed.say("lobby.cancelled", table=table.id)))


@handlers.on("close-ask", TABLE, who=CLOSER & PLAYER)
async def _close_ask(pressed: Pressed, table: Table) -> None:
    """Ask the others whether the table is to close without a result."""
    what = ConsentRequest(what="pause", by=pressed.user_id, seq=table.seq, closing=True)
    done = await consent.ask(table, pressed.user_id, what, pressed.app.database)
    key = "lobby.cancelled" if done else "consent.asked"
    await pressed.turn(page(pressed.say(key, table=table.id)))


@handlers.on("close-no")
async def _close_no(pressed: Pressed) -> None:
    await pressed.turn(page(pressed.say("lobby.kept")))
