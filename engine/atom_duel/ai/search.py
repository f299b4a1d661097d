"""The study of Atom Duel: every decision is tried in worlds that fit what play has shown, to the round's end.

The worlds are whole positions, so all powers work as the rules say. What the points after the round are worth
follows from rounds played out (`ending.py`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from typing_extensions import override

from engine.ai.likely import likely
from engine.ai.search import Search
from engine.atom_duel import sample
from engine.atom_duel.ai.ending import share
from engine.atom_duel.ai.heuristic import scores
from engine.atom_duel.ai.inference import likelihood
from engine.atom_duel.ai.patterns import happenings
from engine.atom_duel.ai.policy import policy
from engine.atom_duel.ai.rollout import prices
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import HIDDEN, Observation
from engine.game import Seat
from engine.verdict import Candidate

MEASURES: Final = ("hands", "now", "kept", "theirs")
"""Hands that the seat wins in this round; whether it wins the one on the table, in percent, and in how many
hands the cards that it then keeps would win on average; the most hands of anybody else."""

_LOOKS: Final = frozenset({"reveal", "peek"})
"""What only brings knowledge: nobody in a sampled world uses it, so there is nothing to compare."""


@dataclass(frozen=True, slots=True)
class Searcher(Search):
    """A search to the end of the round; of decisions that come to the same it tries one."""

    @override
    def _apart(
        self, observation: Observation, actions: Sequence[Move], also: Sequence[Move]
    ) -> Sequence[int]:
        return different(observation, actions, also)

    @override
    def _top(self, observation: Observation, actions: Sequence[Move]) -> int:
        return 1 if actions[0].verb in _LOOKS else self.top

    @override
    def _budget(self, observation: Observation) -> int:
        # the more cards, the longer it takes to play a round out
        return self.budget // (observation.seats * observation.hand_size)

    @override
    def _try(self, world: Any, seat: Seat, candidate: Candidate, rng: random.Random) -> None:
        """Carry a decision out in a world and play the round to its end."""
        number, hand, sealed = world.round, world.hand, world.simultaneous
        before, measured = world.points[seat], {}
        if self.happenings is not None:
            world.events = []
        world.push(seat, candidate.action)
        while (waiting := world.to_act()) and world.round == number and world.hand == hand:
            world.push(waiting[0], policy(world, waiting[0], rng))
        if not sealed:
            price, same = prices(world.level, world.seats), world.round == number
            measured["now"] = 100.0 * (world.points[seat] - before)
            measured["kept"] = sum(price[card] for card in world.rows[seat]) if same else 0.0
        while (waiting := world.to_act()) and world.round == number:
            world.push(waiting[0], policy(world, waiting[0], rng))
        won = world.round_points[number - 1]
        measured["hands"] = float(won[seat])
        measured["theirs"] = float(max(hands for other, hands in enumerate(won) if other != seat))
        candidate.values.append(judge(world, seat))
        for key, value in measured.items():
            candidate.measured.setdefault(key, []).append(value)
        if self.happenings is not None:
            candidate.happened.append(frozenset(self.happenings(world.events or (), seat)))


def measures(world: Any, seat: Seat) -> Mapping[str, float]:
    """What of `MEASURES` a position says as it stands: what the cards of a seat would win on average, as long
    as it plays them one by one."""
    if world.simultaneous or not any(world.rows[seat]):
        return {}
    return {"kept": sum(prices(world.level, world.seats)[card] for card in world.rows[seat])}


def different(seen: Observation, actions: Sequence[Move], also: Sequence[Move]) -> Sequence[int]:
    """The places of moves that do not come to the same, where the cards that they point at are equally
    unknown; those of `also` are among them."""
    if actions[0].slot < 0 and actions[0].verb != "give":
        return range(len(actions))
    found: dict[object, int] = {}
    for place, move in enumerate(actions):
        found.setdefault(move if move in also else _meant(seen, move), place)
    return list(found.values())


def _meant(seen: Observation, move: Move) -> object:
    """What a move that points at a slot is about, as far as the viewer knows."""
    pending = seen.pending
    owner = move.seat
    if owner < 0:
        owner = pending.target if pending is not None and move.verb == "take" else seen.viewer or 0
    card = 0 if move.slot < 0 else seen.rows[owner][move.slot]
    if card != HIDDEN or seen.simultaneous:
        return move
    place = (owner, move.slot)
    return (move.verb, owner, *(number for number, group in enumerate(seen.groups) if place in group.places))


def judge(state: Any, seat: Seat) -> float:
    """What a seat has of the win, once a round is over."""
    outcome = state.outcome()
    if outcome is not None:
        winners = outcome.winners()
        return 1 / len(winners) if seat in winners else 0.0
    left = state.rounds - state.round + 1
    points, now = tuple(state.points), tuple(state.round_points[-2])
    return share(points, now, seat, level=state.level, size=state.hand_size, left=left)


def sampler(seen: Observation) -> Callable[[random.Random], Any]:
    """Draws whole worlds, those that play makes likely more often; the rows that others seal are left to the
    policy, which orders them as people do."""
    draw = likely(sample.sampler, likelihood)(seen)
    if not seen.sealing:
        return draw

    def world(rng: random.Random) -> Any:
        state: Any = draw(rng)
        state.sealed = [row if seat == seen.viewer else [] for seat, row in enumerate(state.sealed)]
        return state

    return world


study: Final = Searcher(sampler, scores, policy, judge, budget=12_000, top=8, lean=0.0, happenings=happenings)
"""For the teacher; the tries of a hint are shared by the cards of a round."""
