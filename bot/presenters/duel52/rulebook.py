"""The rules as pages; the page of the variant that is played comes first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.presenters.base import Page
from bot.presenters.duel52.words import Voice
from bot.render.scene import Look
from engine.duel52.cards import SHEET, VARIANTS
from engine.game import Value
from engine.playing_cards import RANK_LABELS

GENERAL: Final = ("general", "fight", "winning")
RULINGS: Final = ("rulings_attack", "rulings_powers")


def rules(locale: str, options: Mapping[str, Value] | None = None) -> tuple[Page, ...]:
    """How to play, the powers, each variant, and the rulings."""
    voice = Voice(Look(locale=locale))
    variants = {key: _variant(key, voice) for key in VARIANTS}
    pages = [
        *(_page(key, voice) for key in GENERAL),
        _powers(voice),
        *variants.values(),
        *(_page(key, voice) for key in RULINGS),
    ]
    chosen = variants.get(str(options.get("variant"))) if options else None
    if chosen is not None:
        pages = [chosen, *(page for page in pages if page is not chosen)]
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


def _variant(key: str, voice: Voice) -> Page:
    variant = VARIANTS[key]
    actions = ", ".join(map(str, variant.actions))
    facts = voice(
        "rules.variant",
        seats=variant.seats,
        hand=variant.hand,
        bases=variant.lanes * variant.sides * variant.bases,
        aside=variant.aside,
        pile=variant.pile,
        actions=actions,
    )
    return Page(
        voice("rules.variant_title", name=voice(f"option.{key}")),
        f"{facts}\n\n" + voice(f"rules.{key}").strip(),
    )
