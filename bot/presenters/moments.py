"""Positions worth showing, from real games: every kind of picture for the contact sheet."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import msgspec

from bot.presenters.voice import Voice
from bot.render.scene import Look, Scene
from engine import catalog
from engine.arena import key_of
from engine.game import Action, AnyGame, AnyState, Seat, State, Value

S = TypeVar("S", bound=AnyState)
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - O for observation, as in the engine
TRIES = 4000
"""Games that are played to find a position."""


@dataclass(frozen=True, slots=True)
class Moment(Generic[S]):
    """A position to look for: its key, how many play, what it is known by, and the options."""

    key: str
    seats: int
    fits: Callable[[S], bool]
    options: Mapping[str, Value] = field(default_factory=dict)


def at_random(state: S, seat: Seat, rng: random.Random) -> Action:
    """Any legal action."""
    return rng.choice(state.legal_actions(seat))


def find(
    game: AnyGame, moment: Moment[S], choose: Callable[[S, Seat, random.Random], Action] = at_random
) -> S:
    """The first such position in games from fixed seeds in which `choose` acts for everybody.

    Raises:
        LookupError: there is none.
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
    voice: Voice,
    positions: Iterable[tuple[str, int, State[Any, O]]],
    names: Sequence[str],
    *,
    table: Callable[[O, Look], Scene],
    hand: Callable[[O, Look], Scene],
) -> list[tuple[str, Scene]]:
    """The table of each position (key, seats, state) and a hand of whoever is to act, titled by the
    strings `showcase.<key>`."""
    shown = []
    for key, seats, state in positions:
        look, title = Look(names=tuple(names[:seats])), voice(f"showcase.{key}")
        shown.append((voice("showcase.table", title=title), table(state.observe(None), look)))
        if waiting := state.to_act():
            shown.append((voice("showcase.hand", title=title), hand(state.observe(waiting[0]), look)))
    return shown


def dealt(
    game: str, table: Callable[[O, Look], Scene], hand: Callable[[O, Look], Scene]
) -> tuple[tuple[str, Scene], ...]:
    """The table and a hand of a game that has just been dealt to as many as can play."""
    rules = catalog.get(game)
    seats = rules.seats(rules.defaults())[-1]
    state = rules.deal(rules.setup(seats, key_of(1, 0)))
    look = Look(names=tuple(f"{number}" for number in range(1, seats + 1)))
    return (
        ("Table", table(state.observe(None), look)),
        ("Hand", hand(state.observe(state.to_act()[0]), look)),
    )
