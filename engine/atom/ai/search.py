"""The search of Atom: the heuristic's best moves are tried in worlds that fit what was played.

A quick rule plays on to the end of the next trick, for all seats, and the position is judged by how the
points are likely to end. A world ends with the game that is played: what is dealt after it nobody knows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from typing_extensions import override

from engine.ai.likely import likely
from engine.ai.search import Search
from engine.atom import sample
from engine.atom.ai import inference
from engine.atom.ai.heuristic import scores
from engine.atom.ai.judge import judge, read
from engine.atom.ai.patterns import happenings
from engine.atom.ai.rollout import policy
from engine.atom.moves import Move
from engine.atom.observation import Observation
from engine.atom.position import OVER, PLAYING
from engine.atom.state import AtomState
from engine.game import AnyState, Seat
from engine.verdict import Candidate

BEYOND: Final = 1 << 30
"""More tricks than a game has."""
TRUST, MOST = 0.75, 0.2
"""What a difference of the heuristic's scores counts, in shares of the win, and the most that it does."""
RANK: Final = 0.001
"""What a rank counts when a card is called: next to nothing (research/atom.md)."""


class OneGame(AtomState):
    """A world that ends with the running game, where a second one would be dealt."""

    __slots__ = ()

    @override
    def deal(self, start: Seat) -> None:
        self.phase = OVER


def _weighed(observation: Any) -> Callable[[Any], float]:
    return inference.likelihood(observation)


worlds: Final = likely(lambda observation: sample.sampler(observation, OneGame), _weighed)
"""Worlds of an observation, about as often as they are likely, without a game after this one."""


def behind(seen: Observation, actions: Sequence[Move], rng: random.Random) -> list[float]:
    """What the heuristic thinks of each move, as a fine in shares of the win: the best has none."""
    found = scores(seen, actions, rng)
    best, trust = max(found), RANK if actions[0].verb == "call" else TRUST
    return [max(-MOST, trust * (score - best)) for score in found]


class Searcher(Search):
    """A search whose `depth` is in tricks, that of the candidate among them.

    The judge sees what came of the trick, the heuristic what a move does to a hand; neither alone is good at
    both. So a try is worth what the judge says less the fine of its move.
    """

    @override
    def _try(self, world: AnyState, seat: Seat, candidate: Candidate, rng: random.Random) -> None:
        Search._try(self, world, seat, candidate, rng)
        candidate.values[-1] = max(0.0, candidate.values[-1] + candidate.prior)

    @override
    def _play_on(self, world: AnyState, rng: random.Random) -> None:
        state = cast(AtomState, world)
        # a candidate that ended the trick has played one already
        tricks = BEYOND if self.depth is None else state.ended + self.depth - (state.best is None)
        while state.phase == PLAYING and state.ended < tricks:
            seat = state.turn
            state.push(seat, policy(state, seat, rng))


MEASURES: Final = ("points", "theirs", "turns", "heavy", "cards")
"""Points of the own side and of the other one in all games, groups left in the own hand, the bombs, atoms
and nukes among them, and cards."""


def measures(state: Any, seat: Seat) -> Mapping[str, float]:
    """A position in the terms of this game, see `MEASURES`."""
    points = [0, 0]
    for result in state.results:
        for side, total in enumerate(result.totals):
            points[side] += total
    if not state.over:
        for side, captured in zip(state.teams, state.captured, strict=True):
            points[side] += captured
    own, hand = state.teams[seat], read(state, seat)
    return {
        "points": float(points[own]),
        "theirs": float(points[1 - own]),
        "turns": float(hand.turns),
        "heavy": float(hand.heavy),
        "cards": float(state.left[seat]),
    }


study: Final = Searcher(
    worlds,
    behind,
    policy,
    judge,
    budget=240,
    depth=2,
    top=6,
    lean=0.0,
    measures=measures,
    happenings=happenings,
)
"""For the teacher: without a lean to the heuristic's choice."""
