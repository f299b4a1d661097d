"""What a finished game says of one of its seats, for the achievements that games declare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.game import AnyGame, AnyState, Event, Outcome, Seat, Setup

Step = tuple[Seat, tuple[Event, ...]]
"""Who decided, and what came of it."""


@dataclass(frozen=True)
class Played:
    """A finished game as one seat knew it: what it saw of each decision that stood, and the outcome."""

    setup: Setup
    outcome: Outcome
    seat: Seat
    steps: Sequence[Step]

    @cached_property
    def won(self) -> bool:
        """Whether the seat won against somebody: the first rank, with another seat behind."""
        ranks = [standing.rank for standing in self.outcome.standings]
        return ranks[self.seat] == 1 < max(ranks)

    def told(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """The facts of all events of a kind, whoever did it."""
        return (event.facts for _, events in self.steps for event in events if event.kind == kind)

    def did(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """The facts of the events of a kind that the seat itself did."""
        every = (event for _, events in self.steps for event in events)
        return (event.facts for event in every if event.kind == kind and event.seat == self.seat)

    def own_steps(self) -> Iterator[tuple[Event, ...]]:
        """What came of each of the seat's own decisions."""
        return (events for seat, events in self.steps if seat == self.seat)


def replay(game: AnyGame, setup: Setup, acts: Sequence[tuple[Seat, Any]]) -> tuple[AnyState, list[Step]]:
    """A game played again, its acts as JSON: its last position, and the steps with all that happened."""
    state = game.deal(setup)
    steps: list[Step] = []
    for seat, data in acts:
        state.events = []
        state.push(seat, game.action(data))
        steps.append((seat, tuple(state.events)))
    return state, steps


def seen_by(steps: Sequence[Step], seat: Seat) -> list[Step]:
    """The same steps as one seat knew them."""
    return [
        (who, tuple(known for event in events if (known := event.seen_by(seat)))) for who, events in steps
    ]


def reached(
    game: AnyGame, setup: Setup, outcome: Outcome, seat: Seat, steps: Sequence[Step], *, fair: bool
) -> dict[str, int]:
    """How often a seat reached each achievement of the game, those that it did; `fair` says whether those
    that take a win count."""
    if not game.achievements:
        return {}
    played = Played(setup, outcome, seat, seen_by(steps, seat))
    found = {one.key: int(one.times(played)) for one in game.achievements if fair or not one.fair}
    return {key: times for key, times in found.items() if times > 0}
