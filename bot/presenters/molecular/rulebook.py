"""The rules as pages."""

from __future__ import annotations

from collections.abc import Mapping

from bot.presenters.base import Page
from bot.presenters.molecular.words import Voice
from bot.render.scene import Look
from engine.game import Value

PAGES = ("general", "tiles", "groups", "effectors", "details", "decided")


def rules(locale: str, options: Mapping[str, Value] | None = None) -> tuple[Page, ...]:  # noqa: ARG001
    """The same pages for every table: the options change numbers, not rules."""
    voice = Voice(Look(locale=locale))
    return tuple(Page(voice(f"rules.{key}_title"), voice(f"rules.{key}").strip()) for key in PAGES)
