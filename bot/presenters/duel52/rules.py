"""The pages of the rules: how to play, the powers, each variant, and the rulings."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from bot.presenters.base import Page, rules_page
from bot.presenters.duel52 import scenes
from bot.presenters.duel52.words import GROUND, Voice, option, printed
from bot.presenters.poster import Emblem
from bot.presenters.rulebook import at_table, example_scene, with_example
from bot.render.scene import Look, Scene
from engine.duel52.cards import SHEET, VARIANTS
from engine.duel52.game import GAME
from engine.game import Value
from engine.playing_cards import LABELS, RANK_LABELS, RANKS, SEVEN, parse

GENERAL: Final = {
    "begin": "back = Js",
    "turn": "Ah* > back~",
    "fight": "Qd > 8c*",
    "ending": "Kh* 9s* back~",
}
"""The cards of each page's example."""
POWERS: Final = {
    "powers_low": ("2s 3s 4s 5s 6s 7s", range(SEVEN + 1)),
    "powers_high": ("8s 9s Ts Js Qs Ks As", range(SEVEN + 1, RANKS)),
}
OWN_RULES: Final = ("solo", "triangles", "teams")
"""Variants with rules of their own. The others differ only in the number of cards."""
RULINGS: Final = ("rulings_attack", "rulings_powers")
_SHOWN: Final = 12
"""The number of decisions after which a table has something to show."""


def rules(locale: str, options: Mapping[str, Value] | None = None) -> tuple[Page, ...]:
    """Return the pages of the rules: how to play, the powers, each variant, and the rulings.

    If options are given, the first page describes this table: the page of its variant if that has rules of
    its own, otherwise how to play.
    """
    voice = Voice(Look(locale=locale))
    chosen = str(options.get("variant")) if options else ""
    here = at_table(option, "duel52", options, voice.look)
    told = here["here_variant"]
    variants = {key: _variant(key, voice, told if key == chosen else "") for key in VARIANTS}
    pages = [
        *(with_example(voice, key, _example(key, cards, voice)) for key, cards in GENERAL.items()),
        *(_powers(key, cards, ranks, voice, here) for key, (cards, ranks) in POWERS.items()),
        *variants.values(),
        *(rules_page(voice, key) for key in RULINGS),
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


def _example(key: str, cards: str, voice: Voice) -> Scene:
    def draw(card: str) -> tuple[Emblem, str]:
        if card == "back":
            return Emblem("cards.back", ("",)), voice("a_back")
        return Emblem("cards.face", printed(parse(card))), LABELS[parse(card)]

    return example_scene(voice, key, cards, draw, table=GROUND)


def _powers(key: str, cards: str, ranks: range, voice: Voice, facts: Mapping[str, str]) -> Page:
    """Return a page of powers, one line per rank."""
    page = with_example(voice, key, _example(key, cards, voice))
    lines = [
        voice(
            "rules.power",
            rank=RANK_LABELS[rank],
            power=voice(f"power.{SHEET.cards[rank].power}"),
            text=voice(f"short.{SHEET.cards[rank].power}"),
        )
        for rank in ranks
    ]
    if SEVEN in ranks:
        lines.append(voice("rules.power_vampiric", text=voice("text.vampiric"), **facts))
    return replace(page, text="\n".join([page.text, *lines]))


def _facts(key: str, voice: Voice, here: str = "") -> str:
    """Return the setup of a variant. `here` says that a table plays it."""
    variant = VARIANTS[key]
    actions = voice.listed(map(str, variant.actions))
    return voice(
        "rules.variant",
        seats=variant.seats,
        hand=variant.hand,
        bases=variant.lanes * variant.sides * variant.bases,
        aside=variant.aside,
        pile=variant.pile,
        actions=actions,
        here=here,
    )


def _variant(key: str, voice: Voice, here: str) -> Page:
    title = voice("rules.variant_title", name=voice(f"option.{key}"))
    text = f"{_facts(key, voice, here)}\n\n" + voice(f"rules.{key}").strip()
    return Page(title, text, _table(key, voice.look.locale), voice(f"rules.{key}_example"))


@cache
def _table(variant: str, locale: str) -> Scene:
    """Return a table of this variant after some random decisions, the same each time."""
    voice, rng = Voice(Look(locale=locale)), random.Random(variant)
    state = GAME.deal(GAME.setup(VARIANTS[variant].seats, bytes(32), variant=variant))
    for _ in range(_SHOWN):
        state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
    names = voice.list("rules.sides" if variant == "solo" else "rules.names")
    return scenes.table(state.observe(None), Look(locale=locale, names=names[: state.seats]))
