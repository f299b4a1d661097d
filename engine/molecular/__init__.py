"""Molecular: players build one molecule of hexagonal atoms and score the groups that grow in it."""

from engine.molecular.game import GAME

__all__ = ["GAME"]
