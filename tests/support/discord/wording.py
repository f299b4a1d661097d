"""Limits on what a game says, and the refusals and questions of every game."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from bot.locales import FALLBACK, languages
from bot.presenters.base import Branch, Form, Leaf, Node, Pick
from bot.render.scene import Look
from engine import catalog
from engine.game import SETUP_REFUSALS, TURN_REFUSALS, Game, IllegalAction, Refusal, Setup
from tests.conformance.walk import actions_of, random_play

LOCALES = (*languages(), "pt-BR", "en-GB")
"""All languages that there are, and two that borrow."""


NAMES = ("Ann", "Marie-Anne \\*the Great\\* of Nowhere", "小明", "O", "🦊🦊🦊", "Ben", "Cy", "Dee")


LABEL, NOTE, PROMPT, LINE, STATUS, EXPLAIN, TEXT, TITLE, ALT = 80, 100, 300, 300, 150, 3500, 3000, 100, 1024


HUGE_TABLE, HUGE_DECISION = 2**40, 999_999


HARD: dict[str, tuple[Refusal, ...]] = {
    "atom_duel": (IllegalAction("trade_two_cards", seat=1),),
    "duel52": (IllegalAction("nine_alone"),),
    "molecular": (
        IllegalAction("forfeit_late"),
        IllegalAction("forfeit_points"),
        IllegalAction("no_counters", group=1),
    ),
    "probe": (IllegalAction("not_one_rank", cards=[3, 17]),),
}
"""By game: refusals that a search at random does not meet, with facts as the rules give them."""


def look(locale: str = FALLBACK) -> Look:
    return Look(locale=locale, names=NAMES)


def well_said(text: str, most: int, least: int = 1) -> bool:
    """A text with Markdown in it: the signs in a name are escaped, or they would work."""
    names_are_safe = re.search(r"(?<!\\)\*the Great", text) is None
    return least <= len(text) <= most and text == text.strip() and "{" not in text and names_are_safe


def well_labelled(text: str, most: int, least: int = 1) -> bool:
    """A text that Discord shows as it is: a name has no escapes in it."""
    return least <= len(text) <= most and text == text.strip() and "{" not in text and "\\*" not in text


def random_setup(game: Game[Any, Any], rng: random.Random) -> Setup | None:
    """A setup with rich options: those that come last in their lists have the most rules to break."""
    options = {o.key: o.values[-1] if rng.random() < 0.5 else rng.choice(o.values) for o in game.options}
    allowed = game.seats(options)
    if not allowed:
        return None
    return Setup(game.key, game.version, rng.choice(allowed), options, rng.randbytes(32))


def refusals_of(game: Game[Any, Any]) -> dict[str, Refusal]:
    """One real refusal for each rule that a search at random meets."""
    rng, found = random.Random(7), dict[str, Refusal]()
    spaces = [option.values for option in game.options]
    for _ in range(60):
        options = {o.key: rng.choice(v) for o, v in zip(game.options, spaces, strict=True)}
        for seats in range(1, 8):
            refusal = game.check(Setup(game.key, game.version, seats, options, bytes(32)))
            if refusal is not None:
                found.setdefault(refusal.rule, refusal)
    rich = [setup for _ in range(40) if (setup := random_setup(game, rng)) is not None]
    # what is legal at one table makes the most telling mistakes at another
    every: dict[str, list[Any]] = {}
    for setup in rich[:12]:
        for action in actions_of(game, setup, rng):
            every.setdefault(action[0], []).append(action)
    for setup in rich:
        if game.refusals.issubset(found):
            break
        for state, _ in random_play(game, setup, rng):
            for seat in state.to_act():
                legal = {action[0] for action in state.legal_actions(seat)}
                for verb, actions in every.items():
                    for action in rng.sample(actions, min(12 if verb in legal else 3, len(actions))):
                        try:
                            state.verify(seat, action)
                        except Refusal as refusal:
                            found.setdefault(refusal.rule, refusal)
    return found


GAMES = [key for key in catalog.listed() if catalog.PACKAGES[key].startswith("engine.")]

RULEBOOK_GAMES = (
    "atom_duel",
    "duel52",
    "atom",
    "chemistry_battle",
    "compound_capture",
    "canasta",
    "molecular",
)
"""The games with a rulebook in docs/rules. A new game may start without examples and card pages."""


def texts(node: Node) -> Iterator[tuple[str, str]]:
    """Questions, choices and notes of a tree: where each belongs, and how it reads."""
    if isinstance(node, Pick):
        yield "questions", node.prompt
        for item in node.items:
            yield from (("choices", item.label), ("notes", item.note), ("choices", item.group[1]))
    if isinstance(node, Form):
        yield "questions", node.title
        alike = tuple(blank.items[0].key for blank in node.blanks)
        yield "questions", node.amiss(alike)
        for blank in node.blanks:
            yield "questions", blank.label
            for item in blank.items:
                yield from (("choices", item.label), ("notes", item.note))
    if isinstance(node, Branch):
        yield "questions", node.prompt
        for choice in node.all_choices():
            yield from (("choices", choice.label), ("notes", choice.note))
            if not isinstance(choice.child, Leaf):
                yield from texts(choice.child)


def refused(game: Game[Any, Any]) -> list[Refusal]:
    """One refusal for each rule of the game."""
    found = refusals_of(game)
    for refusal in HARD.get(game.key, ()):
        found.setdefault(refusal.rule, refusal)
    return [found[rule] for rule in sorted(game.refusals - SETUP_REFUSALS - TURN_REFUSALS)]
