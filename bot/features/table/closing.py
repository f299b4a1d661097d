"""Texts for tables that close early and for players who leave a rated game."""

from __future__ import annotations

from collections.abc import Iterable

from bot.features.table.names import word_look
from bot.locales import words
from bot.store.personal_data.privacy import is_nobody
from bot.table.early_results import is_rated, players
from bot.table.results import has_stayed_away, won_by_absence
from bot.table.table import Table
from bot.ui.names import joined, shown
from engine.game import Outcome


def closed_by(table: Table, locale: str, game: str) -> str:
    """Return the heading of a closed table, which names the person who closed it if that is known."""
    say, user_id = words(locale), table.stored.terms.closed_by
    if not user_id:
        return say("lobby.closed_by", game=game, table=table.id)
    return say("lobby.closed_by_whom", game=game, table=table.id, who=named([user_id], locale))


def closed_lines(table: Table, locale: str) -> tuple[str, str]:
    """Return a line that names the person who closed a table, and a line about what the game counts for."""
    closer = named([table.stored.terms.closed_by], locale)
    return words(locale)("closing.by", who=closer, table=table.id), counts(table, locale)


def counts(table: Table, locale: str) -> str:
    """Return what a game that closed early counts for, or an empty string if it could not count."""
    say, terms, everyone = words(locale), table.stored.terms, players(table)
    if terms.tournament or not is_rated(table):
        return ""
    if not terms.decided:
        return say("closing.nothing")
    lost = named(terms.left.values(), locale)
    won = named((user for seat, user in everyone.items() if seat not in terms.left), locale)
    return say("closing.counted", won=won, lost=lost) if won else say("closing.lost", lost=lost)


def counts_for_leaver(table: Table, locale: str, user_id: int, name: str, *, decided_before: bool) -> str:
    """Return what it counts for that this person has left, or an empty string if it does not count."""
    say, terms = words(locale), table.stored.terms
    if decided_before or not is_rated(table) or user_id not in terms.left.values():
        return ""
    if not terms.decided:
        return say("closing.left", who=shown(name))
    winners = [user for seat, user in players(table).items() if seat not in terms.left]
    return say("closing.decided", who=shown(name), won=named(winners, locale))


def absence_lines(table: Table, outcome: Outcome, locale: str) -> list[str]:
    """Return lines about players who stayed away to the end, and about those who win because of it."""
    say, look = words(locale), word_look(table, locale)
    absent = [seat for seat in range(len(table.sitters)) if has_stayed_away(table, seat)]
    lines = [say("end.away", name=look.name(seat)) for seat in absent]
    if won := won_by_absence(table, outcome):
        lines.append(say("end.left_by_others", names=joined([look.name(seat) for seat in won], locale)))
    return lines


def named(users: Iterable[int], locale: str) -> str:
    """Return mentions of these people as one phrase. Former users are not mentioned."""
    former = words(locale)("privacy.former")
    return joined([former if is_nobody(user) else f"<@{user}>" for user in dict.fromkeys(users)], locale)
