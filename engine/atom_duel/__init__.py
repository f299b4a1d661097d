"""Atom Duel: tricks with the periodic table, in seven levels."""

from engine.atom_duel.game import GAME

__all__ = ["GAME"]
