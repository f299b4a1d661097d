"""Every kind of picture of the game, from real positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from bot.presenters.molecular import hand, lookups, previews, queries, scenes
from bot.presenters.molecular.words import Voice
from bot.render.scene import Look, Scene
from engine.game import Seat
from engine.molecular.ai.heuristic import heuristic
from engine.molecular.cards import EFFECTOR, GROUP
from engine.molecular.game import GAME
from engine.molecular.moves import Move
from engine.molecular.state import MolecularState
from tools.contact_sheet import moments
from tools.contact_sheet.moments import Moment, find

NAMES = ("Mira", "Tobias", "Ağaoğlu", "小明", "🦊", "Ines", "Bo", "Wilhelmina")
TITLES = {
    "table": "Table: {title}",
    "hand": "Hand: {title}",
    "way1": "Tile chosen: {title}",
    "way2": "Cell chosen: {title}",
    "dealt": "just dealt",
    "middle": "four players in the middle of a game",
    "eight": "eight players",
    "late": "a large molecule",
    "spill": "Spillage",
    "conference": "Conference",
    "solo": "alone",
    "over": "the game is over",
}
"""Titles of positions, and patterns for the titles of their pictures."""
GROUPS = ("ether", "benzene", "aminoacid", "diacid", "epoxide", "amine3")
LAYING = ("middle", "late")
"""The moments at which a tile is shown being laid."""
EFFECTORS = ("catalyst", "conference", "audit")


def _crowded(state: MolecularState) -> bool:
    """Return whether the molecule is large and the acting seat can still lay tiles in several cells."""
    large = len(state.board.tiles) > 66 and state.pending is None
    return large and len(queries.own_lettering(state.observe(state.turn)).names) > 3


_MOMENTS: tuple[Moment[MolecularState], ...] = (
    Moment("dealt", 2, lambda _: True),
    Moment("middle", 4, lambda s: s.round == 4 and s.turn == 2),
    Moment("eight", 8, lambda s: s.round == 3 and bool(s.actives)),
    Moment("late", 3, _crowded, {"rounds": 20}),
    Moment("spill", 3, lambda s: s.pending is not None and s.pending.verb == "spill"),
    Moment("conference", 4, lambda s: bool(s.gifts)),
    Moment("solo", 1, lambda s: s.round == 12),
    Moment("over", 2, lambda s: bool(s.over), {"rounds": 6}),
)


def _choose(state: MolecularState, seat: Seat, rng: random.Random) -> Move:
    """Choose a move like opponents that reveal more than they like, for variety."""
    actions = state.legal_actions(seat)
    return rng.choice(actions) if rng.random() < 0.35 else heuristic(state.observe(seat), actions, rng)


def _laying(key: str, seats: int, state: MolecularState) -> Iterator[tuple[str, Scene]]:
    """Yield a chosen tile of the pool, then a cell that allows several rotations, if the position has any."""
    look, seat = Look(names=NAMES[:seats]), state.turn
    seen, known = state.observe(seat), dict[tuple[str, ...], int]()
    for move in state.legal_actions(seat):
        if move.verb == "tile":
            for way in ((f"t{move.what}",), (f"t{move.what}", f"{move.q}_{move.r}")):
                known[way] = known.get(way, 0) + 1
    for length in (1, 2):
        most = max((way for way in known if len(way) == length), key=known.__getitem__, default=())
        scene = previews.preview(seen, ("tile", *most), look)
        if scene is not None:
            yield TITLES[f"way{length}"].format(title=TITLES[key]), scene


@cache
def gallery() -> tuple[tuple[str, Scene], ...]:
    """Return tables and hands of all kinds, groups and effectors."""
    voice = Voice(Look(names=NAMES))
    positions = [(moment.key, moment.seats, find(GAME, moment, _choose)) for moment in _MOMENTS]
    shown = moments.pictures(TITLES, positions, NAMES, table=scenes.table, hand=hand.hand)
    shown += [shot for key, seats, state in positions if key in LAYING for shot in _laying(key, seats, state)]
    look = Look()
    shown += [(voice.group(GROUP[one]), lookups.group_scene(GROUP[one], look)) for one in GROUPS]
    shown += [
        (voice.effector(EFFECTOR[one]), lookups.effector_scene(EFFECTOR[one], look)) for one in EFFECTORS
    ]
    return tuple(shown)
