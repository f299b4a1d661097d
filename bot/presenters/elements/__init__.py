"""What games with the chemical elements share: the cards and their signs, and the names of elements."""

from bot.presenters.elements import painters

__all__ = ["painters"]
