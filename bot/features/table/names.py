"""Names of seats, and the title and address of a table."""

from __future__ import annotations

from collections.abc import Callable

from bot import presenters
from bot.locales import words
from bot.render.scene import Look
from bot.render.text import is_written_whole
from bot.render.theme import seat_letter
from bot.store.personal_data.privacy import is_nobody
from bot.table.table import Table
from bot.ui.names import message_url, plain, shown


def title_of(table: Table) -> str:
    """Return the name of a table's game in the language of its channel."""
    return presenters.get(table.game.key).title(table.stored.locale)


def word_look(table: Table, locale: str) -> Look:
    """Return the seat names for text."""
    return Look(locale=locale, names=_of_seats(table, locale, shown))


def picture_look(table: Table, locale: str) -> Look:
    """Return the seat names for pictures and alt texts."""
    return Look(locale=locale, names=_of_seats(table, locale, plain))


def _of_seats(table: Table, locale: str, written: Callable[[str], str]) -> tuple[str, ...]:
    """Return a name for each seat, no two alike. If one person has all seats, they are sides.

    Equal names get their seat letters, and so do names that pictures cannot write in full: in pictures, the
    letters are on the colours of the seats, so they show who is meant.
    """
    former = words(locale)("privacy.former")
    names = [
        former if sitter.user_id is not None and is_nobody(sitter.user_id) else written(sitter.name)
        for sitter in table.sitters
    ]
    if len(names) > 1 and len({sitter.user_id for sitter in table.sitters}) == 1 and table.held_by_one:
        return tuple(words(locale)("table.side", side=seat_letter(seat)) for seat in range(len(names)))
    return tuple(
        f"{name} ({seat_letter(seat)})" if names.count(name) > 1 or not is_written_whole(name) else name
        for seat, name in enumerate(names)
    )


def table_url(table: Table) -> str:
    """Return the address of a table's message in Discord."""
    return message_url(table.stored)
