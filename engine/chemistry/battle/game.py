"""Chemistry Battle as a game of the catalog."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import ClassVar

import msgspec
from typing_extensions import override

from engine.ai import at_random
from engine.chemistry.battle.events import EVENTS, REFUSALS
from engine.chemistry.battle.heuristic import heuristic
from engine.chemistry.battle.rounds import DEALS, FLIP, HIDDEN, PLAYS, Move, Observation
from engine.chemistry.battle.state import BattleState
from engine.chemistry.deck import BASIC
from engine.facts import Facts
from engine.game import Chooser, Game, Option, Setup, Value


class ChemistryBattle(Game[Move, Observation]):
    """54 elements, the highest number takes the round, the piles fight it out (section 1)."""

    key: ClassVar[str] = "chemistry_battle"
    title: ClassVar[str] = "Chemistry Battle"
    version: ClassVar[int] = 1
    options: ClassVar[tuple[Option, ...]] = (Option("blind", (False, True), False),)
    events: ClassVar[Mapping[str, Facts]] = EVENTS
    rules: ClassVar[Mapping[str, Facts]] = REFUSALS
    opponents: ClassVar[Mapping[str, Chooser]] = {"random": at_random, "heuristic": heuristic}
    observation: ClassVar[type[msgspec.Struct]] = Observation

    def seats(self, _options: Mapping[str, Value]) -> tuple[int, ...]:
        """One, against the house, to six."""
        return tuple(DEALS)

    @override
    def deal(self, setup: Setup) -> BattleState:
        return BattleState.dealt(setup)

    @override
    def sample(self, observation: Observation, rng: random.Random) -> BattleState:
        """The unseen cards go at random to the other hands and the kitty."""
        seen = observation
        state = BattleState(seen.seats, blind=seen.blind)
        state.restore(seen)
        known = {*seen.hand, *seen.plays, *(card for pile in seen.piles for card in pile)}
        unseen = [card for card in BASIC if card not in known]
        rng.shuffle(unseen)
        for hand, size in enumerate(seen.sizes):
            own = list(seen.hand) if hand == seen.viewer else []
            state.hands.append(own + [unseen.pop() for _ in range(size - len(own))])
        # what is left over is the kitty, on the table or in the pile of the first round's winner
        state.kitty = unseen
        kitty = list(unseen)
        state.piles = [[kitty.pop(0) if card == HIDDEN else card for card in pile] for pile in seen.piles]
        return state

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
