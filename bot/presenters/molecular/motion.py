"""What moves on the table of Molecular: a ring that has just been closed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.presenters.molecular import queries
from bot.render.motion import SECONDS, At, glow, one_by_one, over, rise
from bot.render.scene import Look, Scene, places
from engine.game import Event
from engine.molecular.board import Board
from engine.molecular.observation import Observation

_ROUND: Final = 0.5
"""Seconds in which the light goes once round the ring."""


def motion(events: Sequence[Event], seen: Observation, scene: Scene, _look: Look) -> Scene:
    """A light goes round the ring that the last tile has closed, and its points rise from it."""
    laid = [event for event in events if event.kind == "tile"]
    board = queries.table(seen).board
    ring = ring_through(board, seen.last_cell) if laid and seen.last_cell in board.tiles else ()
    found = places(scene.items)
    cells = [found[place] for cell in ring if (place := f"cell {cell}") in found]
    if not ring or len(cells) < len(ring):  # a part of it is not in the picture
        return scene
    times = one_by_one(len(cells), 0.0, _ROUND)
    parts = [
        At(at, each, glow(cell, radius=cell.w // 2)) for cell, (at, each) in zip(cells, times, strict=True)
    ]
    points = laid[-1].facts.get("points")
    parts.append(At(_ROUND - 0.1, SECONDS - _ROUND + 0.1, rise(f"+{points}", cells[0])))
    return over(scene, *parts)


def ring_through(board: Board, start: int) -> tuple[int, ...]:
    """The cells of the shortest ring through a cell in their order, from that one on; nothing without one."""
    best: tuple[int, ...] = ()
    near = [cell for _, cell in board.bonds.get(start, ())]
    for first in near:
        before, queue = {start: -1, first: start}, [first]
        for cell in queue:
            for _, other in board.bonds.get(cell, ()):
                if other not in before:
                    before[other] = cell
                    queue.append(other)
                elif other == start and cell != first:
                    path = [cell]
                    while path[-1] != start:
                        path.append(before[path[-1]])
                    if not best or len(path) < len(best):
                        best = tuple(reversed(path))
                    queue.clear()
                    break
    return best
