"""Positions worth showing, searched in real games."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import msgspec

from bot.render.scene import Look, Scene
from engine import catalog
from engine.arena import key_of
from engine.game import Action, AnyGame, AnyState, Seat, State, Value

S = TypeVar("S", bound=AnyState)
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - O for observation, as in the engine
TRIES = 4000
"""Maximum number of games played to find a position."""


@dataclass(frozen=True, slots=True)
class Moment(Generic[S]):
    """A position to look for: its key, number of players, condition and options."""

    key: str
    seats: int
    fits: Callable[[S], bool]
    options: Mapping[str, Value] = field(default_factory=dict)


def at_random(state: S, seat: Seat, rng: random.Random) -> Action:
    """Return a random legal action."""
    return rng.choice(state.legal_actions(seat))


def find(
    game: AnyGame, moment: Moment[S], choose: Callable[[S, Seat, random.Random], Action] = at_random
) -> S:
    """Return the first such position in games from fixed seeds in which `choose` acts for every seat.

    Raises:
        LookupError: no such position was found.
    """
    for seed in range(TRIES):
        rng = random.Random(seed)
        state: Any = game.deal(game.setup(moment.seats, seed.to_bytes(32, "big"), **moment.options))
        while not moment.fits(state) and (waiting := state.to_act()):
            seat = rng.choice(waiting)
            state.push(seat, choose(state, seat, rng))
        if moment.fits(state):
            found: S = state
            return found
    raise LookupError(moment.key)


def pictures(
    titles: Mapping[str, str],
    positions: Iterable[tuple[str, int, State[Any, O]]],
    names: Sequence[str],
    *,
    table: Callable[[O, Look], Scene],
    hand: Callable[[O, Look], Scene],
) -> list[tuple[str, Scene]]:
    """Draw the table of each position (key, seats, state) and the hand of the seat to act.

    `titles` maps each key to the title of the position, and `table` and `hand` to the patterns for the titles
    of its pictures.
    """
    shown = []
    for key, seats, state in positions:
        look, title = Look(names=tuple(names[:seats])), titles[key]
        shown.append((titles["table"].format(title=title), table(state.observe(None), look)))
        if waiting := state.to_act():
            shown.append((titles["hand"].format(title=title), hand(state.observe(waiting[0]), look)))
    return shown


def dealt(
    game: str, table: Callable[[O, Look], Scene], hand: Callable[[O, Look], Scene]
) -> tuple[tuple[str, Scene], ...]:
    """Draw the table and a hand of a game just dealt to as many players as it can seat."""
    rules = catalog.get(game)
    seats = rules.seats(rules.defaults())[-1]
    state = rules.deal(rules.setup(seats, key_of(1, 0)))
    look = Look(names=tuple(f"{number}" for number in range(1, seats + 1)))
    return (
        ("Table", table(state.observe(None), look)),
        ("Hand", hand(state.observe(state.to_act()[0]), look)),
    )
