"""The common base of Compound Capture and Chemistry Canasta as games of the catalog."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import msgspec
from typing_extensions import override

from engine.chemistry import moves, worlds
from engine.chemistry import sample as sampling
from engine.chemistry.ai.patterns import PATTERNS, REASONS
from engine.chemistry.ai.search import measures
from engine.chemistry.deck import BOOK, CHOICES, WILD, compounds, draw_cards
from engine.chemistry.events import EVENTS
from engine.chemistry.moves import Move
from engine.chemistry.observation import HAND, SOLO_DRY, Observation
from engine.chemistry.state import CollectState
from engine.facts import Facts
from engine.game import Game, Option, Seat, Setup
from engine.reason import MovePattern

ROUNDS = 10
"""Maximum number of rounds in a match (decision 10)."""


class Collecting(Game[Move, Observation]):
    """A game of captured compounds; `canasta` tells which of the two it is."""

    canasta: ClassVar[bool]
    version: ClassVar[int] = 1
    options: ClassVar[tuple[Option, ...]] = (
        Option("decks", CHOICES, "both"),
        Option("rounds", (ROUNDS, 1), ROUNDS),
    )
    rated_separately: ClassVar[tuple[str, ...]] = ("decks",)
    events: ClassVar[Mapping[str, Facts]] = EVENTS
    patterns: ClassVar[tuple[MovePattern, ...]] = PATTERNS
    reasons: ClassVar[Mapping[str, Facts]] = REASONS
    observation: ClassVar[type[msgspec.Struct]] = Observation

    @override
    def played(self, kind: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
        if kind != "capture":
            return ()
        return (BOOK.compounds[facts["compound"]].formula,)

    @override
    def in_hand(self, observation: Observation) -> tuple[str, ...]:
        return tuple(f"z{card}" for card in observation.hand if card != WILD)

    @override
    def deal(self, setup: Setup) -> CollectState:
        return CollectState.dealt(setup, canasta=self.canasta)

    @override
    def sample(self, observation: Observation, rng: random.Random) -> CollectState:
        return sampling.sample(observation, rng)

    @override
    def sampler(self, observation: Observation) -> Callable[[random.Random], CollectState]:
        return worlds.sampler(observation)

    @override
    def spelling(self, _observation: Observation, action: Move) -> object:
        if action.verb == "run":  # a wild card at either end of a pair
            return action.verb, tuple(sorted(action.cards))
        return (action.verb, action.what) if action.verb == "capture" else action

    @override
    def measured(self, state: CollectState, seat: Seat) -> Mapping[str, float]:
        return measures(state, seat)

    @override
    def action(self, data: object) -> Move:
        return moves.parse(data)

    @override
    def bound(self, setup: Setup) -> int:
        decks, seats = str(setup.options["decks"]), setup.seats
        if self.canasta:
            stock = len(draw_cards(decks, basic=True)) - seats * HAND - 1
            # each turn takes a card of the stock and asks for two draws, a play and an end; each claim
            # replaces a wild
            # laid in a run by an element, and no turn lays more than two wilds
            turns = stock * 6
        else:
            dry = max(seats, SOLO_DRY)
            turns = 3 * (len(compounds(decks)) + 1) * dry
        return int(setup.options["rounds"]) * turns
