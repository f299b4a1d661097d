"""The words and pictures of Duel 52."""

from bot.presenters.duel52.presenter import PRESENTER

__all__ = ["PRESENTER"]
