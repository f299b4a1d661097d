"""Every kind of picture of the game, from real positions, for the contact sheet."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from bot.presenters.molecular import pictures
from bot.presenters.molecular.words import Voice
from bot.render.scene import Look, Scene
from engine.molecular.cards import EFFECTOR, GROUP
from engine.molecular.game import GAME
from engine.molecular.heuristic import heuristic
from engine.molecular.state import MolecularState

NAMES = ("Mira", "Tobias", "Ağaoğlu", "小明", "🦊", "Ines", "Bo", "Wilhelmina")
GROUPS = ("ether", "benzene", "aminoacid", "diacid", "epoxide", "amine3")
EFFECTORS = ("catalyst", "conference", "audit")

_Fits = Callable[[MolecularState], bool]
_MOMENTS: tuple[tuple[str, int, int, _Fits], ...] = (
    ("dealt", 2, 0, lambda _: True),
    ("middle", 4, 0, lambda s: s.round == 4 and s.turn == 2),
    ("eight", 8, 0, lambda s: s.round == 3 and bool(s.actives)),
    ("late", 3, 20, lambda s: len(s.board.tiles) > 66),
    ("spill", 3, 0, lambda s: s.pending is not None and s.pending.verb == "spill"),
    ("conference", 4, 0, lambda s: bool(s.gifts)),
    ("solo", 1, 0, lambda s: s.round == 12),
    ("over", 2, 6, lambda s: bool(s.over)),
)
MOST_TRIES = 60


def _find(seats: int, rounds: int, fits: _Fits) -> MolecularState:
    """The first such position in games between steady opponents from fixed seeds.

    Raises:
        LookupError: there is none.
    """
    for seed in range(MOST_TRIES):
        rng = random.Random(seed)
        state = GAME.deal(GAME.setup(seats, seed.to_bytes(32, "big"), rounds=rounds))
        while True:
            if fits(state):
                return state
            if state.over:
                break
            seat = state.to_act()[0]
            actions = state.legal_actions(seat)
            # opponents that reveal more than they like, for variety
            quick = rng.random() < 0.35
            move = rng.choice(actions) if quick else heuristic(state.observe(seat), actions, rng)
            state._apply(seat, move)
    raise LookupError(seats)


@cache
def showcase() -> tuple[tuple[str, Scene], ...]:
    """Tables and hands of all kinds, groups and effectors."""
    shown: list[tuple[str, Scene]] = []
    voice = Voice(Look(names=NAMES))
    for key, seats, rounds, fits in _MOMENTS:
        state = _find(seats, rounds, fits)
        look = Look(names=NAMES[:seats])
        title = voice(f"showcase.{key}")
        shown.append((voice("showcase.table", title=title), pictures.table_scene(state.observe(None), look)))
        if not state.over:
            seat = state.to_act()[0]
            hand = pictures.hand_scene(state.observe(seat), look)
            shown.append((voice("showcase.hand", title=title), hand))
    look = Look()
    shown += [(voice.group(GROUP[one]), pictures.group_scene(GROUP[one], look)) for one in GROUPS]
    shown += [
        (voice.effector(EFFECTOR[one]), pictures.effector_scene(EFFECTOR[one], look)) for one in EFFECTORS
    ]
    return tuple(shown)
