"""Handlers that leave or close a table or remove a person from a lobby, after a confirmation."""

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
    """Return the text that asks for confirmation to leave a table, and the button that confirms it.

    Raises:
        Refused: the game is over.
    """
    say = answer.say
    if table.outcome() is not None or table.phase not in OPEN_PHASES:
        raise Refused("over")
    last = table.people() == [answer.user_id]
    if table.phase == "lobby":
        leave_button = button(say("lobby.leave"), "stand", table.id, style=ButtonStyle.danger)
        return say(f"leave.{'ask_last' if last else 'ask_lobby'}", table=table.id), leave_button
    key = "ask_match" if table.stored.terms.tournament else "ask_last" if last else "ask"
    if key == "ask" and table.stored.terms.friendly:
        key = "ask_friendly"
    yes = button(say("leave.yes"), "leave-yes", table.id, style=ButtonStyle.danger)
    return say(f"leave.{key}", table=table.id), yes


async def ask_to_leave(answer: Answer, table: Table) -> None:
    """Ask this person, in a separate message, to confirm that they want to leave a table.

    Raises:
        Refused: the game is over.
    """
    ask, yes = _leave_question(answer, table)
    no = button(answer.say("leave.no"), "leave-no", table.id)
    await answer.private(page(ask, [yes, no]))


@handlers.on("leave", HAND, who=PLAYER)
async def _leave(pressed: Pressed, table: Table) -> None:
    """Ask as a side answer that replaces the hand, since the hand must not stay once its seat is gone."""
    ask, yes = _leave_question(pressed, table)
    await show_side_answer(pressed, table, page(ask), yes)


@handlers.on("leave-yes", HAND, who=PLAYER)
async def _leave_yes(pressed: Pressed, table: Table) -> None:
    if table.stored.terms.tournament:
        await leaving.forfeit(table, pressed.user_id)
        await _tell_left(pressed, table, pressed.say("leave.closed", table=table.id))
        return
    name, level = fresh_name(table, pressed.app.chance), steady(table.game)
    sitters = [table.sitters[seat] for seat in table.seats_of(pressed.user_id)]
    if sitters:  # leaderboards will list their result, but no seat will hold their name any more
        names, now = {pressed.user_id: sitters[0].name}, pressed.app.clock.now()
        guild_id, accounts = table.stored.guild_id, table.accounts
        await pressed.app.database.write_at_once(
            lambda connection: people.remember(connection, names, now, guild_id=guild_id, accounts=accounts)
        )
    decided = table.stored.terms.decided
    await leaving.leave_game(table, pressed.user_id, level, name)
    key = "closed" if table.phase == "cancelled" else "left"
    text = pressed.say(f"leave.{key}", table=table.id, name=name)
    if key == "left" and sitters:
        counted = counts_for_leaver(
            table, table.stored.locale, pressed.user_id, sitters[0].name, decided_before=decided
        )
        pressed.service(TablePublisher).seat_taken(table, name, sitters[0].name, counted)
    await _tell_left(pressed, table, text)


async def _tell_left(pressed: Pressed, table: Table, text: str) -> None:
    """Report that the player has left, also in place of an open hand, which is no longer theirs."""
    await pressed.turn(page(text))
    await pressed.service(OpenHands).show_instead(table, pressed.user_id, page(text))


@handlers.on("leave-no")
async def _leave_no(pressed: Pressed) -> None:
    await pressed.turn(page(pressed.say("leave.stayed")))


@handlers.on("remove", LOBBY, who=HOST)
async def _remove(pressed: Pressed, table: Table) -> None:
    """Ask the host of a lobby whom to remove. If there are several people, `remove-who` takes the choice."""
    say = pressed.say
    guests.must_let_remove(table)
    removable = guests.removable(table)
    if len(removable) == 1:
        await pressed.private(_removal_question(pressed, table, removable[0]))
        return
    if not removable:
        raise Refused("gone_already")
    lines = [MenuLine(str(sitter.user_id), shown(sitter.name)) for sitter in removable]
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

    def text(say: Words) -> str:
        return say("remove.told", table=table.id)

    notification = pressed.service(TablePublisher).tell(table, [user], text)
    pressed.app.tasks.spawn(notification, f"removed from {table.id}")
    await pressed.turn(page(pressed.say("remove.done", name=name, table=table.id), accent=None))


@handlers.on("remove-no")
async def _remove_no(pressed: Pressed) -> None:
    await pressed.turn(page(pressed.say("remove.kept"), accent=None))


async def ask_to_close(answer: Answer, table: Table) -> None:
    """Ask for confirmation to close a table, and explain the consequences."""
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
    controls: list[Control] = [
        button(say("lobby.confirm_cancel_yes"), "close-yes", table.id, style=ButtonStyle.danger)
    ]
    if meaning == "ask":
        controls = [
            button(say("closing.ask_all"), "close-ask", table.id, style=ButtonStyle.primary),
            button(say("leave.yes"), "leave", table.id, style=ButtonStyle.danger),
        ]
    controls.append(button(say("lobby.keep"), "close-no", table.id))
    await answer.private(page(say(ask, table=table.id), controls))


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
    """Ask the others to agree to close the table without a result."""
    request = ConsentRequest(what="pause", by=pressed.user_id, seq=table.seq, closing=True)
    done = await consent.ask(table, pressed.user_id, request, pressed.app.database)
    key = "lobby.cancelled" if done else "consent.asked"
    await pressed.turn(page(pressed.say(key, table=table.id)))


@handlers.on("close-no")
async def _close_no(pressed: Pressed) -> None:
    await pressed.turn(page(pressed.say("lobby.kept")))
