"""Atom as a game of the catalog."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import msgspec
from typing_extensions import override

from engine import levels
from engine.ai.choosers import by_scores
from engine.atom import moves, sample
from engine.atom.achievements import ACHIEVEMENTS
from engine.atom.ai import inference, master
from engine.atom.ai.heuristic import scores
from engine.atom.ai.patterns import PATTERNS, REASONS
from engine.atom.ai.search import MEASURES, measures, study
from engine.atom.cards import CARDS, PACKS
from engine.atom.events import EVENTS, REFUSALS
from engine.atom.moves import Move
from engine.atom.observation import Observation
from engine.atom.plays import shape
from engine.atom.position import MATCH
from engine.atom.sides import CALLERS
from engine.atom.state import AtomState
from engine.facts import Facts
from engine.game import Achievement, Chooser, Event, Game, Option, Seat, Setup, Value, Viewer
from engine.playing_cards import JOKER, RANK_LABELS
from engine.reason import MovePattern
from engine.verdict import Study


def _keys(cards: Iterable[int]) -> tuple[str, ...]:
    ranks = [card >> 2 for card in cards]
    return tuple("joker" if rank == JOKER else f"rank-{RANK_LABELS[rank]}" for rank in ranks)


class Atom(Game[Move, Observation]):
    """The shedding game of three or five packs, partners and points (docs/rules/atom.md)."""

    key: ClassVar[str] = "atom"
    title: ClassVar[str] = "Atom"
    version: ClassVar[int] = 1
    options: ClassVar[tuple[Option, ...]] = (Option("jokers", ("lowest", "three"), "lowest"),)
    achievements: ClassVar[tuple[Achievement, ...]] = ACHIEVEMENTS
    roles: ClassVar[tuple[str, ...]] = ("caller", "partner", "opponent")
    events: ClassVar[Mapping[str, Facts]] = EVENTS
    rules: ClassVar[Mapping[str, Facts]] = REFUSALS
    opponents: ClassVar[Mapping[str, Chooser]] = by_scores(
        scores, sample.sample, newcomer=0.065, casual=0.027, sharp=master.sharp, master=master.master
    )
    usual: ClassVar[Mapping[str, str]] = {levels.SHARP: levels.STEADY, levels.MASTER: levels.STEADY}
    study: ClassVar[Study | None] = study
    measures: ClassVar[tuple[str, ...]] = MEASURES
    patterns: ClassVar[tuple[MovePattern, ...]] = PATTERNS
    reasons: ClassVar[Mapping[str, Facts]] = REASONS
    lower_is_better: ClassVar[frozenset[str]] = frozenset({"theirs", "turns", "cards"})
    observation: ClassVar[type[msgspec.Struct]] = Observation

    def seats(self, _options: Mapping[str, Value]) -> tuple[int, ...]:
        """Four with known partners, five with hidden ones."""
        return tuple(PACKS)

    def partners(self, seats: int, _options: Mapping[str, Value]) -> tuple[tuple[Seat, ...], ...]:
        """Four play with whom they face; five find out (docs/rules/atom.md)."""
        return ((0, 2), (1, 3)) if seats == 4 else ()

    @override
    def at_home(self, _level: str, seats: int, options: Mapping[str, Value]) -> bool:
        return master.is_learned(seats, jokers_as_three=options["jokers"] == "three")

    @override
    def played(self, kind: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
        if kind != "play":
            return ()
        return _keys(facts["cards"])

    @override
    def roles_in(self, state: AtomState) -> tuple[str, ...]:
        if state.seats == 4:  # both sides are alike
            return ()
        return tuple(
            "opponent" if side != CALLERS else "caller" if seat == state.receiver else "partner"
            for seat, side in enumerate(state.teams)
        )

    @override
    def in_hand(self, observation: Observation) -> tuple[str, ...]:
        return _keys([card for card, count in enumerate(observation.hand) for _ in range(count)])

    @override
    def deal(self, setup: Setup) -> AtomState:
        return AtomState.dealt(setup)

    @override
    def sample(self, observation: Observation, rng: random.Random) -> AtomState:
        return sample.sample(observation, rng)

    @override
    def sampler(self, observation: Observation) -> Callable[[random.Random], AtomState]:
        return sample.sampler(observation)

    @override
    def conditioned_on(self, world: AtomState, told: Event, viewer: Viewer) -> AtomState:
        return sample.conditioned_on(world, told, viewer)

    @override
    def likelihood(self, observation: Observation) -> Callable[[AtomState], float]:
        return inference.likelihood(observation)

    @override
    def spelling(self, observation: Observation, action: Move) -> object:
        play = shape(action.cards, observation.packs) if action.verb == "play" else None
        return action if play is None else (play.rank, play.size, play.jokers, play.tier)

    @override
    def measured(self, state: AtomState, seat: Seat) -> Mapping[str, float]:
        return measures(state, seat)

    @override
    def action(self, data: object) -> Move:
        return moves.parse(data)

    def bound(self, setup: Setup) -> int:
        """Every card is laid once, and all others may pass on it; four play two games, five call once."""
        games = MATCH if setup.seats == 4 else 1
        return games * CARDS * PACKS[setup.seats] * setup.seats + 1


GAME = Atom()
