"""Chemistry Battle by rules 1: the cards are counted after 200 rounds."""

from __future__ import annotations

from typing import ClassVar

from engine.chemistry.battle.game import ChemistryBattle


class ChemistryBattle1(ChemistryBattle):
    """Chemistry Battle as it was played before rules 2."""

    version: ClassVar[int] = 1
    cap: ClassVar[int] = 200


GAME = ChemistryBattle1()
