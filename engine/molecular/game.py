"""Molecular as a game of the catalog."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec
from typing_extensions import override

from engine import levels
from engine.ai.choosers import by_scores
from engine.facts import Facts
from engine.game import Achievement, Chooser, Game, IllegalSetup, Option, Seat, Setup, Value
from engine.molecular import moves, sample, worlds
from engine.molecular.achievements import ACHIEVEMENTS
from engine.molecular.ai import master
from engine.molecular.ai.heuristic import scores
from engine.molecular.ai.patterns import PATTERNS, REASONS
from engine.molecular.ai.search import MEASURES, measures, sharp, study
from engine.molecular.cards import BOX, MOST_SEATS
from engine.molecular.events import EVENTS, REFUSALS
from engine.molecular.moves import Move
from engine.molecular.observation import Observation
from engine.molecular.state import MolecularState
from engine.reason import MovePattern
from engine.verdict import Study

MOST_ROUNDS = 20


class Molecular(Game[Move, Observation]):
    """One molecule of hexagonal atoms, functional groups and effectors (docs/rules/molecular.md)."""

    key: ClassVar[str] = "molecular"
    title: ClassVar[str] = "Molecular"
    version: ClassVar[int] = 2
    earlier: ClassVar[Mapping[int, str]] = {1: "engine.molecular.version_1"}
    options: ClassVar[tuple[Option, ...]] = (
        Option("rounds", tuple(range(MOST_ROUNDS + 1)), 0),
        Option("bond_points", ("orders", "edges"), "orders"),
        Option("first", tuple(range(MOST_SEATS + 1)), 0),
    )
    """`rounds` 0 means the usual number for the seats. `first` is the starting seat, from 1; 0 means at
    random."""
    achievements: ClassVar[tuple[Achievement, ...]] = ACHIEVEMENTS
    events: ClassVar[Mapping[str, Facts]] = EVENTS
    rules: ClassVar[Mapping[str, Facts]] = REFUSALS
    opponents: ClassVar[Mapping[str, Chooser]] = by_scores(
        scores, sample.sample, newcomer=0.55, casual=0.25, sharp=sharp, master=master.master
    )
    usual: ClassVar[Mapping[str, str]] = {levels.MASTER: levels.SHARP}
    study: ClassVar[Study | None] = study
    measures: ClassVar[tuple[str, ...]] = MEASURES
    patterns: ClassVar[tuple[MovePattern, ...]] = PATTERNS
    reasons: ClassVar[Mapping[str, Facts]] = REASONS
    lower_is_better: ClassVar[frozenset[str]] = frozenset({"theirs"})
    observation: ClassVar[type[msgspec.Struct]] = Observation

    def seats(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """Return one (a score attack) to eight seats, and at least as many as the number of the starting
        seat."""
        return tuple(range(max(1, int(options["first"])), MOST_SEATS + 1))

    def check(self, setup: Setup) -> IllegalSetup | None:
        """Check as in every game, with `first_seat` as the reason if the starting seat does not exist."""
        refusal = super().check(setup)
        if refusal is not None and refusal.rule == "seats" and 1 <= setup.seats <= MOST_SEATS:
            return IllegalSetup("first_seat", first=int(setup.options["first"]), seats=setup.seats)
        return refusal

    @override
    def at_home(self, level: str, seats: int, options: Mapping[str, Value]) -> bool:
        rounds = int(options["rounds"]) or master.LEAST
        return seats == 2 and rounds >= master.LEAST and options["bond_points"] == "orders"

    @override
    def played(self, kind: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
        return (f"g-{BOX.groups[facts['group']].id}",) if kind == "group" else ()

    @override
    def in_hand(self, observation: Observation) -> tuple[str, ...]:
        if observation.viewer is None:
            return ()
        held = observation.cards.held[observation.viewer]
        return tuple(f"g-{BOX.groups[group].id}" for group in held if group >= 0)

    @override
    def deal(self, setup: Setup) -> MolecularState:
        return MolecularState.dealt(setup)

    @override
    def sample(self, observation: Observation, rng: random.Random) -> MolecularState:
        return sample.sample(observation, rng)

    @override
    def sampler(self, observation: Observation) -> Callable[[random.Random], MolecularState]:
        return worlds.sampler(observation)

    @override
    def spelling(self, _observation: Observation, action: Move) -> object:
        return action._replace(turn=0)

    @override
    def measured(self, state: MolecularState, seat: Seat) -> Mapping[str, float]:
        return measures(state, seat)

    @override
    def action(self, data: object) -> Move:
        return moves.parse(data)

    def bound(self, setup: Setup) -> int:
        """Return the bound if both actions of each turn reveal effectors with several choices; one tile is
        free."""
        rounds = int(setup.options["rounds"]) or BOX.meta.rounds[setup.seats - 1]
        asked = max(2, setup.seats)
        return rounds * setup.seats * (2 * (1 + asked) + 1)


GAME = Molecular()
