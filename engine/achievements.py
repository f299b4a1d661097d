"""A finished game from one seat's point of view, for the achievements that games declare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.game import AnyGame, AnyState, Event, Outcome, Seat, Setup

Step = tuple[Seat, tuple[Event, ...]]
"""The seat that decided, and the events that followed."""


@dataclass(frozen=True)
class Played:
    """A finished game as one seat knew it: the outcome, and what the seat saw of each decision not taken
    back."""

    setup: Setup
    outcome: Outcome
    seat: Seat
    steps: Sequence[Step]

    @cached_property
    def won(self) -> bool:
        """Whether the seat beat someone: it ranks first, and another seat ranks lower."""
        ranks = [standing.rank for standing in self.outcome.standings]
        return ranks[self.seat] == 1 < max(ranks)

    def told(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """Yield the facts of all events of a kind, by any seat."""
        return (event.facts for _, events in self.steps for event in events if event.kind == kind)

    def did(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """Yield the facts of the seat's own events of a kind."""
        every = (event for _, events in self.steps for event in events)
        return (event.facts for event in every if event.kind == kind and event.seat == self.seat)

    def own_steps(self) -> Iterator[tuple[Event, ...]]:
        """Yield the events that followed each of the seat's own decisions."""
        return (events for seat, events in self.steps if seat == self.seat)


def replay(game: AnyGame, setup: Setup, acts: Sequence[tuple[Seat, Any]]) -> tuple[AnyState, list[Step]]:
    """Replay a game from its actions as JSON. Return the final position and the steps with all their
    events."""
    state = game.deal(setup)
    steps: list[Step] = []
    for seat, data in acts:
        state.events = []
        state.push(seat, game.action(data))
        steps.append((seat, tuple(state.events)))
    return state, steps


def seen_by(steps: Sequence[Step], seat: Seat) -> list[Step]:
    """Return the same steps as one seat saw them."""
    return [
        (who, tuple(known for event in events if (known := event.seen_by(seat)))) for who, events in steps
    ]


def reached(
    game: AnyGame, setup: Setup, outcome: Outcome, seat: Seat, steps: Sequence[Step], *, fair: bool
) -> dict[str, int]:
    """Return how often a seat earned each of the game's achievements, leaving out those it did not earn.

    `fair` says whether achievements that require beating someone count.
    """
    if not game.achievements:
        return {}
    played = Played(setup, outcome, seat, seen_by(steps, seat))
    found = {one.key: int(one.times(played)) for one in game.achievements if fair or not one.fair}
    return {key: times for key, times in found.items() if times > 0}
