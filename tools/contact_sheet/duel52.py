"""Every kind of picture of the game, from positions in its notation and from real games."""

from __future__ import annotations

import random
from functools import cache
from typing import Final

from bot.presenters.duel52 import lookups, scenes
from bot.presenters.duel52.words import Voice
from bot.render.scene import Look, Scene
from engine.duel52.cards import VARIANTS
from engine.duel52.game import GAME
from engine.duel52.notation import read
from engine.duel52.state import DuelState
from engine.playing_cards import RANKS, SPADES, of
from tools.contact_sheet.moments import pictures

NAMES: Final = ("Mira", "Tobias", "Ağaoğlu", "小明")
TITLES = {
    "table": "Table: {title}",
    "hand": "Hand: {title}",
    "start": "the first turn",
    "middle": "pairs, frost and bases",
    "taunt": "Jacks and Aces",
    "end": "a duel won",
    "crowded": "a crowded long game",
    "solo": "solo, the bet",
    "solo_later": "solo, after the bet",
    "triangles": "triangles",
    "teams": "teams",
    "teams_late": "teams, late",
}
"""Titles of positions, and patterns for the titles of their pictures."""
SIDES: Final = ("Side A", "Side B")
"""Names of the two seats of solo, both held by one person."""

_POSITIONS: Final = {
    "middle": (
        "standard A2 Js1!,(5s)|8s=a,8h1=a,[Kd]|(4c)@AB,[2d]/9c,(Qc)1,[3d]|Ts*,(6d)*,[Kc]*|7c,[4d] "
        "hands=2sQh5hAsTd/6h9d3c7d pile=AhTc6s5d4h8dJhJcAc2c gone=Jd,(3s)@B,{7h}@A,9h turns=14"
    ),
    "taunt": (
        "standard B3 Js2,Ts,(9s)|Ah+,6s|-/9c=b,9d=b,(2h)1|Jc1,Jd|Kc,(7c)@- "
        "hands=As3h/6h turns=31 gone=2s,(3s)@A,4s,5s"
    ),
    "end": ("standard A0 Js1,Qs|8s|-/-|-|7c,9d1 gone=2s,(3s)@A,4s,5s,Ah,Kc turns=36 over=two_lanes:1,2"),
}
"""Positions that random games seldom reach, by key."""
_GAMES: Final = (
    ("start", "standard", 0),
    ("crowded", "long", 120),
    ("solo", "solo", 1),
    ("solo_later", "solo", 30),
    ("triangles", "triangles", 90),
    ("teams", "teams", 70),
    ("teams_late", "teams", 120),
)
"""Key, variant and number of random decisions."""


def _played(variant: str, decisions: int) -> DuelState:
    """Return a position of a random game from a fixed seed."""
    rng = random.Random(f"{variant}/{decisions}")
    state = GAME.deal(GAME.setup(VARIANTS[variant].seats, bytes([7]) * 32, variant=variant))
    for _ in range(decisions):
        if not state.to_act():
            break
        state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
    return state


@cache
def gallery() -> tuple[tuple[str, Scene], ...]:
    """Return tables and hands of all kinds, and all thirteen cards."""
    voice = Voice(Look())
    states = [(key, read(text)) for key, text in _POSITIONS.items()]
    states += [(key, _played(variant, decisions)) for key, variant, decisions in _GAMES]
    shown = []
    for key, state in states:
        names = SIDES if state.variant.key == "solo" else NAMES
        shown += pictures(TITLES, [(key, state.seats, state)], names, table=scenes.table, hand=scenes.hand)
    shown.append((voice("page.sheet"), lookups.sheet_scene(range(RANKS), Look())))
    for rank in range(RANKS):
        card = of(rank, SPADES)
        shown.append((voice.label(card, vampiric=False), lookups.card_scene(card, Look(), vampiric=False)))
    return tuple(shown)
