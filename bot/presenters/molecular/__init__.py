"""The words and pictures of Molecular."""

from bot.presenters.molecular.presenter import PRESENTER

__all__ = ["PRESENTER"]
