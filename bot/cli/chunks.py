"""Arenas and simulations split into parts for an executor. The games are the same as those of one series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from time import perf_counter
from typing import Any, TypeVar

from engine import arena as machine
from engine import catalog
from engine.arena import ArenaResult, Player, Progress, SimulationResult, Timer
from engine.game import AnyGame, Value

R = TypeVar("R", ArenaResult, SimulationResult)
PARTS = 4
"""Parts per worker. With more than one, a slow worker does not delay the whole series for long."""


def arena(
    game: AnyGame,
    players: Sequence[Player],
    options: Mapping[str, Value],
    *,
    games: int,
    seed: int,
    timer: Timer,
    seats: int | None = None,
    progress: Progress | None = None,
    port: Executor,
    width: int,
) -> ArenaResult:
    """Run `engine.arena.arena` in an executor, `width` parts at a time.

    Raises:
        Exception: any that the function raises.
    """
    how: dict[str, Any] = {"seed": seed, "timer": timer, "seats": seats}
    if width == 1:
        return machine.arena(game, players, options, games=games, progress=progress, **how)
    deals = -(-games // len(players))
    size = max(1, -(-deals // (PARTS * width)))
    spans = [(first, min(size, deals - first)) for first in range(0, deals, size)]
    asked: list[Future[ArenaResult]] = [
        port.submit(_arena, game.key, players, dict(options), games=count * len(players), first=first, **how)
        for first, count in spans
    ]
    return _added(asked, deals * len(players), progress)


def simulate(
    game: AnyGame,
    seats: int,
    options: Mapping[str, Value],
    *,
    games: int,
    seed: int,
    port: Executor,
    width: int,
    progress: Progress | None = None,
) -> SimulationResult:
    """Run `engine.arena.simulate` in an executor, `width` parts at a time.

    Raises:
        Exception: any that the function raises.
    """
    how: dict[str, Any] = {"seed": seed, "timer": perf_counter}
    if width == 1:
        return machine.simulate(game, seats, options, games=games, progress=progress, **how)
    asked: list[Future[SimulationResult]] = [
        port.submit(
            _simulate,
            game.key,
            seats,
            dict(options),
            games=min(machine.SPAN, games - first),
            first=first,
            **how,
        )
        for first in range(0, games, machine.SPAN)
    ]
    return _added(asked, games, progress)


def _arena(key: str, players: Sequence[Player], options: Mapping[str, Value], **how: Any) -> ArenaResult:
    """Play a part of an arena, in a worker."""
    return machine.arena(catalog.get(key), players, options, **how)


def _simulate(key: str, seats: int, options: Mapping[str, Value], **how: Any) -> SimulationResult:
    """Play a part of a simulation, in a worker."""
    return machine.simulate(catalog.get(key), seats, options, **how)


def _added(asked: Sequence[Future[R]], total: int, progress: Progress | None) -> R:
    """Add up all parts, in their order."""
    done = 0
    for each in as_completed(asked):
        done += each.result().games
        if progress is not None:
            progress(done, total)
    whole = asked[0].result()
    for each in asked[1:]:
        whole.add(each.result())
    return whole
