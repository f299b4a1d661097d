"""What a painting process loads. Nothing of Discord or storage, which would double its memory and start."""

from __future__ import annotations

import contextlib
from pathlib import Path

from bot import presenters
from bot.render import badges as _badges  # noqa: F401 - registers the painters of achievements
from bot.render import curves as _house  # noqa: F401 - registers the painters that no game has
from bot.render import emblems as _emblems  # noqa: F401 - the painters that belong to no game
from bot.render.assets import assets_root
from bot.render.canvas import get_ready
from bot.render.sprite_cache import NOWHERE, SpriteCache, fingerprint, user_folder
from bot.render.sprites import keep_on


def load_painters(cache: str = "") -> SpriteCache | None:
    """Import every presenter and open the fonts; runs in the painting process before its first picture.

    `cache`: the folder where drawn cards are kept, empty for the user's, "-" for none. Returns what keeps
    them there, if anything does.
    """
    disk = None
    presenters.offered()  # which imports them, and with them the painters of their games
    if cache != NOWHERE:
        package = Path(__file__).parents[1]
        drawing = (package / "render", package / "presenters", package.parent / "engine", assets_root())
        with contextlib.suppress(RuntimeError):  # nobody is at home here: nothing is kept
            disk = SpriteCache(Path(cache) if cache else user_folder(), fingerprint(drawing))
    keep_on(disk)
    get_ready()
    return disk
