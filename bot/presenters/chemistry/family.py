"""What the presenters of the three games share: options, look-ups, rules, endings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bot.presenters import base
from bot.presenters.chemistry import lookups, rulebook
from bot.presenters.chemistry.words import Voice
from bot.render.scene import Look
from engine.game import Value


class ChemistryPresenter(base.Facade):
    """The parts that do not depend on the game's positions."""

    elements: ClassVar[lookups.Elements]
    """Which element cards the game has."""
    compounds: ClassVar[bool] = True
    """Whether it has compounds and wild cards."""

    def option(self, key: str, value: Value | None, look: Look) -> tuple[str, str]:
        """See `bot.presenters.base.Presenter`."""
        voice = Voice(look)
        if value is None:
            return voice(f"option.{key}"), voice(f"option.{key}_note")
        shown = str(value).lower()
        return voice(f"option.{key}_{shown}"), voice(f"option.{key}_{shown}_note")

    def cards(self, locale: str) -> tuple[base.Card, ...]:
        """See `bot.presenters.base.Presenter`."""
        return lookups.cards(locale, self.elements, compounds=self.compounds)

    def card(self, key: str, look: Look, _options: Mapping[str, Value] | None = None) -> base.Page:
        """See `bot.presenters.base.Presenter`."""
        return lookups.card(key, look, self.elements, compounds=self.compounds)

    def rules(self, locale: str, options: Mapping[str, Value] | None = None) -> tuple[base.Page, ...]:
        """See `bot.presenters.base.Presenter`."""
        return rulebook.rules(self.key, locale, options)
