"""Atom: a shedding game for four or five, with bombs, atoms and nukes."""

from engine.atom.game import GAME

__all__ = ["GAME"]
