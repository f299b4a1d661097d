"""A game whose every action carries a number, so that each line of a journal names the press that wrote it.

In each round every seat says one number, in any order; after the last round the game is over. The position
knows its deal, so that two deals of one table cannot look alike.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, Self

import msgspec

from engine.ai import at_random
from engine.game import (
    SETUP_REFUSALS,
    TURN_REFUSALS,
    Game,
    IllegalAction,
    Option,
    Outcome,
    Seat,
    Setup,
    Standing,
    State,
    Value,
    Viewer,
)

MOST_MARKS = 4000


class Say(NamedTuple):
    verb: str
    mark: int = 0


class Observation(msgspec.Struct, frozen=True):
    viewer: int | None
    seats: int
    rounds: int
    said: tuple[tuple[int, int], ...]


class MarksState(State[Say, Observation]):
    __slots__ = ("deal", "rounds", "said", "seats")

    def __init__(self, seats: int, rounds: int, deal: str) -> None:
        self.events = None
        self.seats, self.rounds, self.deal = seats, rounds, deal
        self.said: list[tuple[int, int]] = []

    def to_act(self) -> tuple[Seat, ...]:
        if len(self.said) == self.seats * self.rounds:
            return ()
        began = len(self.said) // self.seats * self.seats
        done = {seat for seat, _ in self.said[began:]}
        return tuple(seat for seat in range(self.seats) if seat not in done)

    def legal_actions(self, seat: Seat) -> Sequence[Say]:
        return [Say("say", 0)] if seat in self.to_act() else ()

    def _check(self, seat: Seat, action: Say) -> None:
        if action.verb != "say" or not 0 <= action.mark < MOST_MARKS:
            raise IllegalAction("unknown_action")

    def push(self, seat: Seat, action: Say) -> None:
        self.said.append((seat, action.mark))
        self.tell("said", seat, mark=action.mark)

    def observe(self, viewer: Viewer) -> Observation:
        return Observation(viewer, self.seats, self.rounds, tuple(self.said))

    def outcome(self) -> Outcome | None:
        return None if self.to_act() else Outcome((Standing(1, 0.0),) * self.seats)

    def clone(self) -> Self:
        other = type(self)(self.seats, self.rounds, self.deal)
        other.said = self.said.copy()
        return other

    def fingerprint(self) -> bytes:
        return repr((self.deal, self.seats, self.rounds, self.said)).encode()

    def census(self) -> tuple[int, ...]:
        return ()


class MarksGame(Game[Say, Observation]):
    key = "marks"
    title = "Marks"
    version = 1
    options = (Option("rounds", (2, 3, 50), 3), Option("mood", tuple(range(MOST_MARKS)), 0))
    refusals = SETUP_REFUSALS | TURN_REFUSALS
    opponents = {"random": at_random}  # noqa: RUF012 - a class attribute of the contract
    observation = Observation

    def seats(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        return (1, 2, 3, 4)

    def deal(self, setup: Setup) -> MarksState:
        return MarksState(setup.seats, int(setup.options["rounds"]), sha256(setup.key).hexdigest()[:16])

    def sample(self, observation: Observation, rng: random.Random) -> MarksState:
        state = MarksState(observation.seats, observation.rounds, rng.randbytes(8).hex())
        state.said = list(observation.said)
        return state

    def action(self, data: Any) -> Say:
        match data:
            case ["say", int(mark)]:
                return Say("say", mark)
        raise ValueError(f"no action of marks: {data!r}")

    def bound(self, setup: Setup) -> int:
        return int(setup.options["rounds"]) * setup.seats


GAME = MarksGame()
