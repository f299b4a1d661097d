"""The imports of a painting process.

Discord and storage are left out because they would double its memory and start-up time.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from bot import presenters
from bot.render.assets import assets_root
from bot.render.canvas import get_ready
from bot.render.pages import badges as _badges  # noqa: F401 - registers the painters of achievements
from bot.render.pages import curves as _house  # noqa: F401 - registers the painters that no game has
from bot.render.pages import emblems as _emblems  # noqa: F401 - the painters that belong to no game
from bot.render.sprite_cache import NOWHERE, SpriteCache, fingerprint, user_folder
from bot.render.sprites import keep_on


def load_painters(cache: str = "") -> SpriteCache | None:
    """Import every presenter and open the fonts. Runs in the painting process before its first picture.

    `cache` is the folder for drawn cards: empty for the user's cache folder, "-" for none. Return the disk
    cache, or None without one.
    """
    disk = None
    presenters.offered()  # this imports the presenters, and with them the painters of their games
    if cache != NOWHERE:
        package = Path(__file__).parents[1]
        drawing = (package / "render", package / "presenters", package.parent / "engine", assets_root())
        with contextlib.suppress(RuntimeError):  # without a home directory nothing is cached
            disk = SpriteCache(Path(cache) if cache else user_folder(), fingerprint(drawing))
    keep_on(disk)
    get_ready()
    return disk
