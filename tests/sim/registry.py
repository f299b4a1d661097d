"""What a planted fault is, and all of them by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.sim.plan import Kind

Plant = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True, slots=True)
class Planted:
    """A fault, and the kinds of wrong by which it is known."""

    name: str
    plant: Plant
    shows: tuple[str, ...]
    kind: Kind | None = None
    """The kind of act without which no world shows the fault."""
    often: bool = False
    """Whether at least half of the worlds that have such acts show the fault."""


FAULTS: dict[str, Planted] = {}


def planted(*shows: str, kind: Kind | None = None, often: bool = False) -> Callable[[Plant], Plant]:
    def register(plant: Plant) -> Plant:
        FAULTS[plant.__name__] = Planted(plant.__name__, plant, shows, kind, often)
        return plant

    return register
