"""Duel 52: a duel of powers with a pack of playing cards, by Judd Madden and Nina Riddell."""

from engine.duel52.game import GAME

__all__ = ["GAME"]
