"""Every kind of picture of the game, from real positions, for the contact sheet."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from bot.presenters.atom_duel import lookups, rulebook, scenes
from bot.presenters.atom_duel.gallery import samples
from bot.presenters.atom_duel.words import Voice
from bot.render.scene import Look, Scene
from engine.atom_duel.cards import LEVELS
from engine.atom_duel.game import GAME
from engine.atom_duel.state import AtomDuelState
from engine.elements import BY_SYMBOL
from engine.game import Seat

NAMES = ("Mira", "Tobias", "Ağaoğlu", "小明", "🦊")
MOST_TRIES = 4000
CARDS = ("Fe", "Og", "Cu", "Hg", "Lu")


@dataclass(frozen=True, slots=True)
class _Moment:
    """A position to look for in random games: whose hand to show is told by `fits`, None for no."""

    key: str
    seats: int
    fits: Callable[[AtomDuelState], Seat | None]
    options: dict[str, int] = field(default_factory=dict)


def _in_hand(number: int, played: int) -> Callable[[AtomDuelState], Seat | None]:
    def fits(state: AtomDuelState) -> Seat | None:
        return state.turn if state.hand == number and len(state.plays) == played else None

    return fits


def _turn_if(holds: Callable[[AtomDuelState], bool]) -> Callable[[AtomDuelState], Seat | None]:
    return lambda state: state.turn if holds(state) else None


def _ordering(state: AtomDuelState) -> Seat | None:
    return state.to_act()[0] if state.sealing and len(state.sealed[state.to_act()[0]]) == 2 else None


_SHORT = {"level": LEVELS, "rounds": 1}
_LONG = {"level": LEVELS, "rounds": 2}
_MOMENTS = (
    _Moment("level_1", 3, _in_hand(2, 1), {"level": 1}),
    _Moment("seven_cards", 5, _in_hand(1, 2), {"level": 4, "hand_size": 7, "rounds": 3}),
    _Moment("two", 2, _in_hand(3, 1), _LONG),
    _Moment("five", 5, _turn_if(lambda s: s.hand == 2 and len(s.plays) == 4 and s.round == 1), _LONG),
    _Moment("decided", 4, _turn_if(lambda s: s.hand == 3 and not s.plays and s.zinc > 0), _LONG),
    _Moment("laser", 3, _turn_if(lambda s: bool(s.pending and s.pending.verb == "aim")), _LONG),
    _Moment("trade", 3, _turn_if(lambda s: bool(s.pending and s.pending.own)), _LONG),
    _Moment("germanium", 3, _turn_if(lambda s: s.hidden and s.round == 1 and s.hand == 2), _LONG),
    _Moment("lanthanum", 5, _turn_if(lambda s: s.face_up and s.hand < 3 and len(s.plays) > 2), _LONG),
    _Moment("hydrogen", 2, _turn_if(lambda s: s.pass_left), _LONG),
    _Moment("ordering", 3, _ordering, _SHORT),
    _Moment("last_round", 5, _turn_if(lambda s: s.simultaneous and s.pending is not None), _SHORT),
    _Moment("over", 4, lambda s: 0 if s.over else None, _LONG),
)


def _find(moment: _Moment) -> tuple[AtomDuelState, Seat]:
    """The first such position in random games from fixed seeds.

    Raises:
        LookupError: there is none.
    """
    for seed in range(MOST_TRIES):
        rng = random.Random(seed)
        state = GAME.deal(GAME.setup(moment.seats, seed.to_bytes(32, "big"), **moment.options))
        while True:
            seat = moment.fits(state)
            if seat is not None:
                return state, seat
            if state.over:
                break
            mover = rng.choice(state.to_act())
            state._apply(mover, rng.choice(state.legal_actions(mover)))
    raise LookupError(moment.key)


@cache
def showcase() -> tuple[tuple[str, Scene], ...]:
    """Tables and hands of all kinds, cards, and the periodic table of each level."""
    shown: list[tuple[str, Scene]] = []
    voice = Voice(Look(names=NAMES))
    for moment in _MOMENTS:
        state, seat = _find(moment)
        look = Look(names=NAMES[: moment.seats])
        title = voice(f"showcase.{moment.key}")
        table = scenes.table(state.observe(None), look)
        shown.append((voice("showcase.table", title=title), table))
        if not state.over:
            shown.append((voice("showcase.hand", title=title), scenes.hand(state.observe(seat), look)))
    for symbol in CARDS:
        z = BY_SYMBOL[symbol].z
        shown.append((voice.label(z), lookups.scene(z, Look(), level=5)))
    levels = range(1, LEVELS + 1)
    shown += [(voice(f"option.level_{level}"), rulebook.elements(level, Look())) for level in levels]
    return (*shown, *samples(Look(), scenes.picture_words(Look())))
