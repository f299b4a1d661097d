"""Options of a game as typed into a command: `variant=quick vampiric=true`."""

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
"""Discord's limit for the name and the value of a choice, in characters."""
Options = Mapping[str, Value]


def read_options(game: str, text: str) -> dict[str, Value]:
    """Return the options in a text, separated by spaces or commas.

    Raises:
        Refused: an option is unknown, or has no such value.
    """
    values: dict[str, Value] = {}
    options = {option.key: option for option in catalog.get(game).options}
    for part in text.replace(",", " ").split():
        key, _, value = part.partition("=")
        try:
            values[key] = options[key].read(value)
        except (KeyError, ValueError):
            valid = ", ".join(
                f"{each.key}={'/'.join(map(format_value, each.values))}" for each in options.values()
            )
            raise Refused("tournament_option", part=clipped(part, 40), known=clipped(valid, 500)) from None
    return values


def offered_options(game: str, typed: str, locale: str) -> Iterator[app_commands.Choice[str]]:
    """Yield completions of the typed text, for a game of two players.

    They are the same text if it is complete, the text with its last part completed, and the text with one
    more option.

    Raises:
        Refused: an earlier part cannot be read.
    """
    *parts, last = typed.replace(",", " ").split(" ")
    chosen = read_options(game, " ".join(parts))
    try:
        complete = read_options(game, typed)
    except Refused:
        complete = {}
    if last and complete:
        yield from _choices(game, [complete], locale)
    more = (
        {**chosen, **addition}
        for addition in _free(game, chosen)
        if matches_typed(last, f"{written(addition)} {told(game, addition, locale)}")
    )
    yield from _choices(game, (options for options in more if options != complete), locale)
    if last and complete:
        yield from _choices(game, ({**complete, **addition} for addition in _free(game, complete)), locale)


def written(options: Options) -> str:
    """Return options in the form in which they are typed."""
    return " ".join(f"{key}={format_value(value)}" for key, value in options.items())


def told(game: str, options: Options, locale: str) -> str:
    """Return options in words."""
    presenter, look, say = presenters.get(game), Look(locale=locale), words(locale)
    return say("table.comma").join(
        named_value(presenter.option, key, value, look) for key, value in options.items()
    )


def _free(game: str, chosen: Options) -> Iterator[dict[str, Value]]:
    """Yield each value of each option that is not chosen yet and still leaves a choice."""
    options = {**catalog.get(game).defaults(), **chosen}
    for option in catalog.get(game).options:
        if option.key not in chosen and option.settled_at(options) is None:
            yield from ({option.key: value} for value in option.values)


def _choices(
    game: str, candidates: Iterator[dict[str, Value]] | list[dict[str, Value]], locale: str
) -> Iterator[app_commands.Choice[str]]:
    """Yield a choice for each set of options that two people can play with."""
    rules = catalog.get(game)
    for chosen in candidates:
        options, value = {**rules.defaults(), **chosen}, written(chosen)
        if 2 in rules.seats(options) and not rules.held_by_one(options) and len(value) <= LONGEST:
            yield app_commands.Choice(name=clipped(told(game, chosen, locale), LONGEST), value=value)
