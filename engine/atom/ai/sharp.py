"""Sharp in Atom: as Steady while many cards are out, and by playing the game to its end where few are left.

Near the end of a game no judge is needed: each of Steady's best moves is tried in the same worlds, drawn by
what play has shown, and the quick rule plays every try to the points of the game. A few dozen worlds are
noise, and the rule is weaker than Steady; so another move has to be ahead by some of its standard error, and
by what Steady's scores say against it. Between two hands nothing is hidden: the end is exact (`two_hands`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, cast

from engine.ai.choosers import Best
from engine.atom.ai.heuristic import SURE, scores
from engine.atom.ai.judge import judge
from engine.atom.ai.rollout import policy
from engine.atom.ai.search import worlds
from engine.atom.ai.two_hands import exact
from engine.atom.moves import Move
from engine.atom.observation import Observation
from engine.atom.position import PLAYING
from engine.atom.state import AtomState

SEATS: Final = 4
"""With five it plays as Steady."""


@dataclass(frozen=True, slots=True)
class Endings:
    """Steady, but for the last cards.

    `cards` are those of all hands from which on it tries moves, `top` how many moves, and `every` in how
    many worlds; after each `few` of them those that promise nothing are dropped. `errors` is by how many
    standard errors a move has to be ahead, `trust` what a difference of Steady's scores counts, in shares of
    the win.
    """

    cards: int = 45
    top: int = 4
    few: int = 8
    every: int = 32
    errors: float = 1.0
    trust: float = 0.6

    def __call__(self, seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
        """The move that promises most."""
        if seen.seats != SEATS or seen.phase != "play" or sum(seen.left) > self.cards or len(actions) == 1:
            return steady(seen, actions, rng)
        found = scores(seen, actions, rng)
        order = sorted(range(len(actions)), key=lambda place: -found[place])
        ranked = [actions[place] for place in order]
        certain = exact(seen, ranked)
        if certain is not None:
            return certain
        best = found[order[0]]
        if best > SURE - 1:  # it runs out, whatever the others hold
            return ranked[0]
        fines = [self.trust * (best - found[place]) for place in order[: self.top]]
        return self._tried(seen, ranked[: self.top], fines, rng)

    def _tried(
        self, seen: Observation, moves: Sequence[Move], fines: Sequence[float], rng: random.Random
    ) -> Move:
        """The best of these moves, Steady's first."""
        seat, make = seen.viewer or 0, worlds(seen)
        racing = list(range(1, len(moves)))
        ahead: list[list[float]] = [[] for _ in moves]
        for number in range(self.every):
            if number and not number % self.few:
                racing = [one for one in racing if _mean(ahead[one]) + 2 * _error(ahead[one]) > fines[one]]
            if not racing:
                break
            world = cast(AtomState, make(rng))
            measure = played_out(world.clone(), seat, moves[0], rng)
            for one in racing:
                ahead[one].append(played_out(world.clone(), seat, moves[one], rng) - measure)
        most, move = 0.0, moves[0]
        for one in racing:
            worth = _mean(ahead[one]) - self.errors * _error(ahead[one]) - fines[one]
            if worth > most:
                most, move = worth, moves[one]
        return move


def played_out(world: AtomState, seat: int, move: Move, rng: random.Random) -> float:
    """What comes of a move in a world that is played to the end of its game: the share of the win."""
    world.push(seat, move)
    while world.phase == PLAYING:
        acting = world.turn
        world.push(acting, policy(world, acting, rng))
    return judge(world, seat)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _error(values: Sequence[float]) -> float:
    """The standard error of a mean."""
    mean = _mean(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


steady: Final = Best(scores)
sharp: Final = Endings()
