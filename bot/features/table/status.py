"""The status of a table in words, for people who cannot see the picture or prefer text."""

from __future__ import annotations

from cachetools import LRUCache
from typing_extensions import override

from bot import presenters
from bot.core.errors import Refused
from bot.core.service import Service
from bot.features.table.board import lines_of, turn_words
from bot.features.table.consent import request
from bot.features.table.names import picture_look, word_look
from bot.features.table.rights import TABLE
from bot.features.table.side_answers import show_side_answer
from bot.features.table.terms import terms_line
from bot.locales import words
from bot.presenters.voice import clipped
from bot.store.database import StoreError
from bot.table.people.absent import on_holiday
from bot.table.table import Table
from bot.table.table_kinds import level_of
from bot.ui.components import page
from bot.ui.context import Pressed
from bot.ui.handlers import Handlers
from bot.ui.names import joined, shown
from engine.game import Seat

MOST_TABLE = 2500
"""Maximum number of characters for the table in words, not counting the recent events."""
LINES = 10
MOST_ASKED = 5000
"""Maximum number of remembered pairs of a person and a table."""
handlers = Handlers[Pressed]()


class LastAsked(Service):
    """The number of events at a table when a person last asked for its status."""

    def __init__(self) -> None:
        self._events: LRUCache[tuple[int, int], int] = LRUCache(MOST_ASKED)

    def replace(self, user_id: int, table_id: int, events: int) -> int | None:
        """Store a number of events. Return the one before, or None on the person's first request."""
        previous = self._events.get((user_id, table_id))
        self._events[user_id, table_id] = events
        return previous

    @override
    def forget(self, user_id: int) -> None:
        for key in [key for key in self._events if key[0] == user_id]:
            del self._events[key]


@handlers.on("status", TABLE)
async def _status(pressed: Pressed, table: Table) -> None:
    """Show the turn, the open request, the news since this person last asked, and the table in words."""
    if table.state is None:
        raise Refused("not_started")
    seats = table.seats_of(pressed.user_id)
    presenter, observation = presenters.get(table.game.key), table.state.observe(None)
    locale, outcome = pressed.locale, table.outcome()
    look = word_look(table, locale)
    turn = turn_words(table, locale) if outcome is None else presenter.ending(outcome, look)
    question = request(table, locale)[0] if outcome is None else ""
    described = presenter.table(observation, picture_look(table, locale)).alt
    heading = pressed.say("status.heading", table=table.id, status=presenter.status(observation, look))
    if rules := terms_line(table, locale):
        heading += f"\n-# {rules}"
    message = page(
        heading,
        "\n".join(filter(None, (turn, question, await _holidays(pressed, table), _opponents(table, locale)))),
        _news(pressed, table, seats[0] if seats else None),
        clipped(described, MOST_TABLE),
    )
    await show_side_answer(pressed, table, message)


async def _holidays(pressed: Pressed, table: Table) -> str:
    """Return lines about the players on holiday for whom the table waits."""
    try:
        holidays = await on_holiday(table, pressed.app.database, pressed.app.clock)
    except StoreError:  # the rest of the status is in memory
        return ""
    look = word_look(table, pressed.locale)
    return "\n".join(
        pressed.say("status.holiday", name=look.name(seat), until=until // 1000)
        for seat, until in holidays.items()
    )


def _opponents(table: Table, locale: str) -> str:
    """Return the line about the computer opponents and their levels."""
    say, presenter = words(locale), presenters.get(table.game.key)
    opponents = [
        say("status.opponent", name=shown(sitter.name), level=presenter.level(level, locale))
        for seat, sitter in enumerate(table.sitters)
        if (level := level_of(table, seat))
    ]
    return say("status.opponents", names=joined(opponents, locale)) if opponents else ""


def _news(pressed: Pressed, table: Table, viewer: Seat | None) -> str:
    """Return the news since the person last asked or, on their first request, since their last move."""
    total = table.recent.total
    last = pressed.service(LastAsked).replace(pressed.user_id, table.id, total)
    if last is not None:
        # a reloaded table restarts its count
        events, key = table.recent.after(last) if last <= total else list(table.recent), "since_asked"
    elif viewer is not None:
        events, key = table.recent.since(viewer), "since_moved"
    else:
        events, key = list(table.recent), "lately"
    lines = lines_of(events, table, viewer, pressed.locale)[-LINES:]
    if not lines:
        # "nothing new" would be wrong before the first event
        return pressed.say("status.nothing_new" if list(table.recent) else "table.nothing_yet")
    return "\n".join([pressed.say(f"status.{key}"), *(f"-# {line}" for line in lines)])
