"""The rules in pages, in the same order for every table: the options change numbers, not rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.presenters.base import Page, rules_page
from bot.presenters.molecular.words import GROUND, Voice, option
from bot.presenters.poster import Emblem
from bot.presenters.rulebook import at_table, example_scene, with_example
from bot.render.scene import Look, Scene
from engine.game import Value
from engine.molecular.cards import ELEMENT, GROUP, SHAPE_OF, TILE

PAGES: Final = {
    "begin": "H1-1 O11-3 N111-1 C1111-2",
    "turn": "C1111-1/0,O11-1/5,C1111-1/0 → ether*",
    "tiles": "O2-1 → C112-6/3,O2-1/5*",
    "supply": "O11-1 O11-2 O11-3",
    "groups": "alkene ether diacid",
    "effectors": "instant active reagent",
    "ending": "benzene*",
}
"""By page: the tiles (with `/`, turned by so many sixths, as they lie on the table), groups and signs of its
example."""
DETAILS: Final = ("details", "decided")
"""The pages that come last, without pictures."""


def rules(locale: str, options: Mapping[str, Value] | None = None) -> tuple[Page, ...]:
    """Return how to play, then the details."""
    voice = Voice(Look(locale=locale))
    facts = at_table(option, "molecular", options, voice.look)
    pages = [with_example(voice, key, _example(key, shown, voice), **facts) for key, shown in PAGES.items()]
    return (*pages, *(rules_page(voice, key, **facts) for key in DETAILS))


def _example(key: str, shown: str, voice: Voice) -> Scene:
    def draw(name: str) -> tuple[Emblem, str]:
        kind, _, turn = name.partition("/")
        if turn:
            shape = SHAPE_OF[TILE[kind]][int(turn)]
            return Emblem("molecular.tile", (shape, "", "paper"), shape=1.155), ELEMENT[TILE[kind]]
        if name in TILE:
            return Emblem("molecular.rack", (TILE[name], False, 1), shape=0.87), ELEMENT[TILE[name]]
        if name in GROUP:
            drawing = Emblem("molecular.structure", (GROUP[name],), shape=1.5, ground="paper")
            return drawing, voice.group(GROUP[name])
        return Emblem("molecular.sign", (name, "accent"), shape=1.0), voice(f"symbol.{name}")

    return example_scene(voice, key, shown, draw, table=GROUND, beside=0)
