"""Every kind of picture of the two games, from real positions, for the contact sheet."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from bot.presenters.chemistry import collect_scenes, lookups
from bot.presenters.chemistry.words import Voice
from bot.render.scene import Look, Scene
from engine.chemistry import canasta, capture
from engine.chemistry import observation as engine
from engine.chemistry.deck import BOOK, BY_FORMULA
from engine.chemistry.heuristic import heuristic
from engine.chemistry.state import CollectState
from engine.elements import BY_SYMBOL
from engine.game import Value

NAMES = ("Mira", "Tobias", "Ağaoğlu", "小明", "🦊", "Ed")
MOST_TRIES = 300
COMPOUNDS = ("H2O", "CH3OH", "CO2", "CHCl3", "NaCl", "AlCl3", "Fe2O3")
GAMES = {"compound_capture": capture.GAME, "canasta": canasta.GAME}


@dataclass(frozen=True, slots=True)
class _Moment:
    """A position to look for in games between opponents."""

    key: str
    seats: int
    fits: Callable[[CollectState], bool]
    options: Mapping[str, Value] = field(default_factory=dict)


def _made(state: CollectState) -> int:
    return sum(map(len, state.captured))


_MOMENTS = {
    "compound_capture": (
        _Moment("solo", 1, lambda s: s.phase == engine.PLAY and _made(s) == 2, {"decks": "covalent"}),
        _Moment("two", 2, lambda s: s.phase == engine.PLAY and _made(s) == 5),
        _Moment("three", 3, lambda s: s.phase == engine.SECOND and _made(s) > 5, {"decks": "ionic"}),
        _Moment("six", 6, lambda s: s.phase == engine.PLAY and _made(s) > 25),
        _Moment("end_of_row", 3, lambda s: len(s.row) < 4, {"decks": "ionic"}),
        _Moment("over", 4, lambda s: s.phase == engine.OVER),
    ),
    "canasta": (
        _Moment("start", 2, lambda s: s.phase == engine.FIRST),
        _Moment("two", 2, lambda s: len(s.wilds) > 1 and s.phase == engine.PLAY and _made(s) > 2),
        _Moment("many_cards", 3, lambda s: max(s.sizes) > 14 and s.phase == engine.PLAY),
        _Moment("six", 6, lambda s: len(s.wilds) > 2 and s.phase == engine.PLAY and _made(s) > 8),
        _Moment("after_capture", 3, lambda s: s.phase == engine.AFTER),
        _Moment("over", 3, lambda s: s.phase == engine.OVER),
    ),
}


def _find(key: str, moment: _Moment) -> CollectState:
    """The first such position in games between mixed opponents, from fixed seeds.

    Raises:
        LookupError: there is none.
    """
    game = GAMES[key]
    for seed in range(MOST_TRIES):
        rng = random.Random(seed)
        state = game.deal(game.setup(moment.seats, seed.to_bytes(32, "big"), **moment.options))
        while not moment.fits(state):
            if not state.to_act():
                break
            seat = state.turn
            actions = state.legal_actions(seat)
            clever = rng.random() < 0.8
            state._apply(
                seat, heuristic(state.observe(seat), actions, rng) if clever else rng.choice(actions)
            )
        if moment.fits(state):
            return state
    raise LookupError(moment.key)


@cache
def showcase(key: str) -> tuple[tuple[str, Scene], ...]:
    """Tables and hands of all kinds, and some cards."""
    shown: list[tuple[str, Scene]] = []
    voice = Voice(Look(names=NAMES))
    for moment in _MOMENTS[key]:
        state = _find(key, moment)
        look = Look(names=NAMES[: moment.seats])
        title = voice(f"showcase.{moment.key}")
        shown.append((voice("showcase.table", title=title), collect_scenes.table(state.observe(None), look)))
        if state.to_act():
            hand = collect_scenes.hand(state.observe(state.turn), look)
            shown.append((voice("showcase.hand", title=title), hand))
    numbers = [BY_FORMULA[name] for name in COMPOUNDS]
    shown += [(voice.compound_label(one), lookups.compound_scene(one, Look())) for one in numbers]
    shown.append((voice.label(BY_SYMBOL["Cl"].z), lookups.element_scene(BY_SYMBOL["Cl"].z, Look())))
    shown += [(voice.law_name(law), lookups.law_scene(law, Look())) for law in BOOK.laws[1:11:3]]
    return tuple(shown)
