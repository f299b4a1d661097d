"""Duel 52 under rules 1: an empty lane counts for every side whose opponents have no cards in hand."""

from __future__ import annotations

from typing import ClassVar

from typing_extensions import override

from engine.duel52.game import Duel52
from engine.duel52.state import DuelState
from engine.game import Setup


class Duel52By1(Duel52):
    """Duel 52 as it was played before rules 2."""

    version: ClassVar[int] = 1

    @override
    def deal(self, setup: Setup) -> DuelState:
        state = super().deal(setup)
        state.held = []
        return state


GAME = Duel52By1()
