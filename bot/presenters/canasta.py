"""The presenter of Chemistry Canasta."""

from __future__ import annotations

from bot.presenters.chemistry.collect import CollectPresenter
from bot.presenters.chemistry.lookups import EVERY


class CanastaPresenter(CollectPresenter):
    """The words and pictures of Chemistry Canasta."""

    key = "canasta"
    elements = EVERY


PRESENTER = CanastaPresenter()
