"""The rules of the three games in pages, in words that a child can read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.presenters.base import Page, rules_page
from bot.presenters.chemistry.lookups import sheet_scene
from bot.presenters.chemistry.words import GROUND, Voice, formula, option
from bot.presenters.elements.painters import Face
from bot.presenters.poster import Emblem
from bot.presenters.rulebook import at_table, example_scene, with_example
from bot.render.scene import Look, Scene
from engine.chemistry.battle.rounds import CAP
from engine.chemistry.deck import BOOK, CHOICES, WILD
from engine.elements import BY_SYMBOL
from engine.game import Value

BATTLE: Final = {
    "battle_begin": "Fe Xe*",
    "battle_turn": "Sn < I* Ne~",
    "battle_ending": "Xe* I",
    "battle_table": "back back",
}
CAPTURE: Final = {
    "capture_begin": "C + O + O → CO2*",
    "capture_turn": "H + O + wild → H2O*",
    "capture_cards": "H2O NaCl wild",
    "capture_ending": "CO2* N wild",
}
CANASTA: Final = {
    "canasta_begin": "Al Si P",
    "canasta_turn": "C + O + O → CO2*",
    "canasta_runs": "Tc,wild,Rh ← Ru*",
    "canasta_ending": "CO2* Al,Si,P* N wild",
    "canasta_out": "Al,Si,P* O~",
}
"""By page: the cards of its example."""
_GAMES: Final = {"chemistry_battle": BATTLE, "compound_capture": CAPTURE, "canasta": CANASTA}


def rules(game: str, locale: str, options: Mapping[str, Value] | None = None) -> tuple[Page, ...]:
    """The pages of a game; with the compounds in play, the deck that is played first."""
    voice, battle = Voice(Look(locale=locale)), game == "chemistry_battle"
    facts = at_table(option, game, options, voice.look)
    cap = f"{CAP:,}"
    pages = [
        with_example(voice, key, _example(key, cards, voice, framed=battle), cap=cap, **facts)
        for key, cards in _GAMES[game].items()
    ]
    if battle:
        return (*pages, rules_page(voice, "battle_decided", cap=cap, **facts))
    chosen = str(options.get("decks", "both")) if options else "both"
    order = sorted(CHOICES[1:], key=lambda deck: deck != chosen)
    pages += [_deck(deck, voice) for deck in order]
    return (*pages, _laws(voice), rules_page(voice, "collect_decided", **facts))


def _example(key: str, cards: str, voice: Voice, *, framed: bool = False) -> Scene:
    """`framed`: the cards of Chemistry Battle, which show what the atom looks like."""

    def draw(card: str) -> tuple[Emblem, str]:
        if card == "back":
            return Emblem("elements.back", ("",)), voice("rules.card_back")
        if card == "wild":
            return Emblem("chemistry.wild", (voice("wild_title"), 1)), voice.card(WILD)
        if card in BY_SYMBOL:
            z = BY_SYMBOL[card].z
            emblem = Emblem("elements.card", (Face(z),)) if framed else Emblem("chemistry.element", (z, 1))
            return emblem, voice.element(z)
        number = next(n for n, one in enumerate(BOOK.compounds) if one.formula == card)
        return Emblem("chemistry.compound", (number,), 192 / 264), voice.compound_name(BOOK.compounds[number])

    return example_scene(voice, key, cards, draw, table=GROUND)


def _laws(voice: Voice) -> Page:
    page = rules_page(voice, "laws", _example("laws", "wild", voice))
    laws = [
        voice("rules.law", law=voice.law_name(law), by=voice.law_by(law), text=voice.law_text(law))
        for law in BOOK.laws
    ]
    return Page(page.title, "\n".join([page.text, *laws]), page.scene)


PARAGRAPH: Final = 8
"""How many compounds stand in one paragraph: a long one would not fit beside the picture of all."""


def _deck(key: str, voice: Voice) -> Page:
    """The compounds of a deck and its element cards."""
    deck = next(deck for deck in BOOK.decks if deck.key == key)
    numbers = [n for n, one in enumerate(BOOK.compounds) if one.deck == key]
    lines = [
        voice(
            "rules.deck_line",
            formula=formula(BOOK.compounds[n].formula),
            compound=voice.compound_name(BOOK.compounds[n]),
        )
        for n in numbers
    ]
    parts = [" · ".join(lines[first : first + PARAGRAPH]) for first in range(0, len(lines), PARAGRAPH)]
    cards = voice.listed(f"{count} {symbol}" for symbol, count in deck.elements.items())
    text = voice(f"rules.deck_{key}", cards=cards).strip()
    scene = sheet_scene(numbers, voice.look)
    return Page(voice(f"rules.deck_{key}_title"), "\n\n".join((text, *parts)), scene)
