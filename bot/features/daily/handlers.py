"""The deal of the day: finding it, beginning it, and showing everybody how one did."""

from __future__ import annotations

from bot.core.errors import Refused
from bot.custom_ids import InvalidCustomId
from bot.features.daily import service as today
from bot.features.daily.messages import Daily, daily_message, days_message, share_card
from bot.features.daily.morning_settings import morning_line, switch
from bot.features.puzzles.handlers import view_of as puzzle_view
from bot.features.puzzles.messages import puzzle_message
from bot.features.puzzles.service import puzzles_of
from bot.features.table import TablePublisher, open_hand
from bot.locales import words
from bot.store import days
from bot.store.days import PERSON
from bot.table.registry import Tables
from bot.ui.components import Message, page
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from bot.ui.live.members import AT_ONCE
from bot.ui.names import plain
from bot.ui.navigation import share_row
from bot.ui.rights import CHANNEL_MANAGER, manages_channel

handlers = Handlers[Pressed]()

ROWS = 10
"""How many lines the board of a day has."""


async def list_days(answer: Answer) -> Message:
    """All games of today."""
    day, mine = await today.today(answer.service(Tables), answer.user_id)
    user_id = answer.user_id
    streak, ready = await answer.app.database.read_at_once(
        lambda c: (days.streak(c, user_id, day), days.ready(c, day))
    )
    here = await morning_line(answer, "daily-morning") if manages_channel(answer.interaction) else []
    return days_message(day, mine, ready, streak, answer.locale, here=here)


async def _daily(answer: Answer, game: str, user_id: int) -> Daily:
    day, mine = await today.today(answer.service(Tables), user_id)
    here, tomorrow = answer.interaction.guild_id or 0, days.shifted(day, 1)
    departed = await _departed(answer, day, game, here) if here else ()
    places, among, streak, promised, ready = await answer.app.database.read_at_once(
        lambda c: (
            *days.board(c, day, game, here=here, asker=user_id, most=ROWS, departed=departed),
            days.streak(c, user_id, day),
            days.commitments(c, tomorrow),
            days.deal_of(c, day, game) is not None,
        )
    )
    return Daily(day, game, ready, mine.get(game), places, among, streak, promised.get(game, ""))


async def _departed(answer: Answer, day: str, game: str, guild_id: int) -> set[int]:
    """Return the best of a server on a day's deal who have left it, as far as that is known."""
    database, most = answer.app.database, ROWS + AT_ONCE
    users = await database.read_at_once(lambda c: days.best_of_server(c, day, game, guild_id, most))
    return await answer.service(TablePublisher).members.departed(guild_id, users)


async def day_message(answer: Answer, game: str) -> Message:
    """One game of today."""
    found = await _daily(answer, game, answer.user_id)
    over = found.begun is not None and found.begun.done is not None
    share = share_row(answer, "daily", game, found.day) if over else []
    return daily_message(found, share, answer.locale)


async def shared(pressed: Pressed, answer: Answer) -> Message:
    """`share:daily:game:day`: the card of whoever presses, as everybody reads it.

    Raises:
        Refused: they have not finished it, or it is another day by now.
    """
    found = await _daily(pressed, pressed.game(1), pressed.user_id)
    if found.day != pressed.ref.word(2) or found.begun is None or found.begun.done is None:
        raise Refused("daily_no_share")
    return page(share_card(found, found.begun.done, answer.locale))


@handlers.on("dailies")
async def _dailies(pressed: Pressed) -> None:
    await pressed.turn(await list_days(pressed))


@handlers.on("daily-of")
async def _of(pressed: Pressed) -> None:
    """A game chosen from the list."""
    await pressed.turn(await day_message(pressed, pressed.chosen_game()))


@handlers.on("daily")
async def _shown(pressed: Pressed) -> None:
    await pressed.turn(await day_message(pressed, pressed.game()))


@handlers.on("daily-morning", who=CHANNEL_MANAGER)
async def _morning(pressed: Pressed) -> None:
    """Tell this channel each morning, or no more: `daily-morning:yes` or `:no`."""
    await switch(pressed, pressed.ref.word(0))
    await pressed.turn(await list_days(pressed))


@handlers.on("daily-go")
async def _go(pressed: Pressed) -> None:
    """**Play**, or once more for practice: `daily-go:game:again`."""
    game, again = pressed.game(), pressed.ref.word(1)
    if again not in ("", "again"):
        raise InvalidCustomId(again)
    _, mine = await today.today(pressed.service(Tables), pressed.user_id)
    begun = mine.get(game)
    if begun is not None and begun.done is None:  # the message is older than the game
        table = await pressed.service(Tables).get(begun.game_id)
        await open_hand(pressed, table, PERSON)
        return
    if begun is not None and not again:  # of a message that everybody reads: how it went, and the ways on
        await pressed.turn(await day_message(pressed, game))
        return
    if not await pressed.first_click():
        return
    name = plain(pressed.interaction.user.display_name)
    table = await today.begin(
        pressed.service(Tables),
        game,
        user_id=pressed.user_id,
        name=name,
        opponents=[each for each in words(pressed.locale).list("opponent.names") if each != name],
        guild_id=pressed.interaction.guild_id,
        locale=pressed.locale,
        practice=bool(again),
    )
    greeting = pressed.say("daily.greeting_again" if again else "daily.greeting")
    await open_hand(pressed, table, PERSON, greeting=greeting)


@handlers.on("daily-puzzle")
async def _puzzle(pressed: Pressed) -> None:
    """The puzzle of today, the same for everybody."""
    game = pressed.game()
    found = puzzles_of(game)
    if not found:
        raise Refused("no_puzzles")
    number = today.puzzle_of(days.day_of(pressed.app.clock.now()), found)
    await pressed.private(puzzle_message(puzzle_view(pressed, found[number])))
