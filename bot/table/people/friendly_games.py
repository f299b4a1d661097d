"""Friendly games, which change no ratings: how people choose them, or agree that a game counts.

The host can choose a friendly game, and a game with a newcomer is friendly automatically. Either counts once
everyone at the table has agreed to that.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace
from sqlalchemy import Connection

from bot.core.errors import Refused
from bot.store import totals
from bot.store.games import Change
from bot.store.terms import Terms
from bot.table.table import Table, changes

FIRST_GAMES = 3
"""Number of finished games with other people below which someone is a newcomer."""


def newcomers_among(connection: Connection, users: Collection[int]) -> tuple[int, ...]:
    """Return those of these people who have finished fewer than `FIRST_GAMES` games with others."""
    finished = totals.games_with_people(connection, users)
    return tuple(user for user, games in finished.items() if games < FIRST_GAMES)


async def with_newcomers(table: Table, before: Terms, users: Collection[int]) -> Terms:
    """Return the terms of a lobby that these people join, with the newcomers among them added.

    Raises:
        StoreError: the database did not answer.
    """
    if before.tournament:
        return before
    newcomers = await table.database.read_at_once(lambda c: newcomers_among(c, users))
    return replace(before, newcomers=tuple(dict.fromkeys((*before.newcomers, *newcomers))))


def party(table: Table) -> list[int]:
    """Return everyone who sits in a lobby, then the people for whom its deal waits."""
    return list(dict.fromkeys((*table.people(), *filter(None, table.stored.terms.order))))


def newcomers_here(table: Table) -> list[int]:
    """Return the newcomers who sit in a lobby, or for whom its deal waits."""
    return [user for user in party(table) if user in table.stored.terms.newcomers]


def is_friendly(table: Table) -> bool:
    """Return whether a game changes no ratings. In a lobby, whether that is so as things are now."""
    terms = table.stored.terms
    if table.phase != "lobby":
        return terms.friendly
    if terms.tournament or not (terms.friendly or newcomers_here(table)):
        return False
    return not set(party(table)) <= set(terms.counting)


def was_chosen_friendly(agreed: Terms) -> bool:
    """Return whether people chose a friendly game, and not only a newcomer made it friendly."""
    return agreed.friendly and not agreed.newcomers


def dealt_terms(table: Table) -> Terms:
    """Return the terms under which the cards of a lobby are dealt: friendly or not, for good.

    A game against the computer alone is never friendly, since it changes no ratings anyway.
    """
    terms = table.stored.terms
    friendly = is_friendly(table) and len(set(table.people())) > 1
    because = tuple(newcomers_here(table)) if friendly and not terms.friendly else ()
    return replace(terms, friendly=friendly, newcomers=because)


@changes
async def make_friendly(table: Table) -> None:
    """Make the game of a lobby friendly, so that it changes no ratings.

    Raises:
        Refused: it has begun, or it is a match.
        StoreError: it could not be stored.
    """
    table.must_be("lobby")
    before = table.stored.terms
    if before.tournament:
        raise Refused("match_counts")
    await table.keep(Change({"terms": replace(before, friendly=True, counting=())}))


@changes
async def agree_to_count(table: Table, by: int) -> None:
    """Note that a person wants the game of a lobby to count. It does once everyone there wants that.

    Raises:
        Refused: it has begun, or the person neither sits there nor is expected.
        StoreError: it could not be stored.
    """
    table.must_be("lobby")
    if by not in party(table):
        raise Refused("not_seated")
    before = table.stored.terms
    if not is_friendly(table) or by in before.counting:
        return
    counting = (*before.counting, by)
    agreed = set(party(table)) <= set(counting)
    terms = replace(before, counting=counting, friendly=before.friendly and not agreed)
    await table.keep(Change({"terms": terms}))
