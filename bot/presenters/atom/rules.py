"""The rules in pages, from the shortest account to the details."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.presenters.atom.lookups import overview
from bot.presenters.atom.scenes import GROUND
from bot.presenters.atom.words import Voice, option
from bot.presenters.base import Page, rules_page
from bot.presenters.poster import Emblem
from bot.presenters.rulebook import at_table, example_scene, with_example
from bot.render.scene import Look, Scene
from engine.game import Value
from engine.playing_cards import LABELS, RANK_LABELS, RANK_OF, SUIT_NAMES, SUIT_OF, parse

PAGES: Final = {
    "begin": "9s,9d < Qh,Qs* Ts,Th,Tc~",
    "turn": "5d < Th < Ks*",
    "hands": "",
    "beating": "4d,4c,4s,4h < 7s < 3d,3d,3d*",
    "ending": "Kd Th 9s~",
    "score": "5s + Th + Kc",
    "five": "Ah = Ah,Ah*",
}
"""By page: the cards of its example; without any, all hands are shown."""
DETAILS: Final = ("tips", "decided")
"""The pages that come last, without pictures."""


def rules(locale: str, options: Mapping[str, Value] | None = None) -> tuple[Page, ...]:
    """Return the pages, in the same order for every table."""
    voice = Voice(Look(locale=locale))
    facts = at_table(option, "atom", options, voice.look)
    pages = [
        with_example(
            voice, key, _example(key, cards, voice) if cards else overview(voice.look).scene, **facts
        )
        for key, cards in PAGES.items()
    ]
    return (*pages, *(rules_page(voice, key, **facts) for key in DETAILS))


def _example(key: str, cards: str, voice: Voice) -> Scene:
    def draw(code: str) -> tuple[Emblem, str]:
        card = parse(code)
        face = RANK_LABELS[RANK_OF[card]], SUIT_NAMES[SUIT_OF[card]]
        return Emblem("cards.face", face), LABELS[card]

    return example_scene(voice, key, cards, draw, table=GROUND)
