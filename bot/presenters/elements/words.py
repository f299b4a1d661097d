"""How games with the chemical elements name them, in the reader's language."""

from __future__ import annotations

from bot.presenters.voice import Voice as GameVoice
from engine.elements import ELEMENTS


class Voice(GameVoice):
    """A game's strings for one reader, and the names of the elements.

    The game's table has the strings `card`, `label` and `short` (with `symbol`, `z`, `element`).
    """

    __slots__ = ()

    def element(self, z: int) -> str:
        """The name of an element: a language may have its own, else the English one."""
        key = f"elements.element.{ELEMENTS[z - 1].symbol}"
        return self._say(key) if key in self._say else ELEMENTS[z - 1].name

    def category(self, z: int) -> str:
        """The family of an element."""
        return self.family(ELEMENTS[z - 1].category)

    def family(self, category: str) -> str:
        """A family of elements by its key, which may have spaces."""
        return self._say(f"elements.category.{category.replace(' ', '_')}")

    def card(self, card: int) -> str:
        """A card in a sentence: **Oxygen** (O 8)."""
        return self("card", **self._facts(card))

    def label(self, card: int) -> str:
        """A card on a button: O 8 · Oxygen."""
        return self("label", **self._facts(card))

    def short(self, card: int) -> str:
        """A card in passing: O 8."""
        return self("short", **self._facts(card))

    def _facts(self, z: int) -> dict[str, object]:
        return {"symbol": ELEMENTS[z - 1].symbol, "z": z, "element": self.element(z)}
