"""Molecular with version 1 of the rules: a fourth active effector discards the oldest."""

from __future__ import annotations

from typing import ClassVar

from typing_extensions import override

from engine.game import Setup
from engine.molecular.game import Molecular
from engine.molecular.state import MolecularState


class Molecular1(Molecular):
    """Molecular as played before version 2 of the rules."""

    version: ClassVar[int] = 1

    @override
    def deal(self, setup: Setup) -> MolecularState:
        state = super().deal(setup)
        state.most_actives = 3
        return state


GAME = Molecular1()
