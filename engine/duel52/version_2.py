"""Duel 52 under rules 2: an empty lane that neither side has had to itself counts for neither."""

from __future__ import annotations

from typing import ClassVar

from typing_extensions import override

from engine.duel52.game import Duel52
from engine.duel52.marks import NEITHER
from engine.duel52.state import DuelState
from engine.game import Setup


class Duel52By2(Duel52):
    """Duel 52 as it was played before rules 3."""

    version: ClassVar[int] = 2

    @override
    def deal(self, setup: Setup) -> DuelState:
        state = super().deal(setup)
        state.held = [NEITHER] * len(state.held)
        return state


GAME = Duel52By2()
