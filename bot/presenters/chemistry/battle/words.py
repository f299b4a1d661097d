"""How Chemistry Battle speaks: as the other games of chemistry, with lines and refusals of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from bot.presenters.chemistry.words import Voice as ChemistryVoice
from engine.chemistry.battle.events import Highest, Sizes


class Voice(ChemistryVoice):
    """The strings of Chemistry Battle for one reader."""

    __slots__ = ()
    prefix = "battle_"
    forms: ClassVar[Mapping[object, Callable[..., str]]] = {
        **ChemistryVoice.forms,
        Highest: lambda voice, card, _: voice.short(card),
        Sizes: lambda _voice, sizes, _: " : ".join(map(str, sizes)),
    }
