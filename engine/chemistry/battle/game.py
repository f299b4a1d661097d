"""Chemistry Battle as a game of the catalog."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec
from typing_extensions import override

from engine.ai.choosers import by_scores
from engine.chemistry.battle import sample
from engine.chemistry.battle.achievements import ACHIEVEMENTS
from engine.chemistry.battle.events import EVENTS, REFUSALS
from engine.chemistry.battle.heuristic import scores
from engine.chemistry.battle.patterns import PATTERNS, REASONS
from engine.chemistry.battle.rounds import CAP, DEALS, FLIP, PLAYS, Move, Observation
from engine.chemistry.battle.search import MEASURES, study
from engine.chemistry.battle.state import BattleState
from engine.facts import Facts
from engine.game import Achievement, Chooser, Game, Option, Setup, Value
from engine.reason import MovePattern
from engine.verdict import Study

FEW, USUAL = 2, 4
"""The most seats of a game that the deal decides, and the seats of a usual game."""


class ChemistryBattle(Game[Move, Observation]):
    """54 elements: the highest number takes the round, then the piles fight it out (section 1)."""

    key: ClassVar[str] = "chemistry_battle"
    title: ClassVar[str] = "Chemistry Battle"
    version: ClassVar[int] = 2
    earlier: ClassVar[Mapping[int, str]] = {1: "engine.chemistry.battle.version_1"}
    options: ClassVar[tuple[Option, ...]] = (Option("blind", (False, True), False),)
    rated_separately: ClassVar[tuple[str, ...]] = ("blind",)
    achievements: ClassVar[tuple[Achievement, ...]] = ACHIEVEMENTS
    events: ClassVar[Mapping[str, Facts]] = EVENTS
    rules: ClassVar[Mapping[str, Facts]] = REFUSALS
    opponents: ClassVar[Mapping[str, Chooser]] = by_scores(scores, sample.sample, newcomer=2, casual=0.3)
    study: ClassVar[Study | None] = study
    measures: ClassVar[tuple[str, ...]] = MEASURES
    patterns: ClassVar[tuple[MovePattern, ...]] = PATTERNS
    reasons: ClassVar[Mapping[str, Facts]] = REASONS
    observation: ClassVar[type[msgspec.Struct]] = Observation
    cap: ClassVar[int] = CAP

    def seats(self, _options: Mapping[str, Value]) -> tuple[int, ...]:
        """Return one (against the house) to six seats."""
        return tuple(DEALS)

    @override
    def decided_by_deal(self, seats: int, _options: Mapping[str, Value]) -> bool:
        """Return whether only two hands are dealt: xenon wins every round, so its holder never runs out."""
        return seats <= FEW

    @override
    def usual_seats(self, _options: Mapping[str, Value]) -> int:
        return USUAL

    @override
    def played(self, kind: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
        return (f"z{facts['card']}",) if kind == "play" else ()

    @override
    def in_hand(self, observation: Observation) -> tuple[str, ...]:
        return tuple(f"z{card}" for card in observation.hand)

    @override
    def deal(self, setup: Setup) -> BattleState:
        return BattleState.dealt(setup, self.cap)

    @override
    def sample(self, observation: Observation, rng: random.Random) -> BattleState:
        return sample.sample(observation, rng)

    @override
    def action(self, data: object) -> Move:
        if isinstance(data, list | tuple) and [type(part) for part in data] == [str, int]:
            move = Move(*data)
            if move == FLIP:
                return FLIP
            if move in PLAYS[1:]:
                return PLAYS[move.card]
        raise ValueError(f"no action of {self.key}: {data!r:.80}")

    def bound(self, setup: Setup) -> int:
        """Every card is played once; the house, the kitty and phase 2 decide nothing."""
        return setup.seats * DEALS[setup.seats]


GAME = ChemistryBattle()
