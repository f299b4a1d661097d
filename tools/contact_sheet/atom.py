"""One example of every picture of Atom, taken from real games."""

from __future__ import annotations

import random
from functools import cache

from bot.presenters.atom import hand, lookups, scenes
from bot.render.scene import Look, Scene
from engine.atom import GAME
from engine.atom.ai.heuristic import heuristic
from engine.atom.moves import Move
from engine.atom.plays import BOMB, PLAIN, SPECIAL
from engine.atom.state import AtomState
from engine.game import Seat
from tools.contact_sheet.moments import Moment, find, pictures

NAMES = ("Mira", "Tobias", "Ağaoğlu", "小明", "Bartholomew the Great")
TITLES = {
    "dealt": "Dealt",
    "follow": "In a trick",
    "bomb": "A bomb",
    "atom": "An atom",
    "free": "Free lead",
    "late": "Nearly out",
    "call": "Five: the call",
    "hidden": "Five: hidden partners",
    "revealed": "Five: a partner revealed",
    "over": "The match is over",
    "table": "{title} · table",
    "hand": "{title} · hand",
}
"""The titles of positions, and how those of their pictures are made of them."""
LOOKED_UP = ("single", "bomb", "atom", "nuke", "rank-10", "partner")


def _best(state: AtomState, kind: int) -> bool:
    return state.best is not None and state.best.kind == kind and not state.calling


_MOMENTS: tuple[Moment[AtomState], ...] = (
    Moment("dealt", 4, lambda s: s.best is None and not s.ended),
    Moment("follow", 4, lambda s: _best(s, PLAIN) and s.ended == 3 and len(s.trick) > 2 and s.pot > 0),
    Moment("bomb", 4, lambda s: _best(s, BOMB) and s.pot > 0),
    Moment("atom", 5, lambda s: _best(s, SPECIAL)),
    Moment("free", 4, lambda s: s.best is None and s.ended == 5),
    Moment("late", 4, lambda s: s.game == 2 and len(s.out) == 1 and s.best is not None),
    Moment("call", 5, lambda s: s.calling),
    Moment("hidden", 5, lambda s: _best(s, PLAIN) and s.ended == 4),
    Moment("revealed", 5, lambda s: bool(s.observe(None).revealed) and s.best is not None),
    Moment("over", 4, lambda s: s.over),
)


def _choose(state: AtomState, seat: Seat, rng: random.Random) -> Move:
    return heuristic(state.observe(seat), state.legal_actions(seat), rng)


@cache
def gallery() -> tuple[tuple[str, Scene], ...]:
    """Tables and hands of all kinds, and things looked up."""
    positions = ((moment.key, moment.seats, find(GAME, moment, _choose)) for moment in _MOMENTS)
    shown = pictures(TITLES, positions, NAMES, table=scenes.table, hand=hand.hand)
    for key in LOOKED_UP:
        page = lookups.card(key, Look())
        if page.scene is not None:
            shown.append((page.title, page.scene))
    overview = lookups.overview(Look())
    if overview.scene is not None:
        shown.append((overview.title, overview.scene))
    return tuple(shown)
