"""The words for the rules of a table: house rules, and what differs from the usual game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot import presenters
from bot.locales import Words, words
from bot.presenters.rulebook import named_value
from bot.render.scene import Look
from bot.table.early_results import can_be_rated
from bot.table.people import friendly_games
from bot.table.people.friendly_games import is_friendly, newcomers_here, party
from bot.table.table import Table
from bot.table.table_kinds import is_decided_by_deal
from bot.ui.names import joined, named_rules, shown
from engine import catalog
from engine.game import Value


def rules_line(table: Table, locale: str) -> str:
    """Return the line that names the house rules of a table, or an empty string."""
    return rules_named(table.stored.terms.house_rules, locale)


def rules_named(name: str, locale: str) -> str:
    """The line that names house rules; nothing without a name."""
    return words(locale)("house_rules.line", name=named_rules(name)) if name else ""


def differences(game: str, options: Mapping[str, Value], locale: str) -> list[str]:
    """Return the options that make a game different from the usual one, in words.

    Values that follow from another option are left out.
    """
    if not presenters.offers(game):
        return []
    presenter, look = presenters.get(game), Look(locale=locale)
    return [
        named_value(presenter.option, option.key, value, look)
        for option in catalog.get(game).options
        if (value := option.at(options)) != option.default and option.settled_at(options) is None
    ]


def differing(game: str, options: Mapping[str, Value], locale: str) -> str:
    """Return what these options make different from the usual game, in words."""
    return " · ".join(differences(game, options, locale)) or words(locale)("house_rules.as_usual")


def table_rules(table: Table, locale: str) -> str:
    """Return by which rules a table is played: the name of its house rules and what differs from the usual
    game of today, or an empty string if nothing does."""
    say, version = words(locale), table.game.version
    told = differences(table.game.key, table.stored.options, locale)
    if named := rules_line(table, locale):
        summary = " · ".join(told) or say("house_rules.as_usual")
        told = [say("house_rules.summary", line=named, told=summary)]
    if version != catalog.get(table.game.key).version:
        told.append(say("rules.earlier", n=version))
    return " · ".join(told)


def what_it_counts(table: Table, locale: str) -> str:
    """Return whether a game of several people counts for ratings or is friendly, or an empty string if it
    could not count."""
    if not can_be_rated(table):
        return ""
    return words(locale)("friendly.friendly" if is_friendly(table) else "friendly.counts")


def terms_line(table: Table, locale: str) -> str:
    """Return by which rules a table is played, and what the game counts for."""
    return " · ".join(filter(None, (table_rules(table, locale), what_it_counts(table, locale))))


def can_count(table: Table) -> bool:
    """Return whether the game of a lobby could count for ratings, if other people join."""
    if table.stored.guild_id is None or table.held_by_one or is_decided_by_deal(table):
        return False
    return max(table.game.seats(table.stored.options), default=1) > 1


def friendly_lines(table: Table, say: Words) -> str:
    """Return what the game of a lobby will count for, why, and how to change that; an empty string if it
    can't count."""
    if not can_count(table):
        return ""
    if not is_friendly(table):
        return say("friendly.lobby_counts")
    terms = table.stored.terms
    known = {sitter.user_id: shown(sitter.name) for sitter in table.sitters}

    def named(users: Sequence[int]) -> str:
        return joined([known.get(user) or f"<@{user}>" for user in users], say.language)

    new = [] if terms.friendly else newcomers_here(table)
    agreed = [user for user in party(table) if user in terms.counting]
    label, first = say("friendly.make_count"), friendly_games.FIRST_GAMES
    told = (
        say("friendly.lobby_new", n=len(new), names=named(new), first=first)
        if new
        else say("friendly.lobby_friendly")
    )
    if agreed:
        asked = say("friendly.lobby_agreed", n=len(agreed), names=named(agreed), button=label)
    else:
        asked = say("friendly.lobby_asks", button=label)
    return f"{told}\n{asked}"


def deal_line(table: Table, say: Words) -> str:
    """Return who wins and why if the deal alone decides it with those who sit here, else an empty string."""
    if not is_decided_by_deal(table):
        return ""
    return "-# " + presenters.get(table.game.key).by_deal(say.language)
