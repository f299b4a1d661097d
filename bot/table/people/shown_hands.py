"""Hands shown to watchers: whether a table may show them, and the consent of its players."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from bot.core.errors import Refused
from bot.store.games import Change
from bot.store.terms import Terms
from bot.table.table import Table, changes

CLOSING: Final = frozenset({"round_over", "settled"})
"""Kinds of events with which a game ends all hands before everything is dealt again."""


def only_rounds(table: Table) -> bool:
    """Return whether only the hands of finished rounds are shown.

    That is so if several people have played, so that no one learns about unseen cards from a watcher.
    """
    people = {*table.people(), *table.stored.terms.left.values()}
    return len(people) > 1


def may_show_hands(table: Table) -> bool:
    """Return whether the hands of this table can be shown to watchers at all.

    They cannot if only the hand shows the table, nor if several people play and hands last from the deal to
    the end.
    """
    terms = table.stored.terms
    if table.phase != "live" or terms.daily or terms.practice or terms.hand_only:
        return False
    return not only_rounds(table) or bool(CLOSING & set(table.game.events))


@changes
async def show_hands(table: Table, user_id: int) -> None:
    """Let watchers see all hands, later, if only one person sits at the table.

    Raises:
        Refused: others sit there too, the person does not, or these hands are never shown.
    """
    must_show(table, user_id)
    if table.people() != [user_id]:
        raise Refused("hands_asks")
    await table.keep(Change({"terms": with_hands(table)}))


def with_hands(table: Table) -> Terms:
    """Return the terms of a table whose people agree that watchers see all hands."""
    peeked = table.stored.terms.peeked or not only_rounds(table)
    return replace(table.stored.terms, hands=True, peeked=peeked, asked=None)


@changes
async def hide_hands(table: Table, user_id: int) -> None:
    """Stop showing hands to watchers. Everyone who sits there may do that at any time.

    Raises:
        Refused: they do not sit there.
    """
    if not table.seats_of(user_id):
        raise Refused("not_seated")
    await table.keep(Change({"terms": replace(table.stored.terms, hands=False)}))


def must_show(table: Table, user_id: int) -> None:
    """Check that this person may ask to show all hands to watchers.

    Raises:
        Refused: they do not sit there, or these hands are never shown.
    """
    if not table.seats_of(user_id):
        raise Refused("not_seated")
    if not may_show_hands(table):
        raise Refused("hands_never")
