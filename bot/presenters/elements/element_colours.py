"""The colour of each element: the same on its cards and in every molecule, whatever the game."""

from __future__ import annotations

from typing import Final

from bot.render.colour import RGB, contrast, mix
from bot.render.theme import Theme
from engine.elements import BY_SYMBOL

OWN: Final = {
    "H": "paper",
    "C": "ink",
    "N": "noble gas",
    "O": "natural",
    "F": "seat2",
    "P": "alkaline earth metal",
    "S": "accent",
    "Cl": "nonmetal",
}
"""The colours that molecule kits have. All other elements have that of their family."""
_TONES: Final = {"Na": ("paper", 0.42), "Mg": ("paper", 0.5), "Fe": ("ink", 0.5), "Al": ("ink", 0.35)}
"""How much lighter or darker than its family a metal is: of two metals of one family in the ionic deck one,
and aluminum, whose small ion would be too pale to see."""


def element_colour(theme: Theme, symbol: str) -> RGB:
    """The colour of an element. Its letter always stands with it where there is room."""
    if symbol in OWN:
        return theme[OWN[symbol]]
    toward, share = _TONES.get(symbol, ("paper", 0.0))
    return mix(theme[BY_SYMBOL[symbol].category], theme[toward], share)


def ink_on(theme: Theme, colour: RGB) -> RGB:
    """Dark ink or light paper, whichever is read better on a colour."""
    return max(theme["ink"], theme["paper"], key=lambda one: contrast(one, colour))
