"""One example of every picture of Atom, taken from real games, for the contact sheet."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from bot.presenters.atom import handscene, lookups, pictures
from bot.presenters.atom.words import Voice
from bot.render.scene import Look, Scene
from engine.atom import GAME
from engine.atom.heuristic import heuristic
from engine.atom.plays import BOMB, PLAIN, SPECIAL
from engine.atom.state import AtomState
from engine.game import Seat

NAMES = ("Mira", "Tobias", "Ağaoğlu", "小明", "Bartholomew the Great")
MOST_TRIES = 60
LOOKED_UP = ("single", "bomb", "atom", "nuke", "rank-10", "partner")


@dataclass(frozen=True, slots=True)
class _Moment:
    """A kind of position worth showing."""

    key: str
    seats: int
    fits: Callable[[AtomState], bool]


def _best(state: AtomState, kind: int) -> bool:
    return state.best is not None and state.best.kind == kind and not state.calling


_MOMENTS = (
    _Moment("dealt", 4, lambda s: s.best is None and not s.ended),
    _Moment("follow", 4, lambda s: _best(s, PLAIN) and s.ended == 3 and len(s.trick) > 2 and s.pot > 0),
    _Moment("bomb", 4, lambda s: _best(s, BOMB) and s.pot > 0),
    _Moment("atom", 5, lambda s: _best(s, SPECIAL)),
    _Moment("free", 4, lambda s: s.best is None and s.ended == 5),
    _Moment("late", 4, lambda s: s.game == 2 and len(s.out) == 1 and s.best is not None),
    _Moment("call", 5, lambda s: s.calling),
    _Moment("hidden", 5, lambda s: _best(s, PLAIN) and s.ended == 4),
    _Moment("revealed", 5, lambda s: bool(s.observe(None).revealed) and s.best is not None),
    _Moment("over", 4, lambda s: s.over),
)


def _find(moment: _Moment) -> tuple[AtomState, Seat]:
    """The first such position in games of the heuristic from fixed seeds, and a seat to show.

    Raises:
        LookupError: there is none.
    """
    for seed in range(MOST_TRIES):
        rng = random.Random(seed)
        state = GAME.deal(GAME.setup(moment.seats, seed.to_bytes(32, "big")))
        while True:
            if moment.fits(state):
                return state, state.turn
            if state.over:
                break
            seat = state.turn
            legal = state.legal_actions(seat)
            state._apply(seat, heuristic(state.observe(seat), legal, rng) if len(legal) > 1 else legal[0])
    raise LookupError(moment.key)


@cache
def showcase() -> tuple[tuple[str, Scene], ...]:
    """Tables and hands of all kinds, and things looked up."""
    shown: list[tuple[str, Scene]] = []
    voice = Voice(Look(names=NAMES))
    for moment in _MOMENTS:
        state, seat = _find(moment)
        look = Look(names=NAMES[: moment.seats])
        title = voice(f"showcase.{moment.key}")
        shown.append((voice("showcase.table", title=title), pictures.table(state.observe(None), look)))
        if not state.over:
            shown.append((voice("showcase.hand", title=title), handscene.hand(state.observe(seat), look)))
    for key in LOOKED_UP:
        page = lookups.card(key, Look())
        if page.scene is not None:
            shown.append((page.title, page.scene))
    overview = lookups.overview(Look())
    if overview.scene is not None:
        shown.append((overview.title, overview.scene))
    return tuple(shown)
