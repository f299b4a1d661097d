"""The entrance: the poster of all games, **Play now**, and the way to a lobby."""

from __future__ import annotations

from bot import presenters
from bot.core.errors import Refused
from bot.core.keyed_lock import KeyedLock
from bot.core.service import Service
from bot.features.play.messages import COUNTS, poster_message
from bot.features.play.opening import as_last_time, open_rematch, open_usual_table, rotated, usual_deals
from bot.features.table import (
    TablePublisher,
    come_button,
    deal_if_complete,
    open_hand,
    open_lobby,
    start_and_show,
    table_url,
)
from bot.features.table.rights import HAND
from bot.features.table.slots import GREETING, FirstHand
from bot.locales import Words
from bot.store.games import OPEN_PHASES
from bot.table import lobby
from bot.table.people.friendly_games import was_chosen_friendly
from bot.table.registry import Tables
from bot.table.table import Table
from bot.table.table_kinds import is_hand_only
from bot.table.turns import at_leisure
from bot.ui.components import Control, page
from bot.ui.context import Answer, Pressed
from bot.ui.effective_settings import games_of, server_here
from bot.ui.handlers import Handlers
from bot.ui.names import plain, shown

handlers = Handlers[Pressed]()


async def show_poster(answer: Answer, only: str = "", *, friendly: bool | None = None) -> None:
    """Answer with the games that may be opened here, or `only` one, and with what **Play now** deals.

    `friendly` is what a lobby that is opened from there counts for; None for the usual.
    """
    games, locale = games_of(await server_here(answer)), answer.locale
    games = (only,) if only else games
    deals = await usual_deals(answer, games)
    again = {game: as_last_time(game, deal, locale) for game, deal in deals.items()}
    counts = next((key for key, value in COUNTS.items() if value is friendly), "")
    await answer.private(poster_message(locale, games, again, counts=counts))


async def open_lobby_for(answer: Answer, game: str, friendly: bool | None) -> None:
    """Open a lobby of a game by its usual options, whose host wants it friendly, or wants it to count."""
    counting = (answer.user_id,) if friendly is False else ()
    await open_lobby(answer, game, options={}, friendly=bool(friendly), counting=counting)


class Rematches(Service, KeyedLock):
    """Locks by table, for everyone who opens a rematch of it."""


@handlers.on("poster")
async def _poster(pressed: Pressed) -> None:
    await show_poster(pressed)


@handlers.on("now")
async def _now(pressed: Pressed) -> None:
    game = pressed.game()
    if await pressed.first_click():
        table, told = await open_usual_table(pressed, game)
        greetings = [await line for line in GREETING.items(pressed.say, FirstHand(pressed, table))]
        greeting = "\n".join(filter(None, (*greetings, told and f"-# {told}")))
        await start_and_show(pressed, table, greeting=greeting)


@handlers.on("again", HAND)
async def _again(pressed: Pressed, table: Table) -> None:
    """Play again: at once where nobody else is to be asked; else each of those who sat there presses, and
    when all have it is dealt."""
    people, user = table.people(), pressed.interaction.user
    if not await pressed.first_click():
        return
    async with pressed.service(Rematches).of(table.id):
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
            fresh = await open_rematch(pressed, table)
            if is_hand_only(table) or not is_hand_only(fresh):  # no one is led to the hand of another
                await _lead_on(pressed, table, fresh)
            await start_and_show(pressed, fresh)
            return
        opponents = [sitter for sitter in rotated(table.sitters) if sitter.level]
        order = [sitter.user_id or 0 for sitter in rotated(table.sitters)] if user.id in people else []
        asked = [other for other in order if other > 0 and other != user.id]
        contacts = pressed.service(Tables).contacts
        await contacts.must_ask(user.id, asked)
        try:
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
                friendly=was_chosen_friendly(table.stored.terms),
                counting=table.stored.terms.counting if order else (),
            )
        except BaseException:
            await contacts.take_back(user.id, asked)
            raise
        if order:
            await _lead_on(pressed, table, fresh)
            if at_leisure(fresh.stored.terms):
                _call_to_rematch(pressed, fresh)


def _call_to_rematch(pressed: Pressed, fresh: Table) -> None:
    """Tell those who sat at a slow table that someone wants to play again."""
    name, publisher = shown(pressed.interaction.user.display_name), pressed.service(TablePublisher)

    def text(say: Words) -> str:
        game = presenters.title(fresh.game.key, say.language)
        return say("table.rematch", name=name, game=game, table=fresh.id)

    def controls(say: Words) -> list[Control]:
        return [come_button(say, fresh)]

    called = lobby.missing_players(fresh)
    pressed.app.tasks.spawn(publisher.tell(fresh, called, text, controls), f"rematch at {fresh.id}")


async def _lead_on(pressed: Pressed, table: Table, fresh: Table) -> None:
    """Lead from a finished table to its rematch, those who watched it as well."""
    await lobby.lead_on(table, fresh.id)
    pressed.service(TablePublisher).refresh_watchers(table)


async def _already(pressed: Pressed, table: Table) -> Table | None:
    """The table at which those of this one play again, if it is open and has a place for the person."""
    if not table.stored.terms.next:
        return None
    try:
        found = await pressed.service(Tables).get(table.stored.terms.next)
    except Refused:
        return None
    seated = bool(found.seats_of(pressed.user_id))
    joins = found.phase == "lobby" and pressed.user_id in lobby.missing_players(found)
    return found if joins or (seated and found.phase in OPEN_PHASES) else None


@handlers.on("lobby-of")
async def _lobby(pressed: Pressed) -> None:
    """Open a lobby of a game chosen from the list: `lobby-of`, or with a key of `COUNTS`."""
    game = pressed.chosen_game()
    if await pressed.first_click():
        await open_lobby_for(pressed, game, COUNTS.get(pressed.ref.word(0)))
