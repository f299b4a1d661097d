"""Watching a table: who does not sit there sees it go on, guesses who wins, and sees old hands by consent."""

from __future__ import annotations

from dataclasses import replace

from bot import custom_ids as ids
from bot.core.errors import Refused
from bot.features.table.rights import TABLE
from bot.features.watching import rows as guesses
from bot.features.watching.messages import Watch, hands_message, watch_message
from bot.features.watching.service import choices, delayed_table, guess, must_be_watched
from bot.features.watching.watchers import Watchers
from bot.table.table import Table
from bot.ui.components import Message
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers, Who

handlers = Handlers[Pressed]()


async def _must_not_sit(answer: Answer, table: Table) -> None:
    if table.seats_of(answer.user_id):
        raise Refused("watch_seated")


WATCHER = Who(_must_not_sit)
"""People who do not sit at the table."""


@handlers.on("watch", TABLE, who=WATCHER)
async def _watch(pressed: Pressed, table: Table) -> None:
    """The table for who does not sit there; it follows what happens."""
    must_be_watched(table)
    await _show(pressed, table)


@handlers.on("guess", TABLE, who=WATCHER)
async def _guess(pressed: Pressed, table: Table) -> None:
    """Say who wins: `guess:table`, chosen from a list."""
    must_be_watched(table)
    if not (pressed.value.isdecimal() and int(pressed.value) < (len(choices(table)) or 2)):
        raise ids.InvalidCustomId(pressed.value)
    await guess(table, pressed.user_id, int(pressed.value), pressed.app.database)
    await _show(pressed, table)


@handlers.on("watch-hands", TABLE, who=WATCHER)
async def _hands(pressed: Pressed, table: Table) -> None:
    """All hands as they were a while ago, where the people of the table agree."""
    must_be_watched(table)
    then = await delayed_table(table, pressed.app.database)
    watch = replace(await _known(pressed, table), hands=True)
    await _answer(pressed, table, hands_message(table, then, pressed.locale), watch)


async def _show(pressed: Pressed, table: Table) -> None:
    watch = replace(await _known(pressed, table), hands=False)
    await _answer(pressed, table, watch_message(table, watch, pressed.locale), watch)


async def _known(pressed: Pressed, table: Table) -> Watch:
    """How this person has watched so far."""
    user_id = pressed.user_id
    mine = await pressed.app.database.read_at_once(lambda c: guesses.guess_of(c, table.id, user_id))
    before = pressed.service(Watchers).watch_of(table, user_id) or Watch()
    return replace(before, guess=mine)


async def _answer(pressed: Pressed, table: Table, message: Message, watch: Watch) -> None:
    await pressed.turn(message)
    watchers = pressed.service(Watchers)
    watchers.shown(
        pressed.interaction,
        table,
        message,
        watch,
        pressed.prefs,
        message_id=pressed.message_id,
        sent_at=pressed.sent_at,
    )
    # it may have moved on while this was painted
    pressed.app.tasks.spawn(watchers.refresh(table, pressed.user_id), f"view of table {table.id}")
