"""The presenter of Compound Capture."""

from bot.presenters.chemistry import collect, lookups

PRESENTER = collect.presenter("compound_capture", lookups.IN_COMPOUNDS)
