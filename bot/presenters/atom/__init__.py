"""The words and pictures of Atom."""

from bot.presenters.atom.presenter import PRESENTER

__all__ = ["PRESENTER"]
