"""The presenter of Chemistry Canasta."""

from bot.presenters.chemistry import collect, lookups

PRESENTER = collect.presenter("canasta", lookups.EVERY)
