"""The presenter of Compound Capture."""

from __future__ import annotations

from bot.presenters.chemistry.collect import CollectPresenter
from bot.presenters.chemistry.lookups import IN_COMPOUNDS


class CompoundCapturePresenter(CollectPresenter):
    """The words and pictures of Compound Capture."""

    key = "compound_capture"
    elements = IN_COMPOUNDS


PRESENTER = CompoundCapturePresenter()
