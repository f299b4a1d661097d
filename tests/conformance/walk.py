"""How the kit walks through games: setups to try, random play, and the answers it compares."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import assume
from hypothesis import strategies as st

from engine import catalog
from engine.game import Event, Game, IllegalAction, Seat, Setup, State, Viewer
from engine.setups import Kind

GAMES: list[Game[Any, Any]] = [
    game.at(version) for game in map(catalog.get, catalog.listed()) for version in game.versions[::-1]
]
"""Every game by every version of its rules that is still played."""


def name_of(game: Game[Any, Any]) -> str:
    """How a test calls a game: by its key, and its version where that is an earlier one."""
    return game.key if catalog.get(game.key) is game else f"{game.key}-v{game.version}"


def parameters(games: Iterable[Game[Any, Any]]) -> list[Any]:
    """Return games as parameters of a test, with earlier versions, which change no more, in `make long`."""
    return [
        pytest.param(game, id=name_of(game), marks=() if catalog.get(game.key) is game else pytest.mark.long)
        for game in games
    ]


every_game = pytest.mark.parametrize("game", parameters(GAMES))


@st.composite
def setups(draw: st.DrawFn, game: Game[Any, Any]) -> Setup:
    """Any setup that the game allows."""
    options = {option.key: draw(st.sampled_from(option.values)) for option in game.options}
    seats = draw(st.sampled_from(game.seats(options) or (0,)))
    key = draw(st.integers(0, 2**32)).to_bytes(32, "big")
    setup = Setup(game.key, game.version, seats, options, key)
    assume(game.check(setup) is None)
    return setup


class Found:
    """A setup on which a law broke once, instead of drawn data: `@example(data=Found(Setup(…)), seed=…)`."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup

    def __repr__(self) -> str:
        return f"Found({self.setup!r})"


def a_setup(data: st.DataObject | Found, game: Game[Any, Any]) -> Setup:
    """The setup of a law's game: drawn, or that of its example; an example of another game is passed over."""
    if isinstance(data, Found):
        assume((game.key, game.version) == (data.setup.game, data.setup.version))
        return data.setup
    return data.draw(setups(game))


def random_play(
    game: Game[Any, Any], setup: Setup, rng: random.Random, *, events: bool = False
) -> Iterator[tuple[State[Any, Any], list[tuple[Seat, Any]]]]:
    """Each position of a random game with the actions so far; the state changes in place."""
    state = game.deal(setup)
    if events:
        state.events = []
    done: list[tuple[Seat, Any]] = []
    yield state, done
    while seats := state.to_act():
        seat = rng.choice(seats)
        actions = state.legal_actions(seat)
        assert actions, f"seat {seat} is to act, but nothing is legal"
        action = rng.choice(actions)
        state.push(seat, action)
        done.append((seat, action))
        yield state, done


def each_choice_once(kinds: Iterable[Kind]) -> list[Kind]:
    """Return kinds of tables among these that have each number of seats and each value of an option."""
    met, found = set[object](), list[Kind]()
    for kind in kinds:
        traits = {("seats", kind.seats), *kind.options.items()}
        if not traits <= met:
            met |= traits
            found.append(kind)
    return found


def actions_of(game: Game[Any, Any], setup: Setup, rng: random.Random, most: int = 150) -> list[Any]:
    """Actions that turn up in a random game of this setup, whoever makes them, without repeats."""
    found: dict[Any, None] = {}
    for state, _ in random_play(game, setup, rng):
        for seat in state.to_act():
            found.update(dict.fromkeys(state.legal_actions(seat)))
    every = list(found)
    return rng.sample(every, most) if len(every) > most else every


def answer(state: State[Any, Any], seat: Seat, action: Any) -> tuple[str, dict[str, Any]] | None:
    """What `verify` says, in a form that compares."""
    try:
        state.verify(seat, action)
    except IllegalAction as refusal:
        return refusal.rule, refusal.facts
    return None


def seen(events: list[Event] | None, viewer: Viewer) -> list[Event]:
    return [view for event in events or () if (view := event.seen_by(viewer)) is not None]


def looked_at(rng: random.Random, share: float, setup: Setup) -> bool:
    """Whether a position is among this share of those that a law looks at. All viewers look at each, so of
    games with more than three seats fewer are: else half of the time would go to Molecular with eight."""
    return rng.random() <= share * min(1.0, 3 / setup.seats)


def viewers(setup: Setup) -> list[Viewer]:
    return [*range(setup.seats), None]


def world(state: State[Any, Any], setup: Setup) -> tuple[Any, ...]:
    """A position as all seats together see it: equal where nobody could tell two worlds apart."""
    return tuple(state.observe(seat) for seat in range(setup.seats))


def sampled(game: Game[Any, Any], observation: Any, rng: random.Random) -> Iterator[State[Any, Any]]:
    """A world of `sample`, and two of one sampler: the second one after the first has been played on."""
    yield game.sample(observation, rng)
    draw = game.sampler(observation)
    other = draw(rng)
    yield other
    for _ in range(12):
        for seat in other.to_act()[:1]:
            other.push(seat, rng.choice(other.legal_actions(seat)))
    yield draw(rng)


def places(value: Any) -> set[tuple[Any, ...]]:
    """What lies where in a position: `(path, value)` for each thing, the order of a plain list left out."""
    found: set[tuple[Any, ...]] = set()

    def walk(path: tuple[Any, ...], part: Any) -> None:
        if isinstance(part, dict):
            for name, inner in part.items():
                walk((*path, name), inner)
        elif isinstance(part, list | tuple):
            for index, inner in enumerate(part):
                walk((*path, index) if isinstance(inner, dict | list | tuple) else path, inner)
        else:
            found.add((path, part))

    walk((), msgspec.to_builtins(value, str_keys=True))
    return found


def places_in(state: State[Any, Any], wanted: set[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
    """Those of these places, as `places` finds them in a `world`, that this position has too.

    Only seats and parts that are asked for are looked at: most of a rare place's search is spent here.
    """
    seats = {path[0] for path, _ in wanted}
    seen = {seat: msgspec.to_builtins(state.observe(seat), str_keys=True) for seat in seats}
    return {(path, thing) for path, thing in wanted if _lies(thing, path[1:], seen[path[0]])}


def _lies(thing: Any, path: tuple[Any, ...], part: Any) -> bool:
    for step in path:
        if not isinstance(part, dict | list | tuple):
            return False
        try:
            part = part[step]
        except (LookupError, TypeError):
            return False
    return thing in part if isinstance(part, list | tuple) else bool(part == thing)
