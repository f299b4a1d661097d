"""The words and pictures of Atom Duel."""

from bot.presenters.atom_duel.presenter import PRESENTER

__all__ = ["PRESENTER"]
