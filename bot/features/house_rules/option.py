"""House rules as an option, called `rules`, of every command that opens something to be played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from discord import app_commands

from bot.features.house_rules.handlers import rules_here
from bot.features.house_rules.messages import playable
from bot.presenters import title as title_of
from bot.presenters.voice import clipped
from bot.store.terms import folded
from bot.ui.commands.autocomplete import Choices, completes
from bot.ui.commands.typed_options import LONGEST
from bot.ui.context import Answer
from bot.ui.names import plain
from bot.ui.table.lobby import differing
from engine.game import Value

Fits = Callable[[str, Mapping[str, Value]], bool]
"""Whether a command can be used with a game and these options."""


def offer_rules(command: app_commands.Command[Any, Any, Any], fits: Fits = lambda *_: True) -> None:
    """Offer, for `rules` of this command, the house rules of this channel that can be played.

    If a game is filled in, only its house rules are offered. `handlers.rules_asked` finds what was chosen.
    """

    @completes("rules", command)
    async def here(answer: Answer, current: str) -> Choices:
        game, wanted = answer.interaction.namespace.game or "", folded(current)
        choices = []
        for each in await rules_here(answer):
            options = playable(each)
            if options is None or game not in ("", each.game) or wanted not in folded(each.name):
                continue
            if fits(each.game, options):
                title, differs = (
                    title_of(each.game, answer.locale),
                    differing(each.game, options, answer.locale),
                )
                name = clipped(f"{plain(each.name, LONGEST)} · {title} · {differs}", LONGEST)
                choices.append(app_commands.Choice(name=name, value=str(each.id)))
        return choices
