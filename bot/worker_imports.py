"""The memory that worker processes share: the process from which they are forked imports this module."""

from __future__ import annotations

import gc

from bot import presenters
from bot.presenters import painter_imports  # noqa: F401 - the painters that belong to no game
from bot.render.canvas import get_ready
from bot.table.thinking import load_games

load_games()
presenters.offered()  # this imports the presenters
get_ready()
# the collector would write into the pages of all that is loaded, and a written page is no longer shared
gc.collect()
gc.freeze()
