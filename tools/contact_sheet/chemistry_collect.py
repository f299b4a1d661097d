"""Every kind of picture of the two games, from real positions."""

from __future__ import annotations

import random
from functools import cache

from bot.presenters.chemistry import lookups
from bot.presenters.chemistry.collect import hand, scenes
from bot.presenters.chemistry.words import Voice
from bot.render.scene import Look, Scene
from engine.chemistry import canasta, capture
from engine.chemistry import observation as engine
from engine.chemistry.ai.heuristic import heuristic
from engine.chemistry.deck import BOOK, BY_FORMULA
from engine.chemistry.moves import Move
from engine.chemistry.state import CollectState
from engine.elements import BY_SYMBOL
from engine.game import Seat
from tools.contact_sheet.moments import Moment, find, pictures

NAMES = ("Mira", "Tobias", "Ağaoğlu", "小明", "🦊", "Ed")
TITLES = {
    "table": "Table: {title}",
    "hand": "Hand: {title}",
    "solo": "one player",
    "two": "two players",
    "three": "three players",
    "six": "six players",
    "start": "just dealt",
    "end_of_row": "few compounds left",
    "many_cards": "many cards",
    "after_capture": "after a capture",
    "over": "game over",
}
"""The titles of positions, and how those of their pictures are made of them."""
COMPOUNDS = ("H2O", "CH3OH", "CO2", "CHCl3", "NaCl", "AlCl3", "Fe2O3")
GAMES = {"compound_capture": capture.GAME, "canasta": canasta.GAME}


def _made(state: CollectState) -> int:
    return sum(map(len, state.captured))


_MOMENTS: dict[str, tuple[Moment[CollectState], ...]] = {
    "compound_capture": (
        Moment("solo", 1, lambda s: s.phase == engine.PLAY and _made(s) == 2, {"decks": "covalent"}),
        Moment("two", 2, lambda s: s.phase == engine.PLAY and _made(s) == 5),
        Moment("three", 3, lambda s: s.phase == engine.SECOND and _made(s) > 5, {"decks": "ionic"}),
        Moment("six", 6, lambda s: s.phase == engine.PLAY and _made(s) > 25),
        Moment("end_of_row", 3, lambda s: len(s.row) < 4, {"decks": "ionic"}),
        Moment("over", 4, lambda s: s.phase == engine.OVER),
    ),
    "canasta": (
        Moment("start", 2, lambda s: s.phase == engine.FIRST),
        Moment("two", 2, lambda s: len(s.wilds) > 1 and s.phase == engine.PLAY and _made(s) > 2),
        Moment("many_cards", 3, lambda s: max(s.sizes) > 14 and s.phase == engine.PLAY),
        Moment("six", 6, lambda s: len(s.wilds) > 2 and s.phase == engine.PLAY and _made(s) > 8),
        Moment("after_capture", 3, lambda s: s.phase == engine.AFTER),
        Moment("over", 3, lambda s: s.phase == engine.OVER),
    ),
}


def _choose(state: CollectState, seat: Seat, rng: random.Random) -> Move:
    """Mixed opponents."""
    actions = state.legal_actions(seat)
    return heuristic(state.observe(seat), actions, rng) if rng.random() < 0.8 else rng.choice(actions)


@cache
def gallery(key: str) -> tuple[tuple[str, Scene], ...]:
    """Tables and hands of all kinds, and some cards."""
    voice = Voice(Look(names=NAMES))
    positions = ((moment.key, moment.seats, find(GAMES[key], moment, _choose)) for moment in _MOMENTS[key])
    shown = pictures(TITLES, positions, NAMES, table=scenes.table, hand=hand.hand)
    numbers = [BY_FORMULA[name] for name in COMPOUNDS]
    shown.append((voice("page.sheet"), lookups.sheet_scene(range(len(BOOK.compounds)), Look())))
    shown += [(voice.compound_label(one), lookups.compound_scene(one, Look())) for one in numbers]
    shown.append((voice.label(BY_SYMBOL["Cl"].z), lookups.element_scene(BY_SYMBOL["Cl"].z, Look())))
    shown += [(voice.law_name(law), lookups.law_scene(law, Look())) for law in BOOK.laws[1:11:3]]
    return tuple(shown)
