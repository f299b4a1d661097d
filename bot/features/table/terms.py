"""Texts about the rules of a table: house rules, and differences from the standard game."""

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
    """Return the line that names house rules, or an empty string if `name` is empty."""
    return words(locale)("house_rules.line", name=named_rules(name)) if name else ""


def differences(game: str, options: Mapping[str, Value], locale: str) -> list[str]:
    """Return the options that differ from the standard game, in words.

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
    """Return how these options differ from the standard game, in words."""
    return " · ".join(differences(game, options, locale)) or words(locale)("house_rules.as_usual")


def table_rules(table: Table, locale: str) -> str:
    """Return the name of a table's house rules and its differences from the current standard game.

    Return an empty string for the standard game.
    """
    say, version = words(locale), table.game.version
    rules = differences(table.game.key, table.stored.options, locale)
    if named := rules_line(table, locale):
        summary = " · ".join(rules) or say("house_rules.as_usual")
        rules = [say("house_rules.summary", line=named, told=summary)]
    if version != catalog.get(table.game.key).version:
        rules.append(say("rules.earlier", n=version))
    return " · ".join(rules)


def what_it_counts(table: Table, locale: str) -> str:
    """Return a phrase for a rated or a friendly game, or an empty string if the game cannot be rated."""
    if not can_be_rated(table):
        return ""
    return words(locale)("friendly.friendly" if is_friendly(table) else "friendly.counts")


def terms_line(table: Table, locale: str) -> str:
    """Return the rules of a table, and what its game counts for."""
    return " · ".join(filter(None, (table_rules(table, locale), what_it_counts(table, locale))))


def can_count(table: Table) -> bool:
    """Return whether the game of a lobby could be rated if other people join."""
    if table.stored.guild_id is None or table.held_by_one or is_decided_by_deal(table):
        return False
    return max(table.game.seats(table.stored.options), default=1) > 1


def friendly_lines(table: Table, say: Words) -> str:
    """Return what the game of a lobby will count for, why, and how to change that, or an empty string if it
    cannot be rated."""
    if not can_count(table):
        return ""
    if not is_friendly(table):
        return say("friendly.lobby_counts")
    terms = table.stored.terms
    names = {sitter.user_id: shown(sitter.name) for sitter in table.sitters}

    def named(users: Sequence[int]) -> str:
        return joined([names.get(user) or f"<@{user}>" for user in users], say.language)

    new = [] if terms.friendly else newcomers_here(table)
    agreed = [user for user in party(table) if user in terms.counting]
    label, first = say("friendly.make_count"), friendly_games.FIRST_GAMES
    status = (
        say("friendly.lobby_new", n=len(new), names=named(new), first=first)
        if new
        else say("friendly.lobby_friendly")
    )
    if agreed:
        request = say("friendly.lobby_agreed", n=len(agreed), names=named(agreed), button=label)
    else:
        request = say("friendly.lobby_asks", button=label)
    return f"{status}\n{request}"


def deal_line(table: Table, say: Words) -> str:
    """Return who wins and why if the deal alone decides the game between these players, else an empty
    string."""
    if not is_decided_by_deal(table):
        return ""
    return "-# " + presenters.get(table.game.key).by_deal(say.language)
