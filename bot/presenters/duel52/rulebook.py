"""The rules as pages, in the order in which somebody at this table should read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.presenters.base import Page
from bot.presenters.duel52.words import Voice
from bot.render.scene import Look
from engine.duel52.cards import SHEET, VARIANTS
from engine.game import Value
from engine.playing_cards import RANK_LABELS

GENERAL: Final = ("general", "fight", "winning")
OWN_RULES: Final = ("solo", "triangles", "teams")
"""Variants that are played by other rules; the others differ in how many cards there are."""
RULINGS: Final = ("rulings_attack", "rulings_powers")


def rules(locale: str, options: Mapping[str, Value] | None = None) -> tuple[Page, ...]:
    """How to play, the powers, each variant, and the rulings.

    With options the first page says what holds at this table: that is the page of a variant with rules of
    its own, else how to play.
    """
    voice = Voice(Look(locale=locale))
    chosen = str(options.get("variant")) if options else ""
    variants = {key: _variant(key, voice) for key in VARIANTS}
    pages = [
        *(_page(key, voice) for key in GENERAL),
        _powers(voice),
        *variants.values(),
        *(_page(key, voice) for key in RULINGS),
    ]
    if chosen in OWN_RULES:
        pages = [variants[chosen], *(page for page in pages if page is not variants[chosen])]
    elif chosen in VARIANTS:
        name = voice("rules.table", name=voice(f"option.{chosen}"))
        pages[0] = replace(pages[0], text=f"{name} {_facts(chosen, voice)}\n\n{pages[0].text}")
    if options and options.get("vampiric") and chosen != "solo":
        facts, _, text = pages[0].text.partition("\n\n")
        pages[0] = replace(pages[0], text=f"{facts}\n\n{voice('rules.vampiric')}\n\n{text}")
    return tuple(pages)


def _page(key: str, voice: Voice) -> Page:
    return Page(voice(f"rules.{key}_title"), voice(f"rules.{key}").strip())


def _powers(voice: Voice) -> Page:
    """All powers in a line each."""
    lines = [
        voice(
            "rules.power",
            rank=RANK_LABELS[rank],
            power=voice(f"power.{card.power}"),
            text=voice(f"short.{card.power}"),
        )
        for rank, card in enumerate(SHEET.cards)
    ]
    lines.append(voice("rules.power_vampiric", text=voice("text.vampiric")))
    return Page(voice("rules.powers_title"), voice("rules.powers") + "\n" + "\n".join(lines))


def _facts(key: str, voice: Voice) -> str:
    """How a variant is set up."""
    variant = VARIANTS[key]
    actions = ", ".join(map(str, variant.actions))
    return voice(
        "rules.variant",
        seats=variant.seats,
        hand=variant.hand,
        bases=variant.lanes * variant.sides * variant.bases,
        aside=variant.aside,
        pile=variant.pile,
        actions=actions,
    )


def _variant(key: str, voice: Voice) -> Page:
    title = voice("rules.variant_title", name=voice(f"option.{key}"))
    return Page(title, f"{_facts(key, voice)}\n\n" + voice(f"rules.{key}").strip())
