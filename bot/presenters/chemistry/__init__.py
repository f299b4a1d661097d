"""The words and pictures of the three games of chemistry."""

from bot.presenters.chemistry import painters

__all__ = ["painters"]
