"""The rules as pages, in words that a child can read."""

from __future__ import annotations

from collections.abc import Mapping

from bot.presenters.base import Page
from bot.presenters.chemistry.words import Voice, formula
from bot.render.scene import Look
from engine.chemistry.deck import BOOK, CHOICES
from engine.game import Value

_PAGES = {
    "chemistry_battle": ("battle_play", "battle_piles", "battle_table", "battle_decided"),
    "compound_capture": ("capture_play", "capture_cards", "capture_score", "collect_decided", "laws"),
    "canasta": ("canasta_play", "canasta_runs", "canasta_score", "collect_decided", "laws"),
}


def rules(game: str, locale: str, options: Mapping[str, Value] | None = None) -> tuple[Page, ...]:
    """The pages of a game; with the compounds in play, the deck that is played first."""
    voice = Voice(Look(locale=locale))
    pages = [_page(key, voice) for key in _PAGES[game]]
    if game != "chemistry_battle":
        chosen = str(options.get("decks", "both")) if options else "both"
        order = sorted(CHOICES[1:], key=lambda deck: deck != chosen)
        pages += [_deck(deck, voice) for deck in order]
    return tuple(pages)


def _page(key: str, voice: Voice) -> Page:
    text = voice(f"rules.{key}").strip()
    if key == "laws":
        lines = [
            voice("rules.law", law=voice.law_name(law), by=law.by, text=voice.law_text(law))
            for law in BOOK.laws
        ]
        text += "\n" + "\n".join(lines)
    return Page(voice(f"rules.{key}_title"), text)


def _deck(key: str, voice: Voice) -> Page:
    """The compounds of a deck and its element cards."""
    deck = next(deck for deck in BOOK.decks if deck.key == key)
    lines = [
        voice("rules.deck_line", formula=formula(one.formula), compound=voice.compound_name(one))
        for one in BOOK.compounds
        if one.deck == key
    ]
    cards = ", ".join(f"{count} {symbol}" for symbol, count in deck.elements.items())
    text = voice(f"rules.deck_{key}", cards=cards).strip()
    return Page(voice(f"rules.deck_{key}_title"), text + "\n" + " · ".join(lines))
