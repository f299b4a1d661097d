"""Molecular: players build one molecule of hexagonal atoms and name what grows in it."""

from engine.molecular.game import GAME

__all__ = ["GAME"]
