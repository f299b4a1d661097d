"""The presenter of Chemistry Battle."""

from bot.presenters.chemistry.battle import PRESENTER

__all__ = ["PRESENTER"]
