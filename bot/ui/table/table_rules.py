"""The words for the rules of a table: house rules, and what differs from the usual game."""

from __future__ import annotations

from collections.abc import Mapping

from bot import presenters
from bot.locales import Words, words
from bot.presenters.rulebook import named_value
from bot.render.scene import Look
from bot.tables.table import Table
from bot.tables.table_kinds import is_decided_by_deal
from bot.ui.names import named_rules
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


def deal_line(table: Table, say: Words) -> str:
    """Return who wins and why if the deal alone decides it with those who sit here, else an empty string."""
    if not is_decided_by_deal(table):
        return ""
    return "-# " + presenters.get(table.game.key).by_deal(say.language)
