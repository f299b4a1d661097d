"""The options of a game, as one types them into a command: `variant=quick vampiric=true`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from discord import app_commands

from bot import presenters
from bot.core.errors import Refused
from bot.locales import words
from bot.presenters.rulebook import named_value
from bot.presenters.voice import clipped
from bot.render.scene import Look
from bot.typed_names import matches_typed
from engine import catalog
from engine.game import Value, format_value

LONGEST = 100
"""The most characters that the name and the value of a choice may have in Discord."""
Options = Mapping[str, Value]


def read_options(game: str, text: str) -> dict[str, Value]:
    """Options with their values, between them blanks or commas.

    Raises:
        Refused: one is unknown, or has no such value.
    """
    found: dict[str, Value] = {}
    options = {option.key: option for option in catalog.get(game).options}
    for part in text.replace(",", " ").split():
        key, _, value = part.partition("=")
        try:
            found[key] = options[key].read(value)
        except (KeyError, ValueError):
            known = ", ".join(
                f"{each.key}={'/'.join(map(format_value, each.values))}" for each in options.values()
            )
            raise Refused("tournament_option", part=clipped(part, 40), known=clipped(known, 500)) from None
    return found


def offered_options(game: str, typed: str, locale: str) -> Iterator[app_commands.Choice[str]]:
    """What may stand in the place of what is typed so far, for a game of two: the same when it is complete,
    the last part completed, and one option more.

    Raises:
        Refused: an earlier part cannot be read.
    """
    *parts, last = typed.replace(",", " ").split(" ")
    chosen = read_options(game, " ".join(parts))
    try:
        whole = read_options(game, typed)
    except Refused:
        whole = {}
    if last and whole:
        yield from _choices(game, [whole], locale)
    more = (
        {**chosen, **one}
        for one in _free(game, chosen)
        if matches_typed(last, f"{written(one)} {told(game, one, locale)}")
    )
    yield from _choices(game, (options for options in more if options != whole), locale)
    if last and whole:
        yield from _choices(game, ({**whole, **one} for one in _free(game, whole)), locale)


def written(options: Options) -> str:
    """Options as they are typed."""
    return " ".join(f"{key}={format_value(value)}" for key, value in options.items())


def told(game: str, options: Options, locale: str) -> str:
    """Options as people read them."""
    presenter, look, say = presenters.get(game), Look(locale=locale), words(locale)
    return say("table.comma").join(
        named_value(presenter.option, key, value, look) for key, value in options.items()
    )


def _free(game: str, chosen: Options) -> Iterator[dict[str, Value]]:
    """Each value of each option that is not chosen yet and leaves a choice."""
    options = {**catalog.get(game).defaults(), **chosen}
    for option in catalog.get(game).options:
        if option.key not in chosen and option.settled_at(options) is None:
            yield from ({option.key: value} for value in option.values)


def _choices(
    game: str, found: Iterator[dict[str, Value]] | list[dict[str, Value]], locale: str
) -> Iterator[app_commands.Choice[str]]:
    """Those of the options with which two can play."""
    rules = catalog.get(game)
    for chosen in found:
        options, value = {**rules.defaults(), **chosen}, written(chosen)
        if 2 in rules.seats(options) and not rules.held_by_one(options) and len(value) <= LONGEST:
            yield app_commands.Choice(name=clipped(told(game, chosen, locale), LONGEST), value=value)
