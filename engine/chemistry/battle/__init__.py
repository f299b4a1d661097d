"""Chemistry Battle: the highest atomic number takes the round, then the piles play themselves."""

from engine.chemistry.battle.game import GAME

__all__ = ["GAME"]
