"""Games that nobody plays, so that their cards are drawn before somebody waits for them.

The first time that a card is drawn takes some hundred times as long as to find it on disk
(`bot/render/sprite_cache.py`), and after an upgrade nothing lies there.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from bot import presenters
from bot.presenters.painting import load_painters
from bot.render.encode import encode
from bot.render.scene import Look, Scene
from bot.render.sprites import kept_on
from engine import catalog
from engine.arena import key_of

PARTS = 13
"""The parts of a game's rehearsal: its gallery, then pictures of random games."""
PICTURES = 25
"""How many pictures a part has; the first has the whole gallery."""
ACTIONS = 40
"""After so many actions another game is dealt, since beginnings are what people see first."""
SEED = 1000
"""Added to the part: the seeds of random games here, which `bench/pictures.py` does not paint."""
LEAST_ROOM = 2**20
"""Bytes that must be free on disk for drawn cards, or nothing more is drawn ahead."""


def rehearsed(game: str, seed: int, count: int) -> list[Scene]:
    """Hands and tables of random games, one after the other, with names of this seed."""
    rules, presenter, rng = catalog.get(game), presenters.get(game), random.Random(seed)
    found: list[Scene] = []
    while len(found) < count:
        seats = rng.choice([n for n in rules.seats(rules.defaults()) if n > 1] or [1])
        look = Look(names=tuple(f"Player {seed} {number}" for number in range(seats)))
        state = rules.deal(rules.setup(seats, key_of(seed, len(found)), **rules.defaults()))
        for _ in range(ACTIONS):
            if not (waiting := state.to_act()):
                break
            found.append(presenter.hand(state.observe(waiting[0]), look))
            state.apply(waiting[0], rng.choice(state.legal_actions(waiting[0])))
            found.append(presenter.table(state.observe(None), look))
    return found[:count]


def to_rehearse(games: Sequence[str]) -> list[tuple[str, int]]:
    """What has not been drawn ahead since the drawings changed: games with their parts, the first parts of
    all games first; nothing where none are kept, or there is hardly room. Runs in a painting process."""
    disk = kept_on()
    if disk is None or disk.room < LEAST_ROOM:
        return []
    return [(game, part) for part in range(PARTS) for game in games if disk.get(_mark_of(game, part)) is None]


def rehearse(game: str, part: int, cache: str) -> int:
    """Draw one part of a game, so that its cards are kept in the folder `cache`; how many have been put
    there. Takes up to some seconds, so it runs in a process for what takes long.

    Raises:
        LookupError: the game is not offered.
    """
    disk = load_painters(cache)
    if disk is None:
        return 0
    before = disk.written
    if part:
        scenes = rehearsed(game, SEED + part, PICTURES)
    else:
        scenes = [scene for _, scene in presenters.get(game).gallery()]
    for scene in scenes:
        encode(scene)
    drawn = disk.written - before
    disk.put(_mark_of(game, part), b"")
    return drawn


def _mark_of(game: str, part: int) -> tuple[str, str, int]:
    return ("rehearsed", game, part)
