"""House rules of a channel as an option, called `rules`, of every command that opens something to play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from discord import app_commands
from msgspec.structs import replace

from bot.core.errors import Refused
from bot.features.house_rules import service
from bot.features.house_rules.messages import playable
from bot.features.house_rules.rows import HouseRules
from bot.features.table import differing
from bot.presenters import title as title_of
from bot.presenters.voice import clipped
from bot.typed_names import fold, matches_typed
from bot.ui.commands.autocomplete import Choices, completes
from bot.ui.commands.typed_options import LONGEST
from bot.ui.context import Answer
from bot.ui.effective_settings import home_channel
from bot.ui.names import plain
from engine.game import Value

Fits = Callable[[str, Mapping[str, Value]], bool]
"""Whether a command can be used with a game and these options."""


def offer_rules(command: app_commands.Command[Any, Any, Any], fits: Fits = lambda *_: True) -> None:
    """Offer, for `rules` of this command, the house rules of this channel that can be played.

    If a game is filled in, only its house rules are offered. `rules_asked` finds what was chosen.
    """

    @completes("rules", command)
    async def here(answer: Answer, current: str) -> Choices:
        game = answer.interaction.namespace.game or ""
        choices = []
        for each in await rules_here(answer):
            options = playable(each)
            if options is None or game not in ("", each.game) or not matches_typed(current, each.name):
                continue
            if fits(each.game, options):
                title, differs = (
                    title_of(each.game, answer.locale),
                    differing(each.game, options, answer.locale),
                )
                name = clipped(f"{plain(each.name, LONGEST)} · {title} · {differs}", LONGEST)
                choices.append(app_commands.Choice(name=name, value=str(each.id)))
        return choices


async def rules_here(answer: Answer) -> list[HouseRules]:
    """Return the house rules of this channel, or of the parent channel in a thread."""
    return await service.of_channel(answer.app.database, home_channel(answer.interaction))


async def rules_asked(answer: Answer, game: str, typed: str) -> HouseRules:
    """Return the house rules with this number or name in this channel, with their current options.

    `game` is the game they must belong to, or empty for any.

    Raises:
        Refused: there are none in this channel, they are of another game than was asked for, or the game has
            changed since they were saved.
    """
    every = [
        each for each in await rules_here(answer) if typed == str(each.id) or fold(typed) == fold(each.name)
    ]
    every.sort(key=lambda each: each.name != typed)  # two names may differ by their script alone
    of_game = [each for each in every if game in ("", each.game)]
    if not every:
        raise Refused("no_house_rules")
    if not of_game:
        other = title_of(every[0].game, answer.locale)
        raise Refused("house_rules_other", name=every[0].name, game=other)
    return as_today(of_game[0])


async def one_here(answer: Answer, rules_id: int) -> HouseRules:
    """Return the house rules with this number, if they belong to this channel.

    Raises:
        Refused: they are gone, or another channel's.
    """
    return await service.found(answer.app.database, rules_id, home_channel(answer.interaction))


def as_today(rules: HouseRules) -> HouseRules:
    """Return these house rules with a value for each option that was added later.

    Raises:
        Refused: the game has changed since they were saved, so that nobody can play by them.
    """
    options = playable(rules)
    if options is None:
        raise Refused("house_rules_broken", name=rules.name)
    return replace(rules, options=options)
