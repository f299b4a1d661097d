"""Every kind of picture of Chemistry Battle, from random games."""

from __future__ import annotations

import random
from functools import cache

from bot.presenters.chemistry import lookups
from bot.presenters.chemistry.battle import scenes
from bot.presenters.chemistry.words import Voice
from bot.render.scene import Look, Scene
from engine.chemistry.battle.game import GAME
from engine.chemistry.battle.state import BattleState
from engine.elements import BY_SYMBOL

NAMES = ("Mira", "Tobias", "Ağaoğlu", "小明", "🦊", "Ed")
TITLES = {
    "table": "Table: {title}",
    "hand": "Hand: {title}",
    "frame": "Animation, frame {n}",
    "solo": "one player",
    "two": "two players",
    "six": "six players",
    "over": "game over",
    "over_many": "game over, six players",
    "over_two": "game over, two players",
    "decided": "a round is decided",
    "few_cards": "few cards left",
    "blind": "a blind game",
}
"""Titles of positions, and patterns for the titles of their pictures."""
SHOWN = ("H", "Fe", "Xe")


@cache
def gallery() -> tuple[tuple[str, Scene], ...]:
    """Return tables and hands from real games, the course of phase 2, and some cards."""
    voice = Voice(Look(names=NAMES))
    shown: list[tuple[str, Scene]] = []
    for key, seats, after, blind in (
        ("solo", 1, 5, False),
        ("two", 2, 1, False),
        ("decided", 4, 8, False),
        ("six", 6, 28, False),
        ("few_cards", 3, 41, False),
        ("blind", 3, 10, True),
        ("over", 1, 999, False),
        ("over_many", 6, 999, False),
        ("over_two", 2, 999, False),
    ):
        state = _after(seats, after, blind=blind)
        look = Look(names=NAMES[:seats])
        title = TITLES[key]
        shown.append((TITLES["table"].format(title=title), scenes.table(state.observe(None), look)))
        if not state.over:
            hand = scenes.hand(state.observe(state.turn), look)
            shown.append((TITLES["hand"].format(title=title), hand))
        elif seats == 2:
            frames = scenes.film(state.observe(None), look)
            shown += [(TITLES["frame"].format(n=n + 1), frames[n][0]) for n in (0, len(frames) - 1)]
    for symbol in SHOWN:
        z = BY_SYMBOL[symbol].z
        shown.append((voice.label(z), lookups.element_scene(z, Look())))
    return tuple(shown)


def _after(seats: int, actions: int, *, blind: bool) -> BattleState:
    """Return a random game after this many actions."""
    rng = random.Random(seats)
    state = GAME.deal(GAME.setup(seats, bytes(31) + bytes([seats]), blind=blind))
    for _ in range(actions):
        if state.over:
            break
        state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
    return state
