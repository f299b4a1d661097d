"""The rules in pages: how to play, what each level brings, and the details."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Final

from bot.presenters.atom_duel.lookups import elements, level_of
from bot.presenters.atom_duel.painters import face
from bot.presenters.atom_duel.words import Voice, option
from bot.presenters.base import Page, rules_page
from bot.presenters.poster import Emblem
from bot.presenters.rulebook import at_table, example_scene, with_example
from bot.render.scene import Look, Scene
from engine.atom_duel.cards import LEVELS
from engine.elements import BY_SYMBOL
from engine.game import Value

BASICS: Final = {
    "begin": "Np:1* Pd:1 Ca:1",
    "turn": "Au:1 > B:1 Pb:1*",
    "levels": "Cr:1 Cr:3 Cr:5",
    "ending": "Og:1* U:1",
}
"""By page: the cards of its example, at a level where that matters."""
OTHERS: Final = {
    "two_players": "Fe* Pt",
    "evaluation": "Co* Bh Ta",
    "ties": "Lu* = Mn,Pd",
    "last_round": "At Au Li",
}
DETAILS: Final = ("rulings", "rulings_more", "decided")
"""The pages that come last, without pictures."""
_LEVELS: Final = (
    "Ra:1 < Th:1* Mc:1~",
    "As:2* > Es:2~",
    "Ne:3* → U:3~",
    "B:4* > U:4~ Au:4",
    "Lu:5* = Mn:5,Pd:5",
    "Co:6* Bh:6 Ta:6",
    "N:7* > Au:7",
)
"""By level, from the first: the cards of its example."""


def rules(locale: str, options: Mapping[str, Value] | None = None) -> tuple[Page, ...]:
    """How to play, a page for each level, and the details; the level that is played comes first."""
    voice = Voice(Look(locale=locale))
    facts = at_table(option, "atom_duel", options, voice.look)
    levels = [_level(level, voice) for level in range(1, LEVELS + 1)]
    sheets = [_sheet(level, voice) for level in range(2, LEVELS + 1)]
    pages = [
        *(_page(key, cards, voice, facts) for key, cards in BASICS.items()),
        levels[0],
        *chain.from_iterable(zip(levels[1:], sheets, strict=True)),
        *(_page(key, cards, voice, facts) for key, cards in OTHERS.items()),
        *(rules_page(voice, key, **facts) for key in DETAILS),
    ]
    if options:
        first = levels[level_of(options) - 1]
        pages = [first, *(page for page in pages if page is not first)]
    return tuple(pages)


def _page(key: str, cards: str, voice: Voice, facts: Mapping[str, str]) -> Page:
    return with_example(voice, key, _example(key, cards, voice), **facts)


def _example(key: str, cards: str, voice: Voice) -> Scene:
    def draw(card: str) -> tuple[Emblem, str]:
        symbol, _, level = card.partition(":")
        z = BY_SYMBOL[symbol].z
        return Emblem("atom_duel.card", (face(z, int(level or LEVELS)), ())), voice.element(z)

    return example_scene(voice, key, cards, draw)


def _level(level: int, voice: Voice) -> Page:
    """What a level adds."""
    key = f"level_{level}"
    scene = _example(key, _LEVELS[level - 1], voice)
    return with_example(voice, key, scene, title=voice(f"option.{key}"))


def _sheet(level: int, voice: Voice) -> Page:
    """All cards that a level brings into play."""
    title = voice("rules.sheet_title", level=level)
    return Page(title, voice(f"option.level_{level}_note"), elements(level, voice.look))
