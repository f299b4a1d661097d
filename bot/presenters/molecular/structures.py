"""Functional groups as drawings: where the atoms of a pattern go, and how they are joined.

A chain runs in a zigzag with 120 degrees between bonds, side atoms stand above and below it, rings
are regular. Lengths are in bonds.
"""

from __future__ import annotations

import math
from collections import deque
from functools import cache
from typing import NamedTuple

from engine.molecular import smarts
from engine.molecular.cards import BOX


class Structure(NamedTuple):
    """Atoms as (symbol, x, y), y downwards, and bonds as (one, other, order)."""

    atoms: tuple[tuple[str, float, float], ...]
    bonds: tuple[tuple[int, int, int], ...]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height between the middles of the outermost atoms."""
        return (
            max(x for _, x, _ in self.atoms) - min(x for _, x, _ in self.atoms),
            max(y for _, _, y in self.atoms) - min(y for _, _, y in self.atoms),
        )


@cache
def structure(group: int) -> Structure:
    """The drawing of a group."""
    pattern = smarts.parse(BOX.groups[group].smarts)
    links: list[list[int]] = [[] for _ in pattern.atoms]
    for _, one, other in pattern.bonds:
        links[one].append(other)
        links[other].append(one)
    places = _ring(links) if len(pattern.bonds) >= len(pattern.atoms) else _chain(links)
    left, top = min(x for x, _ in places), min(y for _, y in places)
    atoms = tuple(
        (min(atom.elements) if len(atom.elements) == 1 else "R", x - left, y - top)
        for atom, (x, y) in zip(pattern.atoms, places, strict=True)
    )
    return Structure(atoms, tuple((one, other, order) for order, one, other in pattern.bonds))


def _ring(links: list[list[int]]) -> list[tuple[float, float]]:
    """All atoms on a circle, in the order of the ring."""
    order = [0]
    while len(order) < len(links):
        order.append(next(atom for atom in links[order[-1]] if atom not in order))
    radius = 0.5 / math.sin(math.pi / len(order))
    places = [(0.0, 0.0)] * len(order)
    for number, atom in enumerate(order):
        # the second atom of a triangle, its oxygen, stands on top; a hexagon stands on a corner
        turn = number - 1 if len(order) == 3 else number
        angle = 2 * math.pi * turn / len(order) - math.pi / 2
        places[atom] = (radius * math.cos(angle), radius * math.sin(angle))
    return places


def _chain(links: list[list[int]]) -> list[tuple[float, float]]:
    """The longest path in a zigzag; what hangs on it stands straight up or down."""
    path = max((_farthest(links, start) for start in range(len(links))), key=len)
    places = [(0.0, 0.0)] * len(links)
    high = _branch_places(links, path)
    for number, atom in enumerate(path):
        down = (number + high) % 2
        places[atom] = (number * math.cos(math.pi / 6), down * 0.5)
        for side in links[atom]:
            if side not in path:
                places[side] = (places[atom][0], 1.5 if down else -1.0)
    return places


def _branch_places(links: list[list[int]], path: list[int]) -> int:
    """0 where the first atom of the path is up, 1 where it is down: most side atoms stand up."""
    up = [sum(len(links[atom]) > 2 for atom in path[start::2]) for start in (0, 1)]
    return 0 if up[0] >= up[1] else 1


def _farthest(links: list[list[int]], start: int) -> list[int]:
    """The path from an atom to one of those farthest from it."""
    came = {start: -1}
    queue = deque([start])
    last = start
    while queue:
        last = queue.popleft()
        for near in links[last]:
            if near not in came:
                came[near] = last
                queue.append(near)
    path = [last]
    while came[path[-1]] >= 0:
        path.append(came[path[-1]])
    return path
