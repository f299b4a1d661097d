"""The rules as pages."""

from __future__ import annotations

from collections.abc import Mapping

from bot.presenters.atom_duel.elements import elements_scene
from bot.presenters.atom_duel.lookups import level_of
from bot.presenters.atom_duel.scenes import picture_words
from bot.presenters.atom_duel.words import Voice
from bot.presenters.base import Page
from bot.render.scene import Look, Scene
from engine.atom_duel.cards import DECK, LEVELS, POWER_LEVEL, UNIQUE_LEVEL
from engine.game import Value

OTHERS = ("two_players", "evaluation", "ties", "last_round", "rulings", "rulings_more", "decided")


def rules(locale: str, options: Mapping[str, Value] | None = None) -> tuple[Page, ...]:
    """General rules, a page for each level, and the details; the level that is played comes first."""
    voice = Voice(Look(locale=locale))
    levels = [_level(level, voice) for level in range(1, LEVELS + 1)]
    pages = [_page("general", voice), *levels, *(_page(key, voice) for key in OTHERS)]
    if options:
        first = levels[level_of(options) - 1]
        pages = [first, *(page for page in pages if page is not first)]
    return tuple(pages)


def _page(key: str, voice: Voice) -> Page:
    return Page(voice(f"rules.{key}_title"), voice(f"rules.{key}").strip())


def _level(level: int, voice: Voice) -> Page:
    """What a level adds, and in short what it keeps."""
    text = voice(f"rules.level_{level}").strip()
    kept = [voice(f"rules.kept_{lower}") for lower in range(level - 1, 0, -1)]
    if kept:
        text += "\n\n" + voice("rules.kept") + "\n" + "\n".join(f"- {line}" for line in kept)
    return Page(voice(f"option.level_{level}"), text, elements(level, voice.look))


def elements(level: int, look: Look) -> Scene:
    """The periodic table with the cards that a level brings into play."""
    voice, say = Voice(look), picture_words(look)
    added = {power for power, first in POWER_LEVEL.items() if first == level}
    marked = frozenset(
        card.z
        for card in DECK.cards
        if added.intersection(card.powers) or (card.unique is not None and level == UNIQUE_LEVEL)
    )
    if not marked:
        return elements_scene(look, say)
    icon = "unique" if level == UNIQUE_LEVEL else next(iter(added)) if len(added) == 1 else ""
    title = voice(f"option.level_{level}")
    return elements_scene(
        look, say, marked=marked, icon=icon, title=title, text=voice(f"option.level_{level}_note")
    )
