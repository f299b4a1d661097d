"""Every kind of picture of the game, from real positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from bot.presenters.atom_duel import hand, lookups, scenes
from bot.presenters.atom_duel.words import Voice
from bot.render.scene import Look, Scene
from engine.atom_duel.cards import LEVELS
from engine.atom_duel.game import GAME
from engine.atom_duel.state import AtomDuelState
from engine.elements import BY_SYMBOL
from tools.contact_sheet.moments import Moment, find, pictures

NAMES = ("Mira", "Tobias", "Ağaoğlu", "小明", "🦊")
TITLES = {
    "table": "Table: {title}",
    "hand": "Hand: {title}",
    "level_1": "level 1",
    "seven_cards": "seven cards, five players",
    "two": "two players",
    "five": "five players",
    "decided": "a hand is decided, Zinc is active",
    "laser": "a Laser aims",
    "trade": "Mercury trades",
    "germanium": "Germanium",
    "lanthanum": "Lanthanum",
    "hydrogen": "Hydrogen",
    "ordering": "the last round is ordered",
    "last_round": "the last round",
    "over": "the game is over",
}
"""The titles of positions, and how those of their pictures are made of them."""
CARDS = ("Fe", "Og", "Cu", "Hg", "Lu")


def _in_hand(number: int, played: int) -> Callable[[AtomDuelState], bool]:
    return lambda state: state.hand == number and len(state.plays) == played


def _ordering(state: AtomDuelState) -> bool:
    return state.sealing and len(state.sealed[state.to_act()[0]]) == 2


_SHORT = {"level": LEVELS, "rounds": 1}
_LONG = {"level": LEVELS, "rounds": 2}
_MOMENTS: tuple[Moment[AtomDuelState], ...] = (
    Moment("level_1", 3, _in_hand(2, 1), {"level": 1}),
    Moment("seven_cards", 5, _in_hand(1, 2), {"level": 4, "hand_size": 7, "rounds": 3}),
    Moment("two", 2, _in_hand(3, 1), _LONG),
    Moment("five", 5, lambda s: s.hand == 2 and len(s.plays) == 4 and s.round == 1, _LONG),
    Moment("decided", 4, lambda s: s.hand == 3 and not s.plays and s.zinc > 0, _LONG),
    Moment("laser", 3, lambda s: bool(s.pending and s.pending.verb == "aim"), _LONG),
    Moment("trade", 3, lambda s: bool(s.pending and s.pending.own), _LONG),
    Moment("germanium", 3, lambda s: s.hidden and s.round == 1 and s.hand == 2, _LONG),
    Moment("lanthanum", 5, lambda s: s.face_up and s.hand < 3 and len(s.plays) > 2, _LONG),
    Moment("hydrogen", 2, lambda s: s.pass_left, _LONG),
    Moment("ordering", 3, _ordering, _SHORT),
    Moment("last_round", 5, lambda s: s.simultaneous and s.pending is not None, _SHORT),
    Moment("over", 4, lambda s: s.over, _LONG),
)


@cache
def gallery() -> tuple[tuple[str, Scene], ...]:
    """Tables and hands of all kinds, cards, and the periodic table of each level."""
    voice = Voice(Look(names=NAMES))
    positions = ((moment.key, moment.seats, find(GAME, moment)) for moment in _MOMENTS)
    shown = pictures(TITLES, positions, NAMES, table=scenes.table, hand=hand.hand)
    for symbol in CARDS:
        z = BY_SYMBOL[symbol].z
        shown.append((voice.label(z), lookups.scene(z, Look(), level=5)))
    levels = range(1, LEVELS + 1)
    shown += [(voice(f"option.level_{level}"), lookups.elements(level, Look())) for level in levels]
    shown += [(section.title, section.scene) for section in lookups.sections(Look())]
    tables = (lookups.overview(Look(), tag) for tag in ("", "magnet"))
    shown += [(table.title, table.scene) for table in tables if table.scene is not None]
    return tuple(shown)
