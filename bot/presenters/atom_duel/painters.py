"""The cards of Atom Duel: element cards with its powers, and small tiles."""

from __future__ import annotations

from functools import lru_cache

from bot.presenters.atom_duel.words import unique_level
from bot.presenters.elements.painters import Face
from bot.render.sprites import Pen, painter
from engine.atom_duel.cards import BY_Z, POWER_LEVEL, UNIQUE_LEVEL


@lru_cache(maxsize=4096)
def face(z: int, level: int = UNIQUE_LEVEL, name: str = "") -> Face:
    """The front of card `z` at a level. Raises KeyError when there is no such card."""
    card = BY_Z[z]
    levels = {power: POWER_LEVEL[power] for power in card.powers}
    if card.unique is not None:
        levels["unique"] = unique_level(z)
    return Face(
        z,
        icons=tuple(power for power, first in levels.items() if first <= level),
        faint=tuple(power for power, first in levels.items() if first > level),
        ring=card.ring if "radioactive" in levels and levels["radioactive"] <= level else None,
        name=name,
    )


@painter("atom_duel.tile", printed=True)
def _tile(pen: Pen, args: tuple[Face, str]) -> None:
    """A card known to all, in a seat's row: the number of its slot as on its back, and its sign above its
    colour. Without a number (which may be empty) the sign alone."""
    shown, number = args
    strip = 32.0 if number else 0.0
    pen.radius = 8
    pen.box((0, 0, pen.width, pen.height), "paper", 8)
    if number:
        pen.box((0, 0, strip, pen.height), "back", 8, (True, False, False, True))
        pen.text(number, (0, 0, strip, pen.height), 36, "text")
    # the sign stands high enough for the tail of a g to end above the bar
    pen.box((strip + 6, pen.height - 8, pen.width - strip - 12, 5), shown.category, 2)
    pen.text(shown.symbol, (strip, 0, pen.width - strip, pen.height - 14), 36)
