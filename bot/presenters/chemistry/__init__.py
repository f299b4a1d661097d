"""The words and pictures of the three games of chemistry."""

from bot.presenters.chemistry import cards, painters

__all__ = ["cards", "painters"]
