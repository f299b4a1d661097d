"""Atom Duel as a game of the catalog."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec
from typing_extensions import override

from engine import levels
from engine.ai.choosers import by_scores
from engine.atom_duel import moves, sample
from engine.atom_duel.achievements import ACHIEVEMENTS
from engine.atom_duel.ai import inference, master, sharp
from engine.atom_duel.ai.heuristic import scores
from engine.atom_duel.ai.patterns import PATTERNS, REASONS
from engine.atom_duel.ai.search import MEASURES, measures, study
from engine.atom_duel.cards import CARDS, LEVELS, UNIQUE_LEVEL
from engine.atom_duel.events import EVENTS, REFUSALS
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import Observation
from engine.atom_duel.state import AtomDuelState
from engine.elements import ELEMENTS
from engine.facts import Facts
from engine.game import (
    Achievement,
    Chooser,
    Event,
    Game,
    IllegalSetup,
    Option,
    Seat,
    Setup,
    Value,
    Viewer,
)
from engine.reason import MovePattern
from engine.verdict import Study

SEATS = (2, 3, 4, 5)


class AtomDuel(Game[Move, Observation]):
    """The 118 elements, highest atomic number wins, seven levels of powers (docs/rules/atom_duel.md)."""

    key: ClassVar[str] = "atom_duel"
    title: ClassVar[str] = "Atom Duel"
    version: ClassVar[int] = 2
    earlier: ClassVar[Mapping[int, str]] = {1: "engine.atom_duel.version_1"}
    options: ClassVar[tuple[Option, ...]] = (
        Option("level", tuple(range(1, LEVELS + 1)), 4),
        Option("hand_size", (5, 7), 5),
        Option("rounds", tuple(range(1, 9)), 4),
    )
    rated_separately: ClassVar[tuple[str, ...]] = ("level",)
    achievements: ClassVar[tuple[Achievement, ...]] = ACHIEVEMENTS
    events: ClassVar[Mapping[str, Facts]] = EVENTS
    rules: ClassVar[Mapping[str, Facts]] = REFUSALS
    opponents: ClassVar[Mapping[str, Chooser]] = by_scores(
        scores, sample.sample, newcomer=1.0, casual=0.068, sharp=sharp.sharp, master=master.master
    )
    usual: ClassVar[Mapping[str, str]] = {levels.SHARP: levels.STEADY, levels.MASTER: levels.SHARP}
    study: ClassVar[Study | None] = study
    measures: ClassVar[tuple[str, ...]] = MEASURES
    patterns: ClassVar[tuple[MovePattern, ...]] = PATTERNS
    reasons: ClassVar[Mapping[str, Facts]] = REASONS
    lower_is_better: ClassVar[frozenset[str]] = frozenset({"theirs"})
    observation: ClassVar[type[msgspec.Struct]] = Observation
    gold_immune_from: ClassVar[int] = UNIQUE_LEVEL

    def seats(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """Two to five, as far as the deck reaches."""
        each = int(options["hand_size"]) * int(options["rounds"])
        return tuple(seats for seats in SEATS if seats * each <= len(CARDS))

    def check(self, setup: Setup) -> IllegalSetup | None:
        """As every game, and `not_enough_cards` where seats × hand × rounds exceed the deck (decision 31)."""
        refusal = super().check(setup)
        if refusal is not None and refusal.rule == "seats" and setup.seats in SEATS:
            size, rounds = int(setup.options["hand_size"]), int(setup.options["rounds"])
            needed = setup.seats * size * rounds
            return IllegalSetup(
                "not_enough_cards",
                seats=setup.seats,
                hand_size=size,
                rounds=rounds,
                needed=needed,
                cards=len(CARDS),
            )
        return refusal

    @override
    def at_home(self, level: str, seats: int, options: Mapping[str, Value]) -> bool:
        setting = (seats, options["level"], options["hand_size"], options["rounds"])
        return setting == (sharp.SEARCHED if level == levels.SHARP else master.LEARNED)

    @override
    def played(self, kind: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
        return (ELEMENTS[facts["card"] - 1].symbol,) if kind == "play" else ()

    @override
    def in_hand(self, observation: Observation) -> tuple[str, ...]:
        if observation.viewer is None:
            return ()
        return tuple(ELEMENTS[card - 1].symbol for card in observation.rows[observation.viewer] if card > 0)

    @override
    def deal(self, setup: Setup) -> AtomDuelState:
        return AtomDuelState.dealt(setup, self.gold_immune_from)

    @override
    def sample(self, observation: Observation, rng: random.Random) -> AtomDuelState:
        return sample.sample(observation, rng)

    @override
    def sampler(self, observation: Observation) -> Callable[[random.Random], AtomDuelState]:
        return sample.sampler(observation)

    @override
    def measured(self, state: AtomDuelState, seat: Seat) -> Mapping[str, float]:
        return measures(state, seat)

    @override
    def conditioned_on(self, world: AtomDuelState, told: Event, viewer: Viewer) -> AtomDuelState:
        return sample.conditioned_on(world, told, viewer)

    @override
    def likelihood(self, observation: Observation) -> Callable[[AtomDuelState], float]:
        return inference.likelihood(observation)

    @override
    def action(self, data: object) -> Move:
        return moves.parse(data)

    def bound(self, setup: Setup) -> int:
        """Every card is dealt once, and each use asks for a few choices at most."""
        dealt = setup.seats * int(setup.options["hand_size"]) * int(setup.options["rounds"])
        # a play, its announcement and a laser's aim; sealing, Mercury, Thallium and Strontium come once
        return 4 * dealt + 5 + 3 + setup.seats


GAME = AtomDuel()
