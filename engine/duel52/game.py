"""Duel 52 as a game of the catalog."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec
from typing_extensions import override

from engine import levels
from engine.ai.choosers import by_scores
from engine.duel52 import moves, sample
from engine.duel52.achievements import ACHIEVEMENTS
from engine.duel52.ai import inference
from engine.duel52.ai.heuristic import scores
from engine.duel52.ai.master import LEARNED, master
from engine.duel52.ai.patterns import PATTERNS, REASONS
from engine.duel52.ai.search import MEASURES, measures, study
from engine.duel52.ai.sharp import sharp
from engine.duel52.cards import VARIANTS
from engine.duel52.events import EVENTS, REFUSALS
from engine.duel52.moves import Move
from engine.duel52.observation import Observation
from engine.duel52.state import DuelState
from engine.facts import Facts
from engine.game import Achievement, Chooser, Event, Game, Option, Seat, Setup, Value, Viewer
from engine.playing_cards import RANK_CODES
from engine.reason import MovePattern
from engine.verdict import Study


class Duel52(Game[Move, Observation]):
    """Three lanes and hidden cards with powers: win two lanes (docs/rules/duel52.md)."""

    key: ClassVar[str] = "duel52"
    title: ClassVar[str] = "Duel 52"
    version: ClassVar[int] = 3
    earlier: ClassVar[Mapping[int, str]] = {1: "engine.duel52.version_1", 2: "engine.duel52.version_2"}
    comparable: ClassVar[frozenset[int]] = frozenset({2})
    options: ClassVar[tuple[Option, ...]] = (
        Option("variant", tuple(VARIANTS), "standard"),
        Option("vampiric", (False, True), False, settled=(("variant", "solo", True),)),
    )
    rated_separately: ClassVar[tuple[str, ...]] = ("variant",)
    achievements: ClassVar[tuple[Achievement, ...]] = ACHIEVEMENTS
    events: ClassVar[Mapping[str, Facts]] = EVENTS
    rules: ClassVar[Mapping[str, Facts]] = REFUSALS
    opponents: ClassVar[Mapping[str, Chooser]] = by_scores(
        scores, sample.sample, newcomer=0.6, casual=0.22, sharp=sharp, master=master
    )
    usual: ClassVar[Mapping[str, str]] = {levels.MASTER: levels.SHARP, levels.SHARP: levels.STEADY}
    study: ClassVar[Study | None] = study
    measures: ClassVar[tuple[str, ...]] = MEASURES
    patterns: ClassVar[tuple[MovePattern, ...]] = PATTERNS
    reasons: ClassVar[Mapping[str, Facts]] = REASONS
    lower_is_better: ClassVar[frozenset[str]] = frozenset({"enemies", "wounds"})
    puzzle_tries: ClassVar[tuple[int, int]] = (32, 160)
    """Fewer than usual, because one try is a whole turn."""
    observation: ClassVar[type[msgspec.Struct]] = Observation

    def held_by_one(self, options: Mapping[str, Value]) -> bool:
        """Return whether one person plays both sides, as in solo (section 7.1)."""
        return options.get("variant") == "solo"

    def seats(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """Return the variant's number of seats; a solo player holds two."""
        return (VARIANTS[str(options["variant"])].seats,)

    def partners(self, seats: int, options: Mapping[str, Value]) -> tuple[tuple[Seat, ...], ...]:
        """Return the teams, whose members sit alternately (section 7.4)."""
        sides = VARIANTS[str(options["variant"])].sides
        return tuple(tuple(range(side, seats, sides)) for side in range(sides)) if seats > sides else ()

    @override
    def at_home(self, level: str, seats: int, options: Mapping[str, Value]) -> bool:
        variant = str(options["variant"])
        if level == levels.MASTER:
            return variant == LEARNED and not options["vampiric"]
        return VARIANTS[variant].sides == 2

    @override
    def played(self, kind: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
        if kind != "play" or "card" not in facts:  # in teams the event does not name the card
            return ()
        return (RANK_CODES[facts["card"] >> 2],)

    @override
    def in_hand(self, observation: Observation) -> tuple[str, ...]:
        if observation.viewer is None:
            return ()
        return tuple(RANK_CODES[card >> 2] for card in observation.hands[observation.viewer] if card >= 0)

    @override
    def deal(self, setup: Setup) -> DuelState:
        return DuelState.dealt(setup)

    @override
    def sample(self, observation: Observation, rng: random.Random) -> DuelState:
        return sample.sample(observation, rng)

    @override
    def likelihood(self, observation: Observation) -> Callable[[DuelState], float]:
        return inference.likelihood(observation)

    @override
    def measured(self, state: DuelState, seat: Seat) -> Mapping[str, float]:
        return measures(state, seat)

    @override
    def conditioned_on(self, world: DuelState, told: Event, viewer: Viewer) -> DuelState:
        return sample.conditioned_on(world, told, viewer)

    @override
    def action(self, data: object) -> Move:
        return moves.parse(data)

    def bound(self, _setup: Setup) -> int:
        """Return a bound far above any real game.

        A card is laid, flipped and killed once. Powers work when flipped and, except Kings, once more per
        King: 52 + 4 * 40 activations with one choice each, and as many orders. A 7 works at most 4 + 4 * 4
        times and heals two points on each of 26 cards. Every attack deals at least one point; besides what 7s
        heal, each card takes at most 3. Pairs break only by a death or a Queen. Solo has two decisions before
        play begins.
        """
        return 3 * 52 + 2 * (52 + 4 * 40) + 3 * 52 + 20 * 2 * 26 + 2 * 52 + 52


GAME = Duel52()
