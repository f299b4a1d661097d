"""Chemistry Battle by rules 1: the cards are counted after 200 rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from typing_extensions import override

from engine.chemistry.battle.game import ChemistryBattle
from engine.game import Value


class ChemistryBattle1(ChemistryBattle):
    """Chemistry Battle as it was played before rules 2."""

    version: ClassVar[int] = 1
    cap: ClassVar[int] = 200

    @override
    def decided_by_deal(self, _seats: int, _options: Mapping[str, Value]) -> bool:
        """Return False: the cards are counted before the holder of xenon has won them all."""
        return False


GAME = ChemistryBattle1()
