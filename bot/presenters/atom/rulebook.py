"""The rules as pages."""

from __future__ import annotations

from collections.abc import Mapping

from bot.presenters.atom import lookups
from bot.presenters.atom.words import Voice
from bot.presenters.base import Page
from bot.render.scene import Look
from engine.game import Value

PAGES = ("overview", "hands", "beating", "tricks", "score", "five", "tips", "decided")


def rules(locale: str, _options: Mapping[str, Value] | None = None) -> tuple[Page, ...]:
    """From the shortest account to the details; the hands with a picture."""
    look = Look(locale=locale)
    voice = Voice(look)
    hands = lookups.overview(look).scene
    return tuple(
        Page(voice(f"rules.{key}_title"), voice(f"rules.{key}").strip(), hands if key == "hands" else None)
        for key in PAGES
    )
