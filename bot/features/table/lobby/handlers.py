"""Button presses and forms of a lobby: join, leave, choose, start, close."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import discord
import structlog
from discord import ButtonStyle
from msgspec.structs import replace

from bot import custom_ids as ids
from bot.core.errors import Refused
from bot.features.table.leaving_handlers import ask_to_leave
from bot.features.table.lobby.invitations import call_people, expire_if_closed
from bot.features.table.lobby.messages import (
    CLOCKS,
    MIXED,
    SOUGHT,
    Arrangement,
    arrangement_form,
    coming_level,
    fair_message,
    fresh_name,
    fresh_names,
    lacking,
    moved_message,
)
from bot.features.table.lobby.opening import deal_if_complete
from bot.features.table.lobby.seating import PLACES
from bot.features.table.names import table_url, word_look
from bot.features.table.publishing.publisher import TablePublisher
from bot.features.table.publishing.threads import bring_in, dealt_in, hidden, thread_name
from bot.features.table.rights import HAND, HOST, INVITER, LOBBY, TABLE, find_table
from bot.locales import Words, words
from bot.store.games import Sitter
from bot.store.terms import Knock
from bot.table import lobby
from bot.table.game_runner import steady
from bot.table.people import friendly_games, guests
from bot.table.people.contacts import too_early
from bot.table.people.reserved_seats import arrive
from bot.table.registry import Tables
from bot.table.table import Table
from bot.ui import discord_errors, errors, rights
from bot.ui.components import button, page, shown_ids
from bot.ui.context import Pressed, Submitted
from bot.ui.discord_errors import MissingPermissions, missing_permissions
from bot.ui.handlers import Handlers, Reach
from bot.ui.names import plain, shown
from bot.ui.outbox import ARCHIVE_MINUTES
from bot.ui.rights import WRITER
from engine.levels import renamed

log = structlog.get_logger(__name__)
handlers, forms = Handlers[Pressed](), Handlers[Submitted]()

MOST_OPPONENTS = 8
"""Maximum number of opponents. No table has more seats."""


async def _show(pressed: Pressed, table: Table) -> None:
    """Answer a change of the lobby with the lobby itself, if the press came from its message."""
    message, publisher = pressed.interaction.message, pressed.service(TablePublisher)
    if message is None or pressed.from_private or pressed.custom_id not in shown_ids(message.components):
        await pressed.acknowledge()
        return
    if not await publisher.stands_at(table, message):
        # a second message of the lobby: the answer seemed lost, so the lobby was posted again
        await pressed.update(moved_message(table))
        return
    async with publisher.answering(table) as showing:
        await pressed.update(await showing.message(), follow=False)
    if pressed.late:
        publisher.show_again(table)


async def _once(pressed: Pressed, work: Awaitable[None]) -> bool:
    """Do the work. Return whether it was done. The second click of a double click is ignored silently."""
    return await pressed.app.debouncer.run_once(pressed.user_id, pressed.custom_id, work)


@handlers.on("join", TABLE)
async def _join(pressed: Pressed, table: Table) -> None:
    user = pressed.interaction.user
    if guests.must_knock(table, user.id):
        await ask_the_host(pressed, table)
        return
    if user.id in table.stored.terms.held:
        await _once(pressed, arrive(table, user.id))
        await _show(pressed, table)
        return
    try:
        await _once(pressed, lobby.join(table, user.id, plain(user.display_name), pressed.interaction.id))
    except Refused as refusal:
        if refusal.key != "already_seated":
            raise
        # a seated player wants to leave, or the bot stopped between joining and dealing
        if not lobby.is_complete(table):
            await ask_to_leave(pressed, table)
            return
    if not await deal_if_complete(pressed, table):
        await _show(pressed, table)


async def _find_to_stand(pressed: Pressed) -> Table:
    return await find_table(pressed, anywhere=pressed.from_private)


@handlers.on("stand", Reach(_find_to_stand))
async def _stand(pressed: Pressed, table: Table) -> None:
    await _once(pressed, lobby.leave(table, pressed.user_id))
    if pressed.from_private:
        await pressed.update(page(pressed.say("lobby.left")))
        return
    await _show(pressed, table)


@handlers.on("add-opponent", LOBBY, who=HOST)
async def _add_opponent(pressed: Pressed, table: Table) -> None:
    await lobby.add_opponent(table, pressed.value, fresh_name(table, pressed.app.chance))
    await _show(pressed, table)


@handlers.on("drop-opponent", LOBBY, who=HOST)
async def _drop_opponent(pressed: Pressed, table: Table) -> None:
    await lobby.remove_opponent(table)
    await _show(pressed, table)


@handlers.on("opt", LOBBY, who=HOST)
async def _option(pressed: Pressed, table: Table) -> None:
    key = pressed.ref.word(1)
    option = next((option for option in table.game.options if option.key == key), None)
    if option is None:
        raise ids.InvalidCustomId(key)
    try:
        value = option.read(pressed.value)
    except ValueError as error:
        raise ids.InvalidCustomId(str(error)) from error
    await lobby.set_options(table, {key: value})
    await _show(pressed, table)


@handlers.on("clock", LOBBY, who=HOST)
async def _clock(pressed: Pressed, table: Table) -> None:
    seconds = int(pressed.value) if pressed.value.isdecimal() else -1
    if seconds not in CLOCKS:
        raise ids.InvalidCustomId(pressed.value)
    await lobby.agree(table, clock=seconds)
    await _show(pressed, table)


@handlers.on("place", LOBBY, who=HOST)
async def _place(pressed: Pressed, table: Table) -> None:
    thread = pressed.value == "thread"
    if thread and (missing := missing_permissions(pressed.interaction.app_permissions, thread=True)):
        raise MissingPermissions(missing)
    await lobby.agree(table, thread=thread)
    await _show(pressed, table)


@handlers.on("arrange", LOBBY, who=HOST)
async def _arrange(pressed: Pressed, table: Table) -> None:
    """Open the form of opponents, clock, place and hints, with the current values or those in the id."""
    chosen = Arrangement.of(table)
    if pressed.ref.word(4):
        level, place = pressed.ref.word(2), pressed.ref.word(4)
        opponents, clock = pressed.ref.number(1), pressed.ref.number(3)
        hints = pressed.ref.word(5) != "no"
        chosen = Arrangement(opponents, renamed(level), clock, _known(place), hints)
    await pressed.ask(arrangement_form(table, pressed.locale, chosen))


@forms.on("arrange", LOBBY, who=HOST)
async def _set_arrangement(submitted: Submitted, table: Table) -> None:
    current = Arrangement.of(table)
    fields = submitted.fields
    count, clock = fields.get("opponents", str(current.opponents)), submitted.field("clock")
    place = _known(fields.get("place", current.place))
    hints = fields.get("hints", "yes" if current.hints else "no")
    if not count.isdecimal() or not clock.isdecimal() or int(clock) not in CLOCKS:
        raise ids.InvalidCustomId(f"{count} {clock}")
    level = fields.get("level", current.level)
    thread, access = PLACES[place]
    if access == "private":
        # the table stays private even if no thread can hide it, and the lobby says so
        thread = not table.stored.terms.in_thread and rights.can_hide(submitted.interaction)
    elif thread and place != current.place:
        missing = missing_permissions(submitted.interaction.app_permissions, thread=True)
        if missing:
            raise MissingPermissions(missing)
    opponents = _opponents(table, int(count), level, submitted.app.chance)
    try:
        await lobby.agree(
            table,
            clock=int(clock),
            thread=thread,
            access=access,
            hints=hints == "yes",
            level=None if level == MIXED else level,
            opponents=opponents,
        )
    except Refused as refusal:
        if refusal.key != "full":
            raise
        filled_in = (int(count), level, int(clock), place, hints)
        await offer_correction(submitted, table, refusal, "arrange", *filled_in)
        return
    await show_changed(submitted, table)


def _known(place: str) -> str:
    if place not in PLACES:
        raise ids.InvalidCustomId(place)
    return place


def _opponents(table: Table, count: int, level: str, chance: Random) -> list[Sitter] | None:
    """Return this many opponents of a level, or None if nothing changes.

    Seated opponents stay as far as they fit. `MIXED` keeps their levels.
    """
    seated = [sitter for sitter in table.sitters if sitter.level]
    new_level = None if level == MIXED else level
    kept = [replace(sitter, level=new_level or sitter.level) for sitter in seated[:count]]
    missing = max(0, min(count, MOST_OPPONENTS) - len(kept))
    names = fresh_names(table, missing, chance)
    opponents = [*kept, *(Sitter(name, level=new_level or steady(table.game)) for name in names)]
    return None if opponents == seated else opponents


async def offer_correction(
    submitted: Submitted, table: Table, refusal: Exception, verb: str, *filled_in: object
) -> None:
    """Explain the refusal and offer the form of `verb` again, with the answers filled in."""
    look = word_look(table, submitted.locale)
    sentence = errors.words_for(refusal, submitted.locale, game=table.game.key, look=look)
    again = button(submitted.say("lobby.mend"), verb, table.id, *filled_in, style=ButtonStyle.primary)
    await submitted.turn(page(sentence, [again]))


async def show_changed(submitted: Submitted, table: Table) -> None:
    """Answer an accepted form with the lobby, or in the private message from which it was opened."""
    if submitted.from_private:
        await submitted.update(page(submitted.say("lobby.options_set")))
    else:
        await _show(submitted, table)


@handlers.on("make-friendly", LOBBY, who=HOST)
async def _make_friendly(pressed: Pressed, table: Table) -> None:
    await friendly_games.make_friendly(table)
    await _show(pressed, table)


@handlers.on("make-count", TABLE)
async def _make_count(pressed: Pressed, table: Table) -> None:
    """Agree that the game counts. People with a reserved seat may agree before they join."""
    await friendly_games.agree_to_count(table, pressed.user_id)
    await _show(pressed, table)


@handlers.on("fair", TABLE)
async def _fair(pressed: Pressed, table: Table) -> None:
    await pressed.private(fair_message(table, pressed.locale))


@handlers.on("invite", LOBBY, who=INVITER & WRITER)
async def _invite(pressed: Pressed, table: Table) -> None:
    """Invite people to the table, in its channel."""
    pressed.claim_post()
    data: Any = pressed.interaction.data or {}
    users = data.get("resolved", {}).get("users", {})
    if not pressed.values or not all(user in users for user in pressed.values):
        raise ids.InvalidCustomId("nobody")
    seated = table.people()
    candidates = [
        int(user) for user in pressed.values if not users[user].get("bot") and int(user) not in seated
    ]
    if outsiders := rights.out_of_sight(pressed.interaction, candidates):
        raise Refused("invited_unseen", users=rights.Mentions(outsiders))
    contacts = pressed.service(Tables).contacts
    later = await contacts.ask(pressed.user_id, candidates, host_id=table.stored.host_id)
    invited = [user for user in candidates if user not in later]
    try:
        await guests.invite(table, pressed.user_id, invited)
    except Exception:
        await contacts.take_back(pressed.user_id, invited)
        raise
    if not invited:
        raise too_early(later) if later else Refused("invites_nobody")
    await call_people(pressed, table, invited)
    if later:
        await pressed.private(page("\n".join(_not_asked(pressed, later)), accent=None))


def _not_asked(pressed: Pressed, later: Mapping[int, int]) -> list[str]:
    """Return a line for each person who cannot be asked now."""
    refusals = (too_early({user: until}) for user, until in later.items())
    return [errors.words_for(refusal, pressed.locale) for refusal in refusals]


async def ask_the_host(pressed: Pressed, table: Table) -> None:
    """Ask the host to admit a person who was not invited. The host answers with one press."""
    rights.must_write(pressed.interaction)
    pressed.claim_post(channel_id=table.stored.channel_id)
    user = pressed.interaction.user
    knock = Knock(user=user.id, name=plain(user.display_name), entropy=pressed.interaction.id)
    asked = await _once(pressed, _knock(pressed, table, knock))
    host = f"<@{table.stored.host_id}>"
    await pressed.private(page(pressed.say("lobby.knocked", host=host), accent=None))
    if asked:
        pressed.service(TablePublisher).knocked(table, knock)


async def _knock(pressed: Pressed, table: Table, knock: Knock) -> None:
    contacts, host = pressed.service(Tables).contacts, table.stored.host_id
    counts = all(other.user != knock.user for other in table.stored.terms.knocks)  # else it is refused anyway
    if counts:
        await contacts.must_ask(knock.user, [host])
    try:
        await guests.knock(table, knock)
    except Exception:
        if counts:
            await contacts.take_back(knock.user, [host])
        raise


@handlers.on("let-in", HAND, who=HOST)
async def _let_in(pressed: Pressed, table: Table) -> None:
    """Seat the person who knocked, `let-in:table:user`, wherever the host was asked."""
    user = pressed.ref.person(1)
    if not await _once(pressed, guests.let_in(table, pressed.user_id, user)):
        await pressed.acknowledge()
        return
    await deal_if_complete(pressed, table)
    say, publisher = words(table.stored.locale), pressed.service(TablePublisher)
    name = next((shown(each.name) for each in table.sitters if each.user_id == user), "")
    await pressed.update(page(say("lobby.let_in_done", name=name, table=table.id, url=table_url(table))))

    def notice(say: Words) -> str:
        return say("lobby.you_are_in", table=table.id)

    pressed.app.tasks.spawn(publisher.tell(table, [user], notice), f"let in at {table.id}")


@handlers.on("turn-away", HAND, who=HOST)
async def _turn_away(pressed: Pressed, table: Table) -> None:
    user = pressed.ref.person(1)
    turned_away = await _once(pressed, guests.turn_away(table, pressed.user_id, user))
    await pressed.update(page(words(table.stored.locale)("lobby.turned_away"), accent=None))
    if turned_away:

        def notice(say: Words) -> str:
            return say("lobby.turned_away_told", table=table.id)

        notification = pressed.service(TablePublisher).tell(table, [user], notice)
        pressed.app.tasks.spawn(notification, f"turned away at {table.id}")


@handlers.on("come", TABLE)
async def _come(pressed: Pressed, table: Table) -> None:
    """Join from an invitation, `come:table`, or from a post of `/seek`, `come:table:sought`.

    That message stays as it is.
    """
    user, sought = pressed.interaction.user, pressed.ref.word(1) == SOUGHT
    if await expire_if_closed(pressed, table, "seek.lapsed" if sought else "lobby.invitation_lapsed"):
        return
    if guests.must_knock(table, user.id):
        await ask_the_host(pressed, table)
        return
    if user.id in table.stored.terms.held:
        await _once(pressed, arrive(table, user.id))
    elif not table.seats_of(user.id):
        await _once(pressed, lobby.join(table, user.id, plain(user.display_name), pressed.interaction.id))
    if not table.stored.terms.held:  # also if the bot stopped between joining and dealing
        await deal_if_complete(pressed, table)
    await pressed.private(page(pressed.say("lobby.come_in", table=table.id, url=table_url(table))))


@handlers.on("start-filled", TABLE, who=HOST)
async def _start_filled(pressed: Pressed, table: Table) -> None:
    """Start with opponents in the missing seats."""
    level, names = coming_level(table), fresh_names(table, lacking(table), pressed.app.chance)
    await _deal(pressed, table, [Sitter(name, level=level) for name in names])


@handlers.on("start", TABLE, who=HOST)
async def _start(pressed: Pressed, table: Table) -> None:
    await _deal(pressed, table)


async def _deal(pressed: Pressed, table: Table, joined_by: Sequence[Sitter] = ()) -> None:
    dealt = await _once(pressed, lobby.start(table, pressed.user_id, joined_by=joined_by))
    if not dealt:
        # the first click shows the table; this process stored nothing and may know only an older state
        await pressed.acknowledge()
    elif table.stored.terms.thread:
        await _move_to_thread(pressed, table)
    else:
        await _show(pressed, table)


async def _move_to_thread(pressed: Pressed, table: Table) -> None:
    """Answer Start by opening a thread under the lobby, where the table is shown from now on."""
    publisher = pressed.service(TablePublisher)
    message = pressed.interaction.message
    if message is None:
        raise discord.ClientException("a component press without its message")
    name = thread_name(table)
    private, channel = table.stored.terms.access == "private", pressed.interaction.channel
    thread = None
    async with publisher.answering(table) as showing:
        with suppress(*discord_errors.NOT_DONE):  # only the answer is lost
            await pressed.acknowledge()
        try:
            await publisher.outbox.token(pressed=True)
            if private and isinstance(channel, discord.TextChannel):
                thread = await hidden(channel, name)
            else:
                thread = await message.create_thread(name=name, auto_archive_duration=ARCHIVE_MINUTES)
        except discord_errors.NOT_DONE:
            # without a thread, the game continues in the channel of the lobby
            await pressed.update(await showing.message())
            raise
        # the table is posted there from now on, even after a restart; the lobby is no longer updated
        await table.set_place(thread.id, None, guild_id=table.stored.guild_id)
    if thread is None:
        return
    if private:
        pressed.app.tasks.spawn(bring_in(pressed, thread, table.people()), f"thread of table {table.id}")
    text = dealt_in(table, thread)
    await publisher.arrived(table)  # the start may still be on its way to the lobby's message
    try:
        await pressed.update(page(text))
    except discord_errors.NOT_DONE:
        await publisher.outbox.token(pressed=True)
        await message.edit(view=page(text).view, attachments=[])
