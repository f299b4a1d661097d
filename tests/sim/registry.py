"""What a planted fault is, and all of them by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.sim.plan import Kind

Plant = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True, slots=True)
class Planted:
    """A fault, the kinds of wrong by which it is known, and a seed that shows it."""

    name: str
    plant: Plant
    shows: tuple[str, ...]
    seed: int = 0
    kind: Kind | None = None
    """The kind of act without which no world shows the fault."""


FAULTS: dict[str, Planted] = {}


def planted(*shows: str, seed: int = 0, kind: Kind | None = None) -> Callable[[Plant], Plant]:
    def register(plant: Plant) -> Plant:
        FAULTS[plant.__name__] = Planted(plant.__name__, plant, shows, seed, kind)
        return plant

    return register
