"""The heuristics of commit 203ed40, as they were before any of their blunders was repaired: a yardstick.

They are copies and stay as they are, so that a figure of today can be held against one of next year.
"""

from __future__ import annotations

from collections.abc import Mapping

from bench.opponents import atom, atom_duel, battle, chemistry, duel52, molecular
from engine.game import Chooser

FROZEN: Mapping[str, Chooser] = {
    "atom": atom.heuristic,
    "atom_duel": atom_duel.heuristic,
    "canasta": chemistry.heuristic,
    "chemistry_battle": battle.heuristic,
    "compound_capture": chemistry.heuristic,
    "duel52": duel52.heuristic,
    "molecular": molecular.heuristic,
}
"""By the key of the game."""
